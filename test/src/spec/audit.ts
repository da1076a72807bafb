import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import type { ControlPlane } from "@gatehouse/testing";
import type { AuditReceiver } from "../support/audit-receiver.js";
import { type AuditedServer, startAuditedServer } from "../support/audited-server.js";
import { serverProgram } from "../support/server-program.js";
import { until } from "../support/until.js";
import { type ApiClient, createApiClient, type RequestOptions } from "./support/api-client.js";

const shapes = "Resources and their fields, Audit configuration";
const flags = "Audit events";
const limits = "Limits";

/** The rules of the policy, each for namespaces of its own unless it says otherwise. */
const rules = [
  { level: "None", namespaces: ["level-none"] },
  { level: "Metadata", namespaces: ["level-metadata"] },
  { level: "Request", namespaces: ["level-request"] },
  { level: "RequestResponse", namespaces: ["level-response"] },
  { level: "Request", namespaces: ["users"], users: ["jane", "kubernetes-admin"] },
  { level: "Metadata", namespaces: ["users"] },
  { level: "Request", namespaces: ["groups"], userGroups: ["developers", "others"] },
  { level: "Request", namespaces: ["verbs"], verbs: ["create", "delete"] },
  { level: "Request", namespaces: ["kinds"], resources: [{ resources: ["configmaps"], resourceNames: ["a"] }] },
  { level: "Metadata", namespaces: ["kinds"], resources: [{ resources: ["configmaps", "pods/status"] }] },
  { level: "Metadata", namespaces: ["kinds"], resources: [{ group: "apps" }] },
  { level: "Metadata", namespaces: ["stages"], omitStages: ["ResponseComplete"] },
  { level: "RequestResponse", namespaces: ["bare"] },
  { level: "RequestResponse", namespaces: ["whole"], omitManagedFields: false },
  { level: "Metadata", nonResourceURLs: ["/healthz*", "/version"] },
  { level: "RequestResponse", namespaces: ["big"] },
];

interface AuditEvent {
  readonly stage: string;
  readonly level: string;
  readonly [member: string]: unknown;
}

describe("Audit as it is configured", () => {
  let audited: AuditedServer;
  let folder: string;
  let receiver: AuditReceiver;
  let server: ControlPlane;
  let admin: ApiClient;
  let jane: ApiClient;
  let count = 0;

  before(async () => {
    audited = await startAuditedServer({
      policy: { metadata: { name: "spec" }, omitManagedFields: true, omitStages: ["Panic"], rules },
      flags: (own) => [
        "--controllers=system-namespaces-controller",
        `--audit-log-path=${join(own, "audit.log")}`,
        "--audit-log-maxsize=1",
        "--audit-log-maxbackup=1",
        "--audit-log-maxage=7",
        "--audit-log-compress",
        "--audit-webhook-mode=batch",
        "--audit-webhook-batch-max-size=5",
        "--audit-webhook-batch-max-wait=200ms",
        "--audit-webhook-batch-throttle-qps=50",
        "--audit-webhook-initial-backoff=10ms",
        "--audit-webhook-truncate-enabled",
        "--audit-webhook-truncate-max-event-size=3000",
        "--audit-webhook-truncate-max-batch-size=6000",
      ],
    });
    ({ folder, receiver, server, client: admin } = audited);
    const clientCertificate = await server.certificates.clientCertificate("jane", ["developers"]);
    jane = createApiClient({ ...server.clientConfig, clientCertificate });
    for (const name of new Set(rules.flatMap(({ namespaces = [] }) => namespaces))) {
      await admin.post("/api/v1/namespaces", { metadata: { name } });
    }
  });

  after(async () => {
    jane?.[Symbol.dispose]();
    await audited?.[Symbol.asyncDispose]();
  });

  /** The events that a request leaves in the log. */
  async function recorded(
    method: string,
    path: string,
    options: RequestOptions = {},
    client = admin,
  ): Promise<readonly AuditEvent[]> {
    const id = `spec-${count++}`;
    await client.request(method, path, { ...options, headers: { ...options.headers, "audit-id": id } });
    return (await readFile(join(folder, "audit.log"), "utf8"))
      .split("\n")
      .filter((line) => line.includes(`"auditID":"${id}"`))
      .map((line) => JSON.parse(line) as AuditEvent);
  }

  /** The last of them. */
  async function last(...request: Parameters<typeof recorded>): Promise<AuditEvent> {
    const events = await recorded(...request);
    return events.at(-1) as AuditEvent;
  }

  async function levelOf(...request: Parameters<typeof recorded>): Promise<string> {
    const [event] = await recorded(...request);
    return event?.level ?? "None";
  }

  const maps = (namespace: string, name = ""): string =>
    `/api/v1/namespaces/${namespace}/configmaps${name === "" ? "" : `/${name}`}`;
  const body = (name: string): RequestOptions => ({ body: { metadata: { name } } });

  it(`${shapes}, level: how much is told of a request`, async () => {
    assert.deepEqual(await recorded("POST", maps("level-none"), body("a")), []);
    const metadata = await last("POST", maps("level-metadata"), body("a"));
    assert.deepEqual(
      [metadata.level, metadata["requestObject"], metadata["responseObject"]],
      ["Metadata", undefined, undefined],
    );
    const request = await last("POST", maps("level-request"), body("a"));
    assert.deepEqual(
      [request.level, request["requestObject"], request["responseObject"]],
      ["Request", { metadata: { name: "a" } }, undefined],
    );
    const response = await last("POST", maps("level-response"), body("a"));
    assert.equal(response.level, "RequestResponse");
    assert.equal((response["responseObject"] as { kind: string }).kind, "ConfigMap");
  });

  it(`${shapes}, auditID: unique, and that of the client if it brings one`, async () => {
    assert.equal((await last("GET", "/version"))["auditID"], `spec-${count - 1}`);
  });

  it(`${shapes}, stage: received, started where it lasts, complete`, async () => {
    const stages = async (path: string): Promise<readonly string[]> =>
      (await recorded("GET", path)).map(({ stage }) => stage);
    assert.deepEqual(await stages("/version"), ["RequestReceived", "ResponseComplete"]);
    assert.deepEqual(await stages(`${maps("level-metadata")}?watch=1&timeoutSeconds=1`), [
      "RequestReceived",
      "ResponseStarted",
      "ResponseComplete",
    ]);
  });

  it(`${shapes}, requestURI: as sent by the client`, async () => {
    assert.equal((await last("GET", "/version?a=b%20c&d=e+f"))["requestURI"], "/version?a=b%20c&d=e+f");
  });

  it(`${shapes}, verb: that of the service, or the method in lower case`, async () => {
    assert.equal((await last("GET", maps("level-metadata")))["verb"], "list");
    assert.equal((await last("DELETE", maps("level-metadata")))["verb"], "deletecollection");
    assert.equal((await last("POST", "/version"))["verb"], "post");
  });

  it(`${shapes}, user: who has authenticated; impersonatedUser: as whom the request was carried out`, async () => {
    const own = await last("GET", "/version");
    const user = { username: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] };
    assert.deepEqual([own["user"], own["impersonatedUser"]], [user, undefined]);
    const other = await last("GET", "/version", { headers: { "impersonate-user": "bob" } });
    assert.deepEqual(
      [other["user"], other["impersonatedUser"]],
      [user, { username: "bob", groups: ["system:authenticated"] }],
    );
  });

  it(`${shapes}, sourceIPs: where it comes from, and the proxies between; userAgent: what the client says`, async () => {
    const event = await last("GET", "/version", {
      headers: { "x-forwarded-for": "192.0.2.1, 192.0.2.2", "user-agent": "me/1.0" },
    });
    assert.deepEqual([event["sourceIPs"], event["userAgent"]], [["192.0.2.1", "192.0.2.2", "127.0.0.1"], "me/1.0"]);
  });

  it(`${shapes}, objectRef: not set for requests of lists and paths`, async () => {
    assert.deepEqual((await last("GET", maps("level-metadata", "x")))["objectRef"], {
      resource: "configmaps",
      namespace: "level-metadata",
      name: "x",
      apiVersion: "v1",
    });
    for (const path of ["/version", maps("level-metadata"), `${maps("level-metadata")}?watch=1&timeoutSeconds=1`]) {
      assert.equal((await last("GET", path))["objectRef"], undefined);
    }
  });

  it(`${shapes}, responseStatus: set also when the answer is no status`, async () => {
    assert.deepEqual((await last("GET", "/version"))["responseStatus"], { metadata: {}, code: 200 });
    const { message, reason, code } = (await last("GET", maps("level-metadata", "x")))["responseStatus"] as Record<
      string,
      unknown
    >;
    assert.deepEqual([message, reason, code], ['configmaps "x" not found', "NotFound", 404]);
  });

  it(`${shapes}, requestObject: as sent, before defaults and admission; not for paths`, async () => {
    const sent = { metadata: { name: "r" }, type: "", stringData: { a: "1" } };
    const event = await last("POST", "/api/v1/namespaces/level-request/secrets", { body: sent });
    assert.deepEqual(event["requestObject"], sent);
    assert.equal((await last("POST", "/version", { body: sent }))["requestObject"], undefined);
  });

  it(`${shapes}, responseObject: only at the level of responses`, async () => {
    const answered = await last("GET", maps("level-response"));
    assert.equal((answered["responseObject"] as { kind: string }).kind, "ConfigMapList");
    assert.equal((await last("GET", maps("level-request")))["responseObject"], undefined);
  });

  it(`${shapes}, requestReceivedTimestamp and stageTimestamp: in microseconds`, async () => {
    const [received, complete] = await recorded("GET", "/version");
    assert.match(String(received?.["requestReceivedTimestamp"]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.equal(received?.["stageTimestamp"], received?.["requestReceivedTimestamp"]);
    assert.ok(String(complete?.["stageTimestamp"]) > String(received?.["stageTimestamp"]));
  });

  it(`${shapes}, annotations: from plugins, at the level of metadata, too`, async () => {
    assert.deepEqual((await last("GET", maps("level-metadata", "x")))["annotations"], {
      "authorization.k8s.io/decision": "allow",
      "authorization.k8s.io/reason": "",
    });
  });

  it(`${shapes}, metadata and rules: the first rule that matches decides, and none is None`, async () => {
    assert.equal(await levelOf("GET", maps("users"), {}, jane), "Request");
    assert.equal(await levelOf("GET", maps("default")), "None");
  });

  it(`${shapes}, users: any of those named; userGroups: any of them`, async () => {
    assert.equal(await levelOf("GET", maps("users")), "Request");
    assert.equal(await levelOf("GET", maps("groups"), {}, jane), "Request");
    assert.equal(await levelOf("GET", maps("groups")), "None");
  });

  it(`${shapes}, verbs: any of those named`, async () => {
    assert.equal(await levelOf("DELETE", maps("verbs", "x")), "Request");
    assert.equal(await levelOf("GET", maps("verbs", "x")), "None");
  });

  it(`${shapes}, resources: by group, resource, subresource and name`, async () => {
    assert.equal(await levelOf("GET", maps("kinds", "a")), "Request");
    assert.equal(await levelOf("GET", maps("kinds", "b")), "Metadata");
    assert.equal(await levelOf("GET", "/api/v1/namespaces/kinds/pods/a/status"), "Metadata");
    assert.equal(await levelOf("GET", "/api/v1/namespaces/kinds/pods/a"), "None");
    assert.equal(await levelOf("GET", "/apis/apps/v1/namespaces/kinds/deployments/a/scale"), "Metadata");
  });

  it(`${shapes}, namespaces and nonResourceURLs: where the rule applies`, async () => {
    assert.equal(await levelOf("GET", maps("level-metadata")), "Metadata");
    assert.equal(await levelOf("GET", "/healthz/ping"), "Metadata");
    assert.equal(await levelOf("GET", "/version"), "Metadata");
    assert.equal(await levelOf("GET", "/version/more"), "None");
  });

  it(`${shapes}, omitStages: those of the policy and of the rule`, async () => {
    assert.deepEqual(
      (await recorded("GET", maps("stages"))).map(({ stage }) => stage),
      ["RequestReceived"],
    );
  });

  it(`${shapes}, omitManagedFields: the rule overrides the policy`, async () => {
    const fieldsOf = async (namespace: string): Promise<unknown> => {
      const sent = { body: { metadata: { name: "m" }, data: { a: "1" } } };
      const { responseObject } = await last("POST", maps(namespace), sent);
      return (responseObject as { metadata: { managedFields?: unknown } }).metadata.managedFields;
    };
    assert.equal(await fieldsOf("bare"), undefined);
    assert.ok(Array.isArray(await fieldsOf("whole")));
  });

  it(`${flags}, --audit-policy-file, --audit-log-path, --audit-log-format json, --audit-log-mode blocking, --audit-log-version: a line of JSON before the answer`, async () => {
    const event = await last("GET", "/version");
    assert.deepEqual([event["kind"], event["apiVersion"]], ["Event", "audit.k8s.io/v1"]);
  });

  it(`${flags}, --audit-webhook-config-file, --audit-webhook-mode batch, --audit-webhook-batch-max-size, --audit-webhook-batch-max-wait: events arrive together`, async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => admin.get("/version", { "audit-id": `batch-${index}` })),
    );
    await until(
      "all have arrived",
      () => receiver.events.filter(({ auditID }) => auditID.startsWith("batch-")).length === 40,
    );
    assert.ok(receiver.batches.every(({ events, sequence }) => events.length <= 5 && sequence === undefined));
    assert.ok(receiver.batches.some(({ events }) => events.length === 5));
  });

  it(`${flags}, --audit-webhook-initial-backoff: what fails is tried again`, async () => {
    receiver.mood = "fail";
    await admin.get("/version", { "audit-id": "again" });
    await new Promise((resolve) => setTimeout(resolve, 220));
    receiver.mood = "take";
    await until("it has arrived", () => receiver.events.some(({ auditID }) => auditID === "again"));
  });

  it(`${flags}, --audit-webhook-batch-buffer-size, --audit-webhook-batch-throttle-qps, --audit-webhook-batch-throttle-burst, --audit-webhook-batch-throttle-enable: their defaults`, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [serverProgram.script, "--help"]);
    const lines = stdout.split("\n");
    const defaultOf = (flag: string): string | undefined => {
      const from = lines.findIndex((line) => line.trim().split(" ")[0] === `--${flag}`);
      return /\(default +([^)]*)\)/.exec(lines.slice(from, from + 3).join(" "))?.[1];
    };
    const names = ["buffer-size", "throttle-qps", "throttle-burst", "throttle-enable", "max-size", "max-wait"];
    assert.deepEqual(
      names.map((name) => defaultOf(`audit-webhook-batch-${name}`)),
      ["10000", "10", "15", "true", "400", "30s"],
    );
  });

  it(`${limits}, --audit-log-truncate-max-event-size, --audit-webhook-truncate-max-event-size: bodies are dropped first`, async () => {
    const data = { a: "x".repeat(4000) };
    const event = await last("POST", maps("big"), { body: { metadata: { name: "big" }, data } });
    assert.deepEqual((event["requestObject"] as { data: unknown }).data, data, "the log is not truncated");
    const sent = await until("it has arrived", () =>
      receiver.events.find(({ auditID, stage }) => auditID === event["auditID"] && stage === "ResponseComplete"),
    );
    assert.deepEqual([sent["requestObject"], sent["responseObject"]], [undefined, undefined]);
    assert.equal((sent["annotations"] as Record<string, string>)["audit.k8s.io/truncated"], "true");
  });

  it(`${limits}, --audit-log-truncate-max-batch-size, --audit-webhook-truncate-max-batch-size: larger batches are split`, () => {
    // Batches are made behind the truncation, of events that each passed it alone: none is larger than it may be.
    assert.ok(receiver.batches.every(({ events }) => JSON.stringify(events).length <= 5 * 3000));
  });

  it(`${flags}, --audit-log-maxage, -maxbackup, -maxsize, -compress: a full log is put aside and packed`, async () => {
    const data = { a: "x".repeat(900_000) };
    for (const name of ["f1", "f2", "f3"]) {
      await admin.request("POST", maps("big"), { body: { metadata: { name }, data } });
    }
    const aside = await until("the old logs are tidied", async () => {
      const names = (await readdir(folder)).filter((name) => name.startsWith("audit-"));
      return names.length === 1 && names[0]?.endsWith(".gz") ? names[0] : undefined;
    });
    assert.match(aside, /^audit-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}\.log\.gz$/);
    for (const line of gunzipSync(await readFile(join(folder, aside)))
      .toString()
      .trimEnd()
      .split("\n")) {
      assert.equal(JSON.parse(line).kind, "Event");
    }
  });
});
