import assert from "node:assert/strict";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import type { ApiClient } from "../spec/support/api-client.js";
import type { AuditReceiver } from "../support/audit-receiver.js";
import { type AuditedServer, startAuditedServer } from "../support/audited-server.js";
import { spawnServer } from "../support/server-program.js";
import { until } from "../support/until.js";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function policyOf(...rules: readonly object[]): string {
  return JSON.stringify({ kind: "Policy", apiVersion: "audit.k8s.io/v1", rules });
}

interface LoggedEvent {
  readonly auditID: string;
  readonly stage: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly level: string;
  readonly user: { readonly username?: string; readonly groups?: readonly string[] };
  readonly responseStatus?: { readonly code: number };
  readonly objectRef?: { readonly resource: string; readonly name?: string; readonly namespace?: string };
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly [member: string]: unknown;
}

describe("Audit", () => {
  let audited: AuditedServer;
  let folder: string;
  let server: ControlPlane;
  let client: ApiClient;
  let policyFile: string;
  let logFile: string;

  before(async () => {
    audited = await startAuditedServer({
      policy: { rules: [{ level: "Metadata" }] },
      flags: (own) => [`--audit-log-path=${join(own, "logs", "audit.log")}`, "--audit-log-mode=blocking-strict"],
    });
    ({ folder, server, client, policyFile } = audited);
    logFile = join(folder, "logs", "audit.log");
  });

  after(() => audited?.[Symbol.asyncDispose]());

  async function events(): Promise<readonly LoggedEvent[]> {
    return (await readFile(logFile, "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as LoggedEvent);
  }

  async function eventsOf(auditId: string): Promise<readonly LoggedEvent[]> {
    return (await events()).filter(({ auditID }) => auditID === auditId);
  }

  it("has an event in the log before its request is answered, with the ID that the client brought", async () => {
    const answer = await client.get("/api/v1/namespaces/default", { "audit-id": "mine" });
    assert.equal(answer.headers["audit-id"], "mine");
    const [received, complete, ...more] = await eventsOf("mine");
    assert.equal(more.length, 0);
    assert.equal(received?.stage, "RequestReceived");
    assert.equal(received?.stageTimestamp, received?.requestReceivedTimestamp);
    assert.match(received?.stageTimestamp ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.ok(Math.abs(Date.parse(received?.stageTimestamp ?? "") - Date.now()) < 60_000);
    assert.equal(complete?.stage, "ResponseComplete");
    assert.equal(complete?.requestReceivedTimestamp, received?.requestReceivedTimestamp);
    assert.ok((complete?.stageTimestamp ?? "") >= (received?.stageTimestamp ?? ""));
  });

  it("gives an ID to requests that bring none", async () => {
    const { headers } = await client.get("/version");
    assert.match(String(headers["audit-id"]), uuid);
    assert.equal((await eventsOf(String(headers["audit-id"]))).length, 2);
  });

  it("keeps its log to the owner", async () => {
    assert.equal((await stat(logFile)).mode & 0o777, 0o600);
    assert.equal((await stat(join(folder, "logs"))).mode & 0o777, 0o700);
  });

  it("tells of what controllers write, as if each were a service account", async () => {
    await client.post("/api/v1/namespaces", { metadata: { name: "watched" } });
    const mine = (event: LoggedEvent): boolean =>
      event.objectRef?.namespace === "watched" && event.stage === "ResponseComplete";
    const made = await until("the default service account is made", async () =>
      (await events()).find((event) => mine(event) && event.objectRef?.resource === "serviceaccounts"),
    );
    const { requestReceivedTimestamp: _received, stageTimestamp: _stage, auditID, ...rest } = made;
    assert.match(auditID, uuid);
    assert.deepEqual(rest, {
      kind: "Event",
      apiVersion: "audit.k8s.io/v1",
      level: "Metadata",
      stage: "ResponseComplete",
      requestURI: "/api/v1/namespaces/watched/serviceaccounts",
      verb: "create",
      user: {
        username: "system:serviceaccount:kube-system:service-account-controller",
        groups: ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"],
      },
      sourceIPs: ["::1"],
      userAgent: "kube-controller-manager/service-account-controller",
      objectRef: { resource: "serviceaccounts", namespace: "watched", name: "default", apiVersion: "v1" },
      responseStatus: { metadata: {}, code: 201 },
    });
    await client.delete("/api/v1/namespaces/watched");
    const finalized = await until("the namespace is gone", async () =>
      (await events()).find(
        ({ requestURI, stage }) => requestURI === "/api/v1/namespaces/watched/finalize" && stage === "ResponseComplete",
      ),
    );
    assert.equal(finalized.user.username, "system:serviceaccount:kube-system:namespace-controller");
    assert.ok(
      (await events()).some(
        (event) => mine(event) && event.verb === "delete" && event.user.username?.endsWith(":namespace-controller"),
      ),
    );
  });

  it("leaves no change of an object without an event", async () => {
    const { document } = await client.get("/api/v1/namespaces/kube-system/configmaps");
    const made = new Set(
      (await events())
        .filter(({ verb, stage }) => verb === "create" && stage === "ResponseComplete")
        .map(({ objectRef }) => `${objectRef?.namespace} ${objectRef?.resource} ${objectRef?.name}`),
    );
    for (const { metadata } of document.items) {
      assert.ok(made.has(`kube-system configmaps ${metadata.name}`), metadata.name);
    }
  });

  it("goes on with the policy before when its file becomes unusable, and takes the next good one", async () => {
    await writeFile(policyFile, policyOf({ level: "Loud" }));
    await until("the file is refused", () =>
      server.logs.text().includes("the audit policy has changed and cannot be used"),
    );
    assert.match(server.logs.text(), /rules\[0\]\.level: Unsupported value: \\?"Loud\\?"/);
    await client.get("/version", { "audit-id": "still" });
    assert.equal((await eventsOf("still")).length, 2);
    await writeFile(
      policyFile,
      `${policyOf({ level: "None", nonResourceURLs: ["/version"], odd: 1 }, { level: "Metadata" })}\n`,
    );
    await until("the policy counts", () =>
      server.logs.text().includes("the audit policy has changed; it counts from now on"),
    );
    assert.match(server.logs.text(), /unknown field \\?"rules\[0\]\.odd/);
    await client.get("/version", { "audit-id": "no more" });
    assert.equal((await eventsOf("no more")).length, 0);
    await client.get("/api", { "audit-id": "others" });
    assert.equal((await eventsOf("others")).length, 2);
  });

  it("counts events, levels and errors", async () => {
    const { text } = await client.get("/metrics");
    assert.match(text, /^apiserver_audit_event_total [1-9]\d*$/m);
    assert.match(text, /^apiserver_audit_level_total\{level="Metadata"\} [1-9]\d*$/m);
    assert.match(text, /^apiserver_audit_level_total\{level="None"\} [1-9]\d*$/m);
    assert.match(text, /^apiserver_audit_requests_rejected_total 0$/m);
  });

  it("does not let the server start with a policy that is wrong, and tells all that is", async () => {
    const wrong = join(folder, "wrong.yaml");
    await writeFile(wrong, policyOf({ level: "Loud" }, { level: "Metadata", nonResourceURLs: ["healthz"] }));
    let output = "";
    const failing = spawnServer(
      [
        "--bind-address=127.0.0.1",
        "--secure-port=0",
        `--data-dir=${join(folder, "other")}`,
        `--cert-dir=${join(folder, "certificates")}`,
        ...server.certificates.serviceAccountFlags,
        `--audit-policy-file=${wrong}`,
      ],
      (text) => {
        output += text;
      },
    );
    await assert.rejects(failing.serving, /ended with/);
    assert.match(output, /wrong\.yaml: 2 problems/);
    assert.match(output, /rules\[0\]\.level: Unsupported value: "Loud"/);
    assert.match(output, /rules\[1\]\.nonResourceURLs\[0\]: Invalid value: "healthz"/);
  });
});

describe("A request that must be recorded, and cannot", () => {
  let audited: AuditedServer;
  let server: ControlPlane;
  let client: ApiClient;

  before(async () => {
    audited = await startAuditedServer({
      policy: {
        rules: [
          { level: "Metadata", userGroups: ["system:masters"], resources: [{ resources: ["configmaps"] }] },
          { level: "Metadata", omitStages: ["RequestReceived"], resources: [{ resources: ["secrets"] }] },
        ],
      },
      flags: () => [
        "--controllers=system-namespaces-controller",
        // Whatever is written there, there is no room for it.
        "--audit-log-path=/dev/full",
        "--audit-log-mode=blocking-strict",
      ],
    });
    ({ server, client } = audited);
  });

  after(() => audited?.[Symbol.asyncDispose]());

  it("fails with 500, and does nothing", async () => {
    const maps = "/api/v1/namespaces/default/configmaps";
    const refused = await client.post(maps, { metadata: { name: "a" } });
    assert.equal(refused.status, 500);
    assert.equal(refused.text, `Internal Server Error: "${maps}": failed to store audit event\n`);
    const { text } = await client.get("/metrics");
    assert.match(text, /^apiserver_audit_requests_rejected_total 1$/m);
    assert.match(text, /^apiserver_audit_error_total\{plugin="log"\} 1$/m);
    await until("the loss is told", () => /audit events were not recorded plugin=log count=1/.test(server.logs.text()));
  });

  it("succeeds when only its end cannot be recorded", async () => {
    const { status } = await client.post("/api/v1/namespaces/default/secrets", { metadata: { name: "a" } });
    assert.equal(status, 201);
  });
});

describe("A server whose webhook takes events before requests go on", () => {
  let audited: AuditedServer;
  let client: ApiClient;
  let receiver: AuditReceiver;

  before(async () => {
    audited = await startAuditedServer({
      policy: { rules: [{ level: "Metadata", userGroups: ["system:masters"] }] },
      flags: () => ["--controllers=system-namespaces-controller", "--audit-webhook-mode=blocking"],
    });
    ({ client, receiver } = audited);
  });

  after(() => audited?.[Symbol.asyncDispose]());

  it("begins a watch when it is recorded that it has begun", async () => {
    receiver.mood = "slow";
    const path = "/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=1";
    const startedAt = performance.now();
    const { headers } = await client.get(path, { "audit-id": "watch" });
    assert.equal(headers["audit-id"], "watch");
    // Beginning, start and end wait for the receiver, which takes 300 ms each time; the watch itself lasts for a second.
    assert.ok(performance.now() - startedAt >= 1_890);
    assert.deepEqual(
      receiver.events.filter(({ auditID }) => auditID === "watch").map(({ stage }) => stage),
      ["RequestReceived", "ResponseStarted", "ResponseComplete"],
    );
  });
});
