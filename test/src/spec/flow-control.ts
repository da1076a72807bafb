import assert from "node:assert/strict";
import { connect } from "node:http2";
import { request as httpsRequest } from "node:https";
import { before, describe, it } from "node:test";
import type { ClusterAccess, ControlPlane } from "@gatehouse/testing";
import { until } from "../support/until.js";
import { type ApiClient, createApiClient } from "./support/api-client.js";
import { assertCode } from "./support/assert-status.js";
import { specServerWith } from "./support/shared-server.js";

const fairness = "Limits, --enable-priority-and-fairness";
const inflight = "Limits, --max-requests-inflight, --max-mutating-requests-inflight";

const group = "/apis/flowcontrol.apiserver.k8s.io/v1";
const configMaps = "/api/v1/namespaces/default/configmaps";
const dumps = "/debug/api_priority_and_fairness";

const queuing = { queues: 1, handSize: 1, queueLengthLimit: 1 };

/** A level with one seat, which borrows none. */
function level(name: string, limitResponse: object) {
  const limited = { nominalConcurrencyShares: 1, borrowingLimitPercent: 0, limitResponse };
  return { metadata: { name }, spec: { type: "Limited", limited } };
}

/** A schema by which the requests of a user are in the level of the same name. */
function schema(name: string) {
  const resourceRules = [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] }];
  const rules = [{ subjects: [{ kind: "User", user: { name } }], resourceRules }];
  return { metadata: { name }, spec: { priorityLevelConfiguration: { name }, matchingPrecedence: 100, rules } };
}

/** A creation whose body is not complete: it takes up a seat until `end` is called. */
function beginCreation({ clientConfig, tls }: ClusterAccess, name: string) {
  const body = JSON.stringify({ metadata: { name } });
  const { hostname, port } = clientConfig.server;
  const headers = { "content-type": "application/json", "content-length": body.length };
  const sent = httpsRequest({ ...tls, hostname, port, path: configMaps, method: "POST", headers, agent: false });
  const code = new Promise<number | undefined>((resolve, reject) => {
    sent.on("error", reject);
    sent.on("response", (response) => resolve(response.resume().statusCode));
  });
  let refused = false;
  void code.then(
    (status) => {
      refused = status === 429;
    },
    () => {},
  );
  sent.write(body.slice(0, 5));
  return { code, isRefused: () => refused, end: () => sent.end(body.slice(5)) };
}

describe("Priority and fairness", () => {
  let server: ControlPlane;
  let admin: ApiClient;
  let strict: ClusterAccess;
  let patient: ClusterAccess;

  const listed = async (resource: string): Promise<readonly { metadata: { name: string } }[]> => {
    const { document } = await admin.get(`${group}/${resource}`);
    return document["items"] as unknown as readonly { metadata: { name: string } }[];
  };
  const dangling = async (name: string): Promise<string> => {
    const { document } = await admin.get(`${group}/flowschemas/${name}`);
    const conditions = (document["status"] as { conditions?: { type: string; status: string; reason: string }[] })
      .conditions;
    return (conditions ?? []).map(({ type, status, reason }) => `${type}=${status} (${reason})`).join();
  };
  const executing = (name: string): Promise<boolean> =>
    until(`a request of ${name} is executed`, async () =>
      (await admin.get(`${dumps}/dump_requests`)).text.split("\n").some((line) => line.startsWith(`${name},`)),
    );

  before(async () => {
    ({ server, client: admin } = await specServerWith(
      "--max-requests-inflight=1",
      "--max-mutating-requests-inflight=1",
      "--goaway-chance=0.02",
    ));
    [strict, patient] = await Promise.all([server.addUser({ name: "strict" }), server.addUser({ name: "patient" })]);
    for (const made of [level("strict", { type: "Reject" }), level("patient", { type: "Queue", queuing })]) {
      assertCode(await admin.post(`${group}/prioritylevelconfigurations`, made), 201);
      assertCode(await admin.post(`${group}/flowschemas`, schema(made.metadata.name)), 201);
      await until("the schema is in use", async () => (await dangling(made.metadata.name)) !== "");
    }
  });
  it(`${fairness}: the schemas and levels of v1.29 exist, and each schema tells whether its level does`, async () => {
    const schemas = await listed("flowschemas");
    assert.equal(schemas.length, 13 + 2);
    assert.equal((await listed("prioritylevelconfigurations")).length, 8 + 2);
    await until("every schema has its condition", async () => {
      const states = await Promise.all(schemas.map(({ metadata }) => dangling(metadata.name)));
      return states.every((state) => state === "Dangling=False (Found)");
    });
  });

  it(`${fairness}: a schema tells that its level is missing, until it is made`, async () => {
    assertCode(await admin.post(`${group}/flowschemas`, schema("lost")), 201);
    await until("the reference dangles", async () => (await dangling("lost")) === "Dangling=True (NotFound)");
    assertCode(await admin.post(`${group}/prioritylevelconfigurations`, level("lost", { type: "Reject" })), 201);
    await until("the reference holds", async () => (await dangling("lost")) === "Dangling=False (Found)");
  });

  it(`${fairness}: every answer names level and schema by UID`, async () => {
    const uidOf = async (path: string): Promise<unknown> =>
      ((await admin.get(`${group}/${path}`)).document["metadata"] as { uid: string }).uid;
    const { headers } = await admin.get("/no-such-path");
    assert.equal(headers["x-kubernetes-pf-flowschema-uid"], await uidOf("flowschemas/exempt"));
    assert.equal(headers["x-kubernetes-pf-prioritylevel-uid"], await uidOf("prioritylevelconfigurations/exempt"));
  });

  it(`${inflight}: a request that has no seat is rejected where nothing is queued, and answered when there is one again`, async () => {
    using user = createApiClient(strict.clientConfig);
    const held = beginCreation(strict, "held-strict");
    await executing("strict");
    const answer = await user.get(configMaps);
    assert.equal(answer.status, 429);
    assert.equal(answer.text, "Too many requests, please try again later.\n");
    assert.equal(answer.headers["retry-after"], "1");
    assert.equal(answer.headers["content-type"], "text/plain; charset=utf-8");
    assert.equal(answer.headers["x-content-type-options"], "nosniff");
    held.end();
    assert.equal(await held.code, 201);
    await until("there is a seat", async () => (await user.get(configMaps)).status === 200);
    const { text } = await admin.get("/metrics");
    assert.match(
      text,
      /rejected_requests_total\{priority_level="strict",flow_schema="strict",reason="concurrency-limit"\} \d/,
    );
  });

  it(`${fairness}: requests wait for a seat where they are queued, and dumps show them`, async () => {
    using user = createApiClient(patient.clientConfig);
    const held = beginCreation(patient, "held-patient");
    await executing("patient");
    const waiting = user.get(configMaps);
    await until("a request waits", async () => {
      const { text } = await admin.get(`${dumps}/dump_queues`);
      return /^patient, +0, +1, +1, /m.test(text);
    });
    const { text } = await admin.get(`${dumps}/dump_requests?includeRequestDetails=1`);
    assert.match(text, /^patient, +patient, +0, +0, .* 0001-01-01T00:00:00Z, +patient, +list, /m);
    // The queue holds no more.
    assert.equal((await user.get(configMaps)).status, 429);
    held.end();
    assert.equal(await held.code, 201);
    assert.equal((await waiting).status, 200);
  });

  it(`${fairness}: watches keep their seats only until they have begun`, async () => {
    using user = createApiClient(strict.clientConfig);
    const watches = [];
    for (let index = 0; index < 3; index++) {
      watches.push(await user.watch(`${configMaps}?watch=1`));
    }
    await until("all seats are free", async () => (await user.get(configMaps)).status === 200);
    for (const watch of watches) {
      watch[Symbol.dispose]();
    }
  });

  it("Limits, --goaway-chance: some answers over HTTP/2 are the last of their connection, and are complete", async () => {
    const session = connect(server.url, server.tls);
    session.on("error", () => {});
    const get = (): Promise<number> =>
      new Promise((resolve, reject) => {
        const stream = session.request({ ":path": "/version" });
        let status = 0;
        stream.on("response", (headers) => {
          status = Number(headers[":status"]);
        });
        stream.on("error", reject);
        stream.on("end", () => resolve(status));
        stream.resume();
      });
    let isLast = false;
    session.on("goaway", () => {
      isLast = true;
    });
    // That it does not come is less likely than one in 10^17.
    for (let request = 0; request < 2000 && !isLast; request++) {
      assert.equal(await get(), 200);
    }
    assert.ok(isLast);
    session.close();
  });
});

describe("Without priority and fairness", () => {
  it(`${inflight}: without fairness reads and writes have a limit each, and 0 is none`, async () => {
    const { server, client: admin } = await specServerWith(
      "--enable-priority-and-fairness=false",
      "--max-requests-inflight=0",
      "--max-mutating-requests-inflight=1",
    );
    const access = await server.addUser({ name: "somebody" });
    using user = createApiClient(access.clientConfig);
    let held = beginCreation(access, "held");
    await until("the write is under way", async () => {
      if (held.isRefused()) {
        held = beginCreation(access, "held"); // a question of ours was under way
      }
      return (await user.post(configMaps, {})).status === 429;
    });
    const reads = await Promise.all([1, 2, 3].map(() => user.get(configMaps)));
    assert.deepEqual(
      reads.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.equal(reads[0]?.headers["x-kubernetes-pf-flowschema-uid"], undefined);
    // The administrator is always answered.
    assert.equal((await admin.post(configMaps, { metadata: { name: "made" } })).status, 201);
    held.end();
    assert.equal(await held.code, 201);
    assert.equal((await admin.get(`${dumps}/dump_queues`)).status, 404);
    const { document } = await admin.get(`${group}/flowschemas`);
    const schemas = document["items"] as unknown as readonly { status?: { conditions?: unknown } }[];
    assert.equal(schemas.length, 13);
    assert.ok(schemas.every(({ status }) => status?.conditions === undefined));
    const { text } = await admin.get("/readyz?verbose");
    assert.match(text, /poststarthook\/max-in-flight-filter ok/);
  });
});
