import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ControlPlane } from "@gatehouse/testing";
import { withoutAdmission } from "../support/admission-flags.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";
import { HookServers } from "./hook-server.js";
import { allow, deny, patch } from "./webhook-case.js";

let server: ControlPlane;
let hooks: HookServers;
const signal = new AbortController().signal;

before(async () => {
  const flags = [
    withoutAdmission,
    "--admission-webhook-deadline-budget",
    "--admission-webhook-breaker",
    "--admission-webhook-ledger-size=3",
    "--admission-blame",
  ];
  server = await startTestServer({ flags });
  hooks = await HookServers.start();
});

after(async () => {
  await hooks[Symbol.asyncDispose]();
  await server.stop();
});

async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await server.client.requestJson({ method, path, body, headers, signal, timeoutMs: 60_000 });
  return { status: response.status, headers: response.headers, body: response.body as Record<string, never> };
}

/** Configures webhooks for the ConfigMaps of a new namespace. */
async function configure(namespace: string, kind: "Mutating" | "Validating", names: readonly string[], more: object) {
  await send("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const { status } = await send(
    "POST",
    `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}webhookconfigurations`,
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: `${kind}WebhookConfiguration`,
      metadata: { name: namespace },
      webhooks: names.map((name) => ({
        name: `${name}.example.com`,
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        clientConfig: { url: `${hooks.url("GOOD")}/${name}`, caBundle: hooks.caBundle },
        rules: [{ operations: ["CREATE", "UPDATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
        ...more,
      })),
    },
  );
  assert.equal(status, 201);
}

const create = (namespace: string, name: string, query = "", headers = {}) =>
  send(
    "POST",
    `/api/v1/namespaces/${namespace}/configmaps${query}`,
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { a: "1" } },
    headers,
  );

test("five dead webhooks that may be ignored never time a write out", async () => {
  const names = ["a", "b", "c", "d", "e"];
  await configure("budget", "Mutating", names, { failurePolicy: "Ignore", timeoutSeconds: 10 });
  hooks.hooks = Object.fromEntries(names.map((name) => [`/${name}`, () => "hang" as const]));
  const { status } = await create("budget", "x", "?timeout=15s");
  assert.equal(status, 201, JSON.stringify(hooks.received.map(({ path }) => path)));
  assert.deepEqual(
    hooks.received.map(({ path }) => path.replace(/\?.*/, "")),
    names.map((name) => `/${name}`),
  );
});

test("a webhook that fails again and again is not called for a while", async () => {
  await configure("breaker", "Validating", ["v"], { failurePolicy: "Fail" });
  hooks.hooks = { "/v": () => ({ status: 500, body: "broken" }) };
  hooks.received.length = 0;
  const messages: string[] = [];
  for (let index = 0; index < 7; index++) {
    messages.push(String((await create("breaker", `x${index}`)).body["message"]));
  }
  const prefix = 'Internal error occurred: failed calling webhook "v.example.com"';
  const broken = `${prefix}: failed to call webhook: an error on the server ("broken") has prevented the request from succeeding`;
  const notCalled = `${prefix}: it has failed too often, and is not called for a while`;
  assert.deepEqual(messages, [...Array.from({ length: 5 }, () => broken), notCalled, notCalled]);
  assert.equal(hooks.received.length, 5);
});

test("what went on without a webhook is remembered, a few of it, and can be checked again", async () => {
  await send("POST", "/gatehouse/failed-open");
  await configure("ledger", "Validating", ["w"], { failurePolicy: "Ignore" });
  hooks.hooks = { "/w": () => "reset" };
  for (const name of ["x0", "x1", "x2", "x3"]) {
    assert.equal((await create("ledger", name)).status, 201);
  }
  assert.equal((await create("ledger", "dry", "?dryRun=All")).status, 201);
  const ledger = async (method = "GET") =>
    ((await send(method, "/gatehouse/failed-open")).body as unknown as { items: Record<string, unknown>[] }).items;
  const names = (items: readonly Record<string, unknown>[]) => items.map(({ name }) => name);
  assert.deepEqual(names(await ledger()), ["x1", "x2", "x3"]);
  const [{ time: _time, ...first } = {}] = await ledger();
  assert.deepEqual(first, {
    type: "validating",
    configuration: "ledger",
    webhook: "w.example.com",
    reason: `failed calling webhook "w.example.com": failed to call webhook: Post "${hooks.url("GOOD")}/w?timeout=10s": EOF`,
    operation: "CREATE",
    resource: { group: "", version: "v1", resource: "configmaps" },
    subresource: "",
    namespace: "ledger",
    name: "x1",
    user: "kubernetes-admin",
    dryRun: false,
  });
  await server.restart();
  assert.deepEqual(names(await ledger()), ["x1", "x2", "x3"], "it outlives the server");
  const verdicts = async () => (await ledger("POST")).map(({ verdict }) => verdict);
  assert.deepEqual(await verdicts(), ["unknown", "unknown", "unknown"]);
  await send("DELETE", "/api/v1/namespaces/ledger/configmaps/x3");
  hooks.hooks = {
    "/w": (review) =>
      (review.request["name"] === "x1" ? allow() : deny({ message: "not this one", code: 403 }))(review),
  };
  await until("the breaker lets a call through", async () => (await verdicts()).length < 3);
  const [left, ...rest] = await ledger("POST");
  assert.equal(left?.["verdict"], "refused");
  assert.equal(left?.["message"], 'admission webhook "w.example.com" denied the request: not this one');
  assert.deepEqual(rest, []);
  assert.deepEqual(names(await ledger()), ["x2"]);
});

test("whoever asks is told which webhook has set what", async () => {
  await configure("blame", "Mutating", ["m"], {});
  hooks.hooks = { "/m": patch([{ op: "add", path: "/data/b", value: "2" }]) };
  const { headers } = await create("blame", "x", "", { "gatehouse-blame": "true" });
  const entries = JSON.parse(String(headers["gatehouse-blame"])) as { by: string; changed: string[]; ms: number }[];
  const webhook = entries.find(({ by }) => by === "webhook blame/m.example.com");
  assert.deepEqual(webhook?.changed, ["/data/b"]);
  assert.ok((webhook?.ms ?? 0) > 0);
  assert.equal((await create("blame", "y")).headers["gatehouse-blame"], undefined);
  const manifest = join(server.folder, "z.yaml");
  await writeFile(manifest, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: z, namespace: blame}\ndata: {a: '1'}\n");
  const program = fileURLToPath(new URL("../../../deploy/dist/kubectl-gatehouse/main.js", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [
    program,
    "blame",
    "-f",
    manifest,
    "--kubeconfig",
    await server.kubeconfigFile(),
  ]);
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {3,}/));
  assert.deepEqual(lines[0], ["BY", "PHASE", "TIME", "CHANGED"]);
  const told = lines.find(([by]) => by === "webhook blame/m.example.com");
  assert.deepEqual([told?.[1], told?.[3]], ["admit", "/data/b"]);
});
