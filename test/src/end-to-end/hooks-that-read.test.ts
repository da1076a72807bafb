import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import * as builtinResources from "@gatehouse/webhooks/resources";
import { admissionScript, createHookPki, type HookServer, startHookServer } from "../support/hook-server.js";
import { startCommand } from "../support/running-command.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

// Hooks that read other objects of a real API server, and a scan of what it stores.

const toolkit = import.meta.resolve("@gatehouse/webhooks");
const hookModule = `
import { namespaces } from ${JSON.stringify(import.meta.resolve("@gatehouse/webhooks/resources"))};
import { allow, deny, validatingHook, validator } from ${JSON.stringify(toolkit)};
export const hooks = [validatingHook({
  name: "frozen.example.com",
  rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
  reads: [namespaces],
  handler: validator((_object, { namespace }, { lookup }) =>
    lookup.get(namespaces, { name: namespace })?.metadata.labels?.frozen === "yes" ? deny(namespace + " is frozen") : allow()),
})];
`;

let server: ControlPlane;
let hooks: HookServer;
let moduleFile: string;
const signal = new AbortController().signal;

async function send(method: string, path: string, body?: object): Promise<unknown> {
  const answer = await server.client.requestJson({ method, path, body, signal, timeoutMs: 30_000 });
  assert.ok(answer.status < 300, JSON.stringify(answer.body));
  return answer.body;
}

before(async () => {
  server = await startTestServer();
  moduleFile = join(server.folder, "hooks.mjs");
  await writeFile(moduleFile, hookModule);
  const pki = await createHookPki(server.folder);
  const exception = { reason: "a trial", expires: "2001-02-03T04:05:06Z", namespaces: ["lab"] };
  const configFile = join(server.folder, "hooks.json");
  const kind = { apiVersion: "config.gatehouse.dev/v1alpha1", kind: "AdmissionServerConfiguration" };
  const configured = { name: "frozen.example.com", exceptions: [exception] };
  await writeFile(configFile, JSON.stringify({ ...kind, modules: [moduleFile], hooks: [configured] }));
  hooks = await startHookServer([
    `--config=${configFile}`,
    `--kubeconfig=${await server.kubeconfigFile()}`,
    ...pki.servingFlags.filter((flag) => !flag.startsWith("--client-ca-file")),
    "--allow-any-caller",
  ]);
});

after(async () => {
  await hooks?.[Symbol.asyncDispose]();
  await server?.stop();
});

async function ask(namespace: string): Promise<string> {
  const review = {
    kind: "AdmissionReview",
    apiVersion: "admission.k8s.io/v1",
    request: {
      uid: "u",
      kind: { group: "", version: "v1", kind: "ConfigMap" },
      resource: { group: "", version: "v1", resource: "configmaps" },
      operation: "CREATE",
      namespace,
      userInfo: {},
      object: { metadata: { name: "a" } },
    },
  };
  const file = join(server.folder, "review.json");
  await writeFile(file, JSON.stringify(review));
  const url = `${hooks.url}/validating/frozen.example.com`;
  const { stdout } = await startCommand(
    `curl -sk -H 'Content-Type: application/json' --data-binary '@${file}' '${url}'`,
  ).ended;
  return stdout;
}

interface ResourceList {
  readonly groupVersion: string;
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
  }[];
}

/** Every resource of the preferred versions that can be watched, as `ReadableResource` says it; stable versions only. */
async function watchableResources(): Promise<readonly object[]> {
  const { groups } = (await send("GET", "/apis")) as {
    groups: readonly { readonly preferredVersion: { readonly groupVersion: string } }[];
  };
  const paths = ["/api/v1", ...groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`)];
  const lists = await Promise.all(paths.filter((path) => /\/v\d+$/.test(path)).map((path) => send("GET", path)));
  return (lists as readonly ResourceList[]).flatMap(({ groupVersion, resources }) =>
    resources
      .filter(({ verbs }) => verbs.includes("watch"))
      .map(({ name, kind, namespaced }) => ({ apiVersion: groupVersion, kind, resource: name, namespaced })),
  );
}

test("a server of hooks tells at its start which exceptions have expired", () => {
  const told =
    /WARN .* an exception has expired and excepts nothing any more .*path="hooks\[0\]\.exceptions\[0\]" expired=2001-/;
  assert.match(hooks.command.stderr(), told);
});

test("there is a ready-made resource for everything that the server lets one watch", async () => {
  const inOrder = (resources: readonly object[]) => resources.map((each) => JSON.stringify(each)).sort();
  const served = (await watchableResources()).filter((each) => !JSON.stringify(each).includes('"events.k8s.io/v1"'));
  assert.deepEqual(inOrder(Object.values(builtinResources)), inOrder(served));
});

test("a hook reads other objects as they are a moment later, by watching them", async () => {
  await until("the hooks are ready", async () => {
    const { stdout } = await startCommand(`curl -sk '${hooks.url}/readyz'`).ended;
    return stdout === "ok";
  });
  assert.match(await ask("default"), /"allowed":true/);
  await send("POST", "/api/v1/namespaces", { metadata: { name: "cold", labels: { frozen: "yes" } } });
  await until("the new namespace is known", async () => (await ask("cold")).includes("cold is frozen"));
  await send("DELETE", "/api/v1/namespaces/cold");
  await until("its end is known", async () => (await ask("cold")).includes('"allowed":true'));
});

test("a scan reports what the hooks would refuse of what is stored", async () => {
  await send("POST", "/api/v1/namespaces/default/pods", {
    metadata: { name: "old" },
    spec: { containers: [{ name: "c", image: "c" }] },
  });
  const config = join(server.folder, "config.json");
  const hook = { name: "no-latest-tag.example.com", library: { noLatestTag: {} } };
  const kind = { apiVersion: "config.gatehouse.dev/v1alpha1", kind: "AdmissionServerConfiguration" };
  await writeFile(config, JSON.stringify({ ...kind, hooks: [hook] }));
  const scan = `'${process.execPath}' '${admissionScript}' scan --config '${config}' --kubeconfig '${await server.kubeconfigFile()}'`;
  const { code, stdout, stderr } = await startCommand(scan).ended;
  assert.deepEqual([code, stderr], [1, ""]);
  const labels = "  labels:\n    app.kubernetes.io/managed-by: gatehouse-admission\n";
  const metadata = `metadata:\n${labels}  name: gatehouse-admission\n  namespace: default\n`;
  assert.ok(stdout.includes(`kind: PolicyReport\n${metadata}`), stdout);
  assert.match(stdout, /message: 'spec\.containers\[0\]\.image: "c" must say which version it is/);
  assert.match(stdout, /fail: 1\n/);
});
