import assert from "node:assert/strict";
import { request as httpsRequest } from "node:https";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../support/until.js";
import type { ApiClient } from "./support/api-client.js";
import { assertCode } from "./support/assert-status.js";
import { configMapsPath, createConfigMap, freshNamespace, namesOf, versionOf } from "./support/fixtures.js";
import { serverWith, specServerWith } from "./support/shared-server.js";

const section = "Limits";

describe(section, { concurrency: 16 }, () => {
  it(`${section}, Item count per chunk: up to limit`, async () => {
    const client = await serverWith();
    const namespace = await freshNamespace(client);
    for (const name of ["a", "b", "c"]) {
      await createConfigMap(client, namespace, name);
    }
    assert.equal((await client.get(configMapsPath(namespace, "", "limit=2"))).document.items.length, 2);
  });

  it(`${section}, Expression cost: an evaluation that costs more than it may ends with an error`, async () => {
    const client = await serverWith();
    const path = await serveNumbers(client, "bounded", 725);
    const create = (name: string, count: number) =>
      client.post(path, {
        apiVersion: "spec.example.com/v1",
        kind: "Bounded",
        metadata: { name },
        spec: { numbers: Array.from({ length: count }, () => 1) },
      });
    assertCode(await create("few", 100), 201);
    const refused = await create("many", 725);
    assertCode(refused, 422);
    assert.equal(
      refused.document.message,
      'Bounded.spec.example.com "many" is invalid: spec: Invalid value: "object": ' +
        "'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost " +
        "exceeds limit for rule: self.numbers.all(x, self.numbers.all(y, y == x))",
    );
  });

  it(`${section}, Expression cost: a rule whose worst case is too high is refused`, async () => {
    const client = await serverWith();
    const refused = await client.post(definitionsPath, numbersDefinition("unbounded", undefined));
    assertCode(refused, 422);
    assert.match(
      refused.document.message ?? "",
      /x-kubernetes-validations\[0\]\.rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x/,
    );
  });

  it(`${section}, --request-timeout: a request that takes longer is answered 504`, async () => {
    const { server } = await specServerWith("--request-timeout=4s");
    const { hostname, port } = server.clientConfig.server;
    const answer = await new Promise<TimedOutAnswer>((resolve, reject) => {
      const request = httpsRequest({
        hostname,
        port,
        method: "POST",
        path: configMapsPath("default"),
        ca: server.certificates.authority.certificatePem,
        cert: server.clientConfig.clientCertificate?.certificatePem,
        key: server.clientConfig.clientCertificate?.keyPem,
        headers: { "content-type": "application/json", "content-length": "100" },
      });
      request.on("error", reject);
      request.on("response", (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += String(chunk);
        });
        response.on("close", () => {
          request.destroy();
          resolve({ status: response.statusCode, contentType: response.headers["content-type"], text });
        });
      });
      // The rest of the body never comes.
      request.write("{");
    });
    assert.equal(answer.status, 504);
    // v1.29 does not say that this is a Status, nor that it is JSON.
    assert.equal(answer.contentType, "text/plain; charset=utf-8");
    assert.deepEqual(JSON.parse(answer.text), {
      metadata: {},
      status: "Failure",
      message: "Timeout: request did not complete within the allotted timeout",
      reason: "Timeout",
      details: {},
      code: 504,
    });
  });

  it(`${section}, --request-timeout: a watch lasts longer`, async () => {
    const client = await serverWith("--request-timeout=4s");
    const namespace = await freshNamespace(client);
    using watch = await client.watch(configMapsPath(namespace, "", "watch=1&timeoutSeconds=7"));
    const started = performance.now();
    assert.deepEqual(await watch.rest(), []);
    assert.ok(performance.now() - started > 4500);
  });

  it(`${section}, --delete-collection-workers: several objects at a time, all of them`, async () => {
    const client = await serverWith("--delete-collection-workers=8");
    const namespace = await freshNamespace(client);
    await Promise.all(Array.from({ length: 100 }, (_, index) => createConfigMap(client, namespace, `c${index}`)));
    const answer = await client.delete(configMapsPath(namespace));
    assertCode(answer, 200);
    assert.equal(answer.document.items.length, 100);
    assert.deepEqual(namesOf((await client.get(configMapsPath(namespace))).document), []);
  });

  it(`${section}, --http2-max-streams-per-connection: said in the settings of the connection`, async () => {
    const { connect } = await import("node:http2");
    for (const [flags, expected] of [
      [["--http2-max-streams-per-connection=7"], 7],
      [[], 100],
    ] as const) {
      const { server } = await specServerWith(...flags);
      const session = connect(server.url, { ca: server.certificates.authority.certificatePem });
      const settings = await new Promise<{ maxConcurrentStreams?: number }>((resolve, reject) => {
        session.on("remoteSettings", resolve);
        session.on("error", reject);
      });
      session.destroy();
      assert.equal(settings.maxConcurrentStreams, expected);
    }
  });

  it("Stored cluster events, --event-ttl: events go when their time is over, other objects do not", async () => {
    const client = await serverWith("--event-ttl=6s");
    const namespace = await freshNamespace(client);
    const events = `/api/v1/namespaces/${namespace}/events`;
    const event = {
      metadata: { name: "e" },
      involvedObject: { kind: "Pod", namespace, name: "p" },
      reason: "Tested",
      type: "Normal",
    };
    assertCode(await client.post(events, event), 201);
    await createConfigMap(client, namespace, "a");
    using watch = await client.watch(`${events}?watch=1`);
    assert.equal((await watch.next()).type, "ADDED");
    const gone = await watch.next();
    assert.deepEqual([gone.type, gone.object.metadata.name], ["DELETED", "e"]);
    await until("the event is gone", async () => (await client.get(`${events}/e`)).status === 404);
    assertCode(await client.get(configMapsPath(namespace, "a")), 200);
  });

  it("Stored cluster events, --event-ttl: an update gives an event a new time, and one that is being deleted stays", async () => {
    const client = await serverWith("--event-ttl=6s");
    const namespace = await freshNamespace(client);
    const events = `/api/v1/namespaces/${namespace}/events`;
    const make = async (name: string, finalizers: readonly string[]): Promise<void> => {
      assertCode(await client.post(events, { metadata: { name, finalizers }, involvedObject: { namespace } }), 201);
    };
    await make("updated", []);
    await make("marked", ["example.com/hold"]);
    // v1.29 gives every update a lease of its own, and writes the mark of a deletion without one.
    assertCode(await client.delete(`${events}/marked`), 200);
    const merge = "application/merge-patch+json";
    for (let i = 0; i < 3; i++) {
      await sleep(2200);
      assertCode(await client.patch(`${events}/updated`, merge, { message: `update ${i}` }), 200);
    }
    await make("later", []);
    await until("the others are gone", async () => (await client.get(`${events}/later`)).status === 404);
    await until("the updated one is gone", async () => (await client.get(`${events}/updated`)).status === 404);
    assertCode(await client.get(`${events}/marked`), 200);
    assertCode(await client.patch(`${events}/marked`, merge, { metadata: { finalizers: null } }), 200);
    assertCode(await client.get(`${events}/marked`), 404);
  });

  it(`${section}, --enable-garbage-collector=false: deletions leave no finalizers behind`, async () => {
    const client = await serverWith("--enable-garbage-collector=false");
    const namespace = await freshNamespace(client);
    await createConfigMap(client, namespace, "a");
    const answer = await client.delete(configMapsPath(namespace, "a", "propagationPolicy=Foreground"));
    assertCode(answer, 200);
    assertCode(await client.get(configMapsPath(namespace, "a")), 404);
  });

  it(`${section}, --min-request-timeout: a watch that asks for no time of its own lasts a random time above it`, async () => {
    const client = await serverWith("--min-request-timeout=2");
    const namespace = await freshNamespace(client);
    const started = performance.now();
    using watch = await client.watch(configMapsPath(namespace, "", "watch=1"));
    assert.deepEqual(await watch.rest(), []);
    assert.ok(performance.now() - started >= 2000);
  });

  it(`${section}, --etcd-compaction-interval: history older than it is given up, and 0 keeps all of it`, async () => {
    for (const [interval, code] of [
      ["2s", 410],
      ["0", 200],
    ] as const) {
      const client = await serverWith(`--etcd-compaction-interval=${interval}`);
      const namespace = await freshNamespace(client);
      const version = versionOf(await createConfigMap(client, namespace, "a"));
      await createConfigMap(client, namespace, "b");
      await sleep(6000);
      const past = configMapsPath(namespace, "", `resourceVersion=${version}&resourceVersionMatch=Exact`);
      assertCode(await client.get(past), code);
    }
  });
});

const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** A kind with a list of numbers, at most `maxItems` of them, and a rule that compares all with all. */
function numbersDefinition(singular: string, maxItems: number | undefined): object {
  const numbers = { type: "array", items: { type: "integer" }, maxItems };
  const spec = {
    type: "object",
    properties: { numbers },
    "x-kubernetes-validations": [{ rule: "self.numbers.all(x, self.numbers.all(y, y == x))" }],
  };
  const plural = `${singular}s`;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.spec.example.com` },
    spec: {
      group: "spec.example.com",
      scope: "Cluster",
      names: { plural, singular, kind: `${singular[0]?.toUpperCase()}${singular.slice(1)}` },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
        },
      ],
    },
  };
}

/** Defines such a kind, waits until it is served, and returns the path of its objects. */
async function serveNumbers(client: ApiClient, singular: string, maxItems: number): Promise<string> {
  assertCode(await client.post(definitionsPath, numbersDefinition(singular, maxItems)), 201);
  const path = `/apis/spec.example.com/v1/${singular}s`;
  await until("the kind is served", async () => (await client.get(path)).status === 200);
  return path;
}

interface TimedOutAnswer {
  readonly status: number | undefined;
  readonly contentType: string | undefined;
  readonly text: string;
}
