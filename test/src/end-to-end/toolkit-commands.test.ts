import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { issueCertificate } from "@gatehouse/component-base";
import type { JsonObject } from "@gatehouse/envelopes";
import { freePort } from "../support/free-port.js";
import { admissionScript, startHookServer } from "../support/hook-server.js";
import { type CommandResult, type RunningCommand, startCommand } from "../support/running-command.js";
import { define, definitionsPath, sampleDefinition, send as sendTo } from "../support/sample-definition.js";
import { startTestServer, type TestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

// Commands of the toolkit that change a cluster, against a real API server that then calls what they have set up.

let server: TestServer;
let folder: string;
const toolkit = pathToFileURL(admissionScript.replace(/main\.js$/, "index.js")).href;

/** An address of this machine that endpoints may have: loopback ones are refused. */
const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

before(async () => {
  server = await startTestServer({ flags: ["--service-cluster-ip-range=127.78.0.0/24"] });
  folder = server.folder;
});

after(async () => await server?.stop());

interface Answer {
  readonly message?: string;
  readonly spec?: unknown;
  readonly summary?: unknown;
  readonly data?: Readonly<Record<string, string>>;
  readonly items?: readonly { readonly metadata: { readonly name: string } }[];
  readonly webhooks?: readonly { readonly clientConfig: { readonly caBundle: string } }[];
}

async function send(method: string, path: string, body?: object) {
  const answer = await sendTo(server, method, path, body as JsonObject | undefined);
  return { code: answer.status, body: answer.body as Answer };
}

async function make(path: string, body: object): Promise<void> {
  const { code, body: made } = await send("POST", path, body);
  assert.equal(code, 201, made.message);
}

function start(...args: string[]): RunningCommand {
  const words = [process.execPath, admissionScript, ...args, `--kubeconfig=${server.kubeconfigPath}`];
  return startCommand(`exec ${words.map((word) => `'${word}'`).join(" ")}`);
}

const run = (...args: string[]): Promise<CommandResult> => start(...args).ended;

/** What the creation of a ConfigMap is told, seemingly. */
async function denial(namespace = "default"): Promise<string | undefined> {
  const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
  const { code, body } = await send("POST", `/api/v1/namespaces/${namespace}/configmaps?dryRun=All`, configMap);
  return code === 201 ? undefined : body.message;
}

/** A module with a hook that denies ConfigMaps of some namespaces, and converters of a kind that says `text` in v2 for `cron`. */
const moduleText = (name: string, message: string): string => `
import { converter, deny, validatingHook, validator } from ${JSON.stringify(toolkit)};
export const hooks = [validatingHook({
  name: "${name}.example.com",
  rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
  namespaceSelector: { matchLabels: { hooks: "${name}" } },
  handler: validator(() => deny("${message}")),
})];
const names = { resource: "timers", group: "${name}.example.com", kind: "Timer" };
const renamed = (from, to) => ({ metadata, spec: { [from]: value, ...spec } }) => ({ metadata, spec: { ...spec, [to]: value } });
export const converters = [
  converter({ ...names, from: "v1", to: "v2", convert: renamed("cron", "text") }),
  converter({ ...names, from: "v2", to: "v1", convert: renamed("text", "cron") }),
];
`;

const namespaceOf = (name: string, hooks: string) =>
  make("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name, labels: { hooks } } });

/** Two versions of Timers, which differ. */
const timers = (group: string): JsonObject => {
  const version = (name: string, member: string) => {
    const spec = { type: "object", properties: { [member]: { type: "string" } } };
    return {
      name,
      served: true,
      storage: name === "v1",
      schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
    };
  };
  return sampleDefinition("timers", "Timer", group, { versions: [version("v1", "cron"), version("v2", "text")] });
};

test("rotate gives hooks behind a Service new certificates, and neither the old nor the new ones are ever refused", {
  skip: ownAddress === undefined && "this machine has no address but loopback ones",
}, async () => {
  await namespaceOf("rotated", "rotated");
  const module = join(folder, "rotated.mjs");
  await writeFile(module, moduleText("rotated", "by a service"));
  const stored = await makeEndingSecret();
  const files = {
    "ca.crt": join(folder, "rotated-ca.crt"),
    "tls.crt": join(folder, "rotated.crt"),
    "tls.key": join(folder, "rotated.key"),
  };
  const writeFiles = (data: Readonly<Record<string, string>>) =>
    Promise.all(Object.entries(files).map(([key, file]) => writeFile(file, Buffer.from(data[key] ?? "", "base64"))));
  await writeFiles(stored);
  const serve = () =>
    startHookServer([
      `--module=${module}`,
      `--tls-cert-file=${files["tls.crt"]}`,
      `--tls-private-key-file=${files["tls.key"]}`,
      "--allow-any-caller",
      "--logging-format=text",
    ]);
  const rotate = () => run("rotate", `--module=${module}`, "--service=rotated/hooks", "--name=rotated");
  await define(server, timers("rotated.example.com"));
  await make("/api/v1/namespaces/rotated/services", {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "hooks" },
    spec: { ports: [{ port: 443 }] },
  });
  {
    await using hooks = await serve();
    await make("/apis/discovery.k8s.io/v1/namespaces/rotated/endpointslices", sliceAt(hooks.url));
    assert.deepEqual(await rotate(), { code: 0, stdout: "certificates renewed, hooks registered\n", stderr: "" });
    // The hooks' own namespace is left alone.
    assert.equal(await denial("rotated"), undefined);
    await namespaceOf("rotated-user", "rotated");
    const told = 'admission webhook "rotated.example.com" denied the request: by a service';
    assert.equal(await until("the hook is asked", () => denial("rotated-user")), told, "with the old certificate");
    const { data = {} } = (await send("GET", "/api/v1/namespaces/rotated/secrets/gatehouse-admission-tls")).body;
    const timersPath = (version: string) => `/apis/rotated.example.com/${version}/namespaces/rotated/timers`;
    const timer = {
      apiVersion: "rotated.example.com/v1",
      kind: "Timer",
      metadata: { name: "t" },
      spec: { cron: "* *" },
    };
    await make(timersPath("v1"), timer);
    const converted = await send("GET", `${timersPath("v2")}/t`);
    assert.deepEqual([converted.code, converted.body.spec], [200, { text: "* *" }], converted.body.message);
    assert.notEqual(data["tls.crt"], stored["tls.crt"]);
    const path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/rotated";
    const { webhooks = [] } = (await send("GET", path)).body;
    const bundle = Buffer.from(webhooks[0]?.clientConfig.caBundle ?? "", "base64").toString();
    assert.equal(bundle.match(/BEGIN CERTIFICATE/g)?.length, 2);
    await writeFiles(data);
  }
  await using hooks = await serve();
  await send("DELETE", "/apis/discovery.k8s.io/v1/namespaces/rotated/endpointslices/hooks");
  await make("/apis/discovery.k8s.io/v1/namespaces/rotated/endpointslices", sliceAt(hooks.url));
  await until("the hook is asked where it is now", async () =>
    /by a service$/.test((await denial("rotated-user")) ?? ""),
  );
  assert.equal((await rotate()).stdout, "certificates are good, hooks registered\n");
});

test("scan --apply leaves its reports in the cluster, and the next scan replaces them", async () => {
  const anything = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const versions = [{ name: "v1alpha2", served: true, storage: true, schema: anything }];
  const group = "wgpolicyk8s.io";
  for (const [plural, kind, scope] of [
    ["policyreports", "PolicyReport", "Namespaced"],
    ["clusterpolicyreports", "ClusterPolicyReport", "Cluster"],
  ] as const) {
    await make(definitionsPath, sampleDefinition(plural, kind, group, { versions, scope }));
    await until("it is served", async () => (await send("GET", `/apis/${group}/v1alpha2/${plural}`)).code === 200);
  }
  await make("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: "scanned" } });
  await make("/api/v1/namespaces/scanned/serviceaccounts", {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: "a" },
  });
  const pods = "/api/v1/namespaces/scanned/pods";
  const pod = (name: string, image: string) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: { serviceAccountName: "a", containers: [{ name: "c", image }] },
  });
  await make(pods, pod("old", "c"));
  await make(pods, pod("good", "c:1"));
  const config = join(folder, "scan.json");
  const kind = { apiVersion: "config.gatehouse.dev/v1alpha1", kind: "AdmissionServerConfiguration" };
  const hook = { name: "no-latest-tag.example.com", library: { noLatestTag: {} } };
  await writeFile(config, JSON.stringify({ ...kind, hooks: [hook] }));
  const scan = () => run("scan", `--config=${config}`, "--apply");
  const summary = async () =>
    (await send("GET", `/apis/${group}/v1alpha2/namespaces/scanned/policyreports/gatehouse-admission`)).body.summary;
  const stdout = "PolicyReport scanned/gatehouse-admission applied\n";
  assert.deepEqual(await scan(), { code: 1, stdout, stderr: "" });
  assert.deepEqual(await summary(), { pass: 1, fail: 1, warn: 0, error: 0, skip: 0 });
  await send("DELETE", `${pods}/old`, { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0 });
  assert.deepEqual(await scan(), { code: 0, stdout, stderr: "" });
  assert.deepEqual(await summary(), { pass: 1, fail: 0, warn: 0, error: 0, skip: 0 });

  // Where nothing is left to report, a report that says so of what is gone would be wrong. Those of others stay.
  const reports = `/apis/${group}/v1alpha2/namespaces/scanned/policyreports`;
  const labels = { "app.kubernetes.io/managed-by": "gatehouse-admission" };
  const others = [
    { name: "of-another-scan", labels },
    { name: "of-another-program", labels: { "app.kubernetes.io/managed-by": "kyverno" } },
  ];
  for (const metadata of others) {
    await make(reports, { apiVersion: `${group}/v1alpha2`, kind: "PolicyReport", metadata });
  }
  await send("DELETE", `${pods}/good`, { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0 });
  assert.deepEqual(await scan(), {
    code: 0,
    stdout: "PolicyReport scanned/gatehouse-admission removed: nothing to report any more\n",
    stderr: "nothing to report: no stored object concerns the hooks\n",
  });
  const { items = [] } = (await send("GET", reports)).body;
  assert.deepEqual(
    items.map(({ metadata }) => metadata.name),
    ["of-another-program", "of-another-scan"],
  );
});

test("dev registers hooks, serves them, and starts them again when their module changes", async () => {
  await namespaceOf("developed", "developed");
  const project = join(folder, "project");
  await mkdir(project);
  const module = join(project, "hooks.mjs");
  await writeFile(module, moduleText("developed", "first"));
  await define(server, timers("developed.example.com"));
  const development = start(
    "dev",
    `--module=${module}`,
    `--watch=${project}`,
    `--port=${await freePort()}`,
    `--data-dir=${join(folder, "dev")}`,
  );
  try {
    const told = (message: string): string =>
      `admission webhook "developed.example.com" denied the request: ${message}`;
    await until(`the hook denies: ${development.stderr()}`, async () => (await denial("developed")) === told("first"));
    await writeFile(module, moduleText("developed", "second"));
    await until("it is the changed one", async () => (await denial("developed")) === told("second"));
    assert.match(development.stdout(), /^something has changed, starting again$/m);
  } finally {
    assert.equal((await development.stop("SIGINT")).code, 0);
  }
  const failed = 'failed calling webhook "developed.example.com"';
  assert.ok((await denial("developed"))?.includes(failed), "the hooks have ended with it");
});

test("dev ends at once where there is no cluster to register with", async () => {
  const module = join(folder, "unregistered.mjs");
  await writeFile(module, moduleText("unregistered", "first"));
  const kubeconfig = join(folder, "no-such-kubeconfig");
  const flags = [
    `--module=${module}`,
    `--watch=${folder}`,
    `--port=${await freePort()}`,
    `--data-dir=${join(folder, "dev")}`,
  ];
  const words = [process.execPath, admissionScript, "dev", ...flags, `--kubeconfig=${kubeconfig}`];
  const { code, stderr } = await startCommand(words.map((word) => `'${word}'`).join(" ")).ended;
  assert.equal(code, 1);
  assert.ok(stderr.includes(`gatehouse-admission: kubeconfig: ${kubeconfig}: cannot be read (ENOENT)\n`), stderr);
});

/** Certificates of the hooks that end too soon. */
async function makeEndingSecret(): Promise<Readonly<Record<string, string>>> {
  const times = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 86_400_000) };
  const authority = await issueCertificate({ subject: { kind: "authority", commonName: "old" }, ...times });
  const dnsNames = ["hooks.rotated.svc", "hooks.rotated.svc.cluster.local"];
  const subject = { kind: "server", commonName: "hooks", dnsNames, ipAddresses: [] } as const;
  const served = await issueCertificate({ subject, issuer: authority, ...times });
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  const data = {
    "ca.crt": base64(authority.certificatePem),
    "tls.crt": base64(served.certificatePem),
    "tls.key": base64(served.keyPem),
  };
  await make("/api/v1/namespaces/rotated/secrets", {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "gatehouse-admission-tls" },
    type: "kubernetes.io/tls",
    data,
  });
  return data;
}

function sliceAt(url: string): object {
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { name: "hooks", labels: { "kubernetes.io/service-name": "hooks" } },
    addressType: "IPv4",
    endpoints: [{ addresses: [ownAddress] }],
    ports: [{ name: "", port: Number(new URL(url).port) }],
  };
}
