import assert from "node:assert/strict";
import { copyFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { issueCertificate } from "@gatehouse/component-base/pki";
import { parseYamlDocuments } from "@gatehouse/envelopes/codec";
import { type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import type { ControlPlane } from "@gatehouse/testing";
import { freePort } from "../support/free-port.js";
import { admissionScript, startHookServer } from "../support/hook-server.js";
import { type CommandResult, type RunningCommand, startCommand } from "../support/running-command.js";
import { define, definitionsPath, sampleDefinition, send as sendTo } from "../support/sample-definition.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

// Commands of the toolkit that change a cluster, against a real API server that then calls what they have set up.

let server: ControlPlane;
let folder: string;
let kubeconfigFile: string;
const toolkit = import.meta.resolve("@gatehouse/webhooks");

/** An address of this machine that endpoints may have: loopback ones are refused. */
const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

before(async () => {
  server = await startTestServer({ flags: ["--service-cluster-ip-range=127.78.0.0/24"] });
  folder = server.folder;
  kubeconfigFile = await server.kubeconfigFile();
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

const start = (...args: string[]): RunningCommand => startWith(kubeconfigFile, ...args);

function startWith(kubeconfig: string, ...args: string[]): RunningCommand {
  const words = [process.execPath, admissionScript, ...args, `--kubeconfig=${kubeconfig}`];
  return startCommand(`exec ${words.map((word) => `'${word}'`).join(" ")}`);
}

const run = (...args: string[]): Promise<CommandResult> => start(...args).ended;

/** Returns the message that refuses the creation of a ConfigMap in a dry run; undefined if it is allowed. */
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

test("scan puts stored objects to policies of files, with parameters and namespaces of the cluster", async () => {
  const metadata = { name: "policed", labels: { tier: "one" } };
  await make("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata });
  const configMap = (name: string, data: object) =>
    make("/api/v1/namespaces/policed/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data });
  await configMap("limits", { max: "1" });
  await configMap("small", { a: "1" });
  await configMap("large", { a: "1", b: "2" });
  const file = join(folder, "policies.json");
  const secrets = "authorizer.group('').resource('secrets').check('get').allowed()";
  const items = [
    ...policyWithBinding("limit", {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      validations: [
        {
          expression: "object.data.size() <= int(params.data.max)",
          messageExpression: "'more than ' + params.data.max",
        },
      ],
    }),
    ...policyWithBinding("asking", { validations: [{ expression: secrets }] }),
  ];
  await writeFile(file, JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  const module = join(folder, "scanned-conditions.mjs");
  await writeFile(module, conditionedModule("scanned", "object.metadata.name == 'large'"));
  const { code, stdout, stderr } = await run("scan", `--policies=${file}`, `--module=${module}`);
  assert.deepEqual([code, stderr], [1, ""]);
  const reports = await parseYamlDocuments(stdout);
  const report = reports
    .map(({ value }) => value as JsonObject)
    .find((each) => textAt(each, "metadata", "namespace") === "policed");
  const results = listAt(report, "results").map((result) => [
    textAt(result, "policy"),
    textAt(listAt(result, "resources")[0], "name"),
    textAt(result, "result"),
    textAt(result, "message").replace(/^.*denied request: /, ""),
  ]);
  const excluded = "is not asked: its match conditions exclude the object";
  const unknown = "cannot be told by a scan, since it asks for the variable authorizer";
  const about = (name: string) => results.filter(([, object]) => object === name).sort();
  assert.deepEqual(about("large"), [
    ["asking.example.com", "large", "skip", unknown],
    ["limit.example.com", "large", "fail", "more than 1"],
    ["scanned.example.com", "large", "fail", "by the hook"],
  ]);
  // Objects that pass are counted, not listed.
  assert.deepEqual(about("small"), [
    ["asking.example.com", "small", "skip", unknown],
    ["scanned.example.com", "small", "skip", excluded],
  ]);
});

test("scan puts stored objects to definitions of files, which need not be those of the cluster", async () => {
  const group = "scanned.example.com";
  await define(server, sampleDefinition("alarms", "Alarm", group));
  const alarm = (name: string, cron: string) =>
    make(`/apis/${group}/v1/namespaces/default/alarms`, {
      ...{ apiVersion: `${group}/v1`, kind: "Alarm", metadata: { name }, spec: { cron } },
    });
  await alarm("daily", "0 5 * * *");
  await alarm("odd", "never");
  const rule = { rule: "self.cron != 'never'", message: "must ring some day" };
  const cron = { type: "string" };
  const spec = { type: "object", properties: { cron }, "x-kubernetes-validations": [rule] };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
  const versions = [{ name: "v1", served: true, storage: true, schema }];
  const file = join(folder, "stricter.json");
  await writeFile(file, JSON.stringify(sampleDefinition("alarms", "Alarm", group, { versions })));
  const { code, stdout, stderr } = await run("scan", `--policies=${file}`);
  assert.deepEqual([code, stderr], [1, ""]);
  const [report] = (await parseYamlDocuments(stdout)).map(({ value }) => value as JsonObject);
  assert.deepEqual(report?.["summary"], { pass: 1, fail: 1, warn: 0, error: 0, skip: 0 });
  assert.deepEqual(
    listAt(report, "results").map((result) => [textAt(result, "policy"), textAt(result, "message")]),
    [
      [
        "alarms.scanned.example.com",
        'Alarm.scanned.example.com "odd" is invalid: spec: Invalid value: "object": must ring some day',
      ],
    ],
  );
});

/** A policy about ConfigMaps in namespaces of the label `tier: one`, with its binding. */
function policyWithBinding(name: string, spec: JsonObject): JsonObject[] {
  const apiVersion = "admissionregistration.k8s.io/v1beta1";
  const metadata = { name: `${name}.example.com` };
  const resourceRules = [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }];
  const binding = {
    policyName: metadata.name,
    validationActions: ["Deny"],
    matchResources: { namespaceSelector: { matchLabels: { tier: "one" } } },
    ...(spec["paramKind"] === undefined ? {} : { paramRef: { name: "limits", parameterNotFoundAction: "Deny" } }),
  };
  return [
    { apiVersion, kind: "ValidatingAdmissionPolicy", metadata, spec: { matchConstraints: { resourceRules }, ...spec } },
    { apiVersion, kind: "ValidatingAdmissionPolicyBinding", metadata, spec: binding },
  ];
}

/** A module with a hook that denies those ConfigMaps of some namespaces that meet an expression. */
const conditionedModule = (name: string, expression: string): string => `
import { deny, validatingHook, validator } from ${JSON.stringify(toolkit)};
export const hooks = [validatingHook({
  name: "${name}.example.com",
  rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
  namespaceSelector: { matchLabels: { hooks: "${name}" } },
  matchConditions: [{ name: "condition", expression: ${JSON.stringify(expression)} }],
  handler: validator(() => deny("by the hook")),
})];
`;

test("a server asks registered hooks only about requests that meet their match conditions", async () => {
  await namespaceOf("conditioned", "conditioned");
  const module = join(folder, "conditioned.mjs");
  await writeFile(module, conditionedModule("conditioned", "'asked' in object.data"));
  // Nobody listens there: to be asked is to fail.
  const register = await run(
    "register",
    `--module=${module}`,
    "--name=conditioned",
    "--url=https://127.0.0.1:1",
    "--apply",
  );
  const stdout = "ValidatingWebhookConfiguration conditioned applied\n";
  assert.deepEqual(register, { code: 0, stdout, stderr: "" });
  const create = (data: object) => {
    const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data };
    return send("POST", "/api/v1/namespaces/conditioned/configmaps?dryRun=All", configMap);
  };
  const message = await until("the hook is asked", async () => (await create({ asked: "yes" })).body.message);
  assert.match(message, /failed calling webhook "conditioned\.example\.com"/);
  assert.equal((await create({ other: "yes" })).code, 201);
});

/** Starts `dev` on hooks that deny ConfigMaps of the namespaces of that name, and converters of Timers. */
async function develop(name: string, { kubeconfig = kubeconfigFile, flags = [] as readonly string[] } = {}) {
  await namespaceOf(name, name);
  const project = join(folder, name);
  await mkdir(project);
  const module = join(project, "hooks.mjs");
  await writeFile(module, moduleText(name, "first"));
  await define(server, timers(`${name}.example.com`));
  const again = (port: number): RunningCommand =>
    startWith(
      kubeconfig,
      "dev",
      `--name=${name}`,
      `--module=${module}`,
      `--watch=${project}`,
      `--port=${port}`,
      `--data-dir=${join(folder, "dev")}`,
      ...flags,
    );
  const told = (message: string): string => `admission webhook "${name}.example.com" denied the request: ${message}`;
  const isServed = (message: string, { stdout, stderr }: RunningCommand) =>
    until(`the hook denies: ${stdout()}${stderr()}`, async () => (await denial(name)) === told(message));
  return { module, again, isServed, development: again(await freePort()) };
}

const takenBack = (name: string): string =>
  `ValidatingWebhookConfiguration ${name} taken back\nCustomResourceDefinition timers.${name}.example.com taken back\n`;

async function conversionOf(name: string): Promise<unknown> {
  const { body } = await send("GET", `${definitionsPath}/timers.${name}.example.com`);
  return (body.spec as { conversion: { strategy: string } }).conversion.strategy;
}

test("dev registers hooks, serves them, starts them again when their module changes, and takes all back at its end", async () => {
  const { module, isServed, development } = await develop("developed");
  try {
    await isServed("first", development);
    // It is registered after the hooks, which answer by then.
    await until("the conversion is registered", async () => (await conversionOf("developed")) === "Webhook");
    await writeFile(module, moduleText("developed", "second"));
    await isServed("second", development);
    assert.match(development.stdout(), /^something has changed, starting again$/m);
  } finally {
    const { code, stdout } = await development.stop("SIGINT");
    assert.deepEqual([code, stdout.endsWith(takenBack("developed"))], [0, true], stdout);
  }
  assert.equal(await denial("developed"), undefined, "nobody is asked any more");
  assert.equal(await conversionOf("developed"), "None");
});

test("dev on this machine listens at the address that it registers, and at no other", async () => {
  const port = await freePort();
  const { again, isServed, development } = await develop("alone");
  await development.stop("SIGINT");
  const running = again(port);
  try {
    await isServed("first", running);
    const connects = (host: string) =>
      new Promise<boolean>((resolve) => {
        const socket = connect({ host, port });
        socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
        socket.once("connect", () => socket.destroy());
      });
    assert.deepEqual([await connects("127.0.0.1"), await connects("127.0.0.2")], [true, false]);
  } finally {
    await running.stop("SIGINT");
  }
});

test("dev serves what was saved by replacement, each time, and what mends a build that has failed", async () => {
  // A compiler in miniature: it refuses what does not parse.
  const build = `"${process.execPath}" --check "${join(folder, "replaced", "hooks.mjs")}"`;
  const { module, isServed, development } = await develop("replaced", { flags: [`--build=${build}`] });
  const replace = async (text: string): Promise<void> => {
    await writeFile(`${module}.new`, text);
    await rename(`${module}.new`, module);
  };
  try {
    await isServed("first", development);
    for (const message of ["second", "third"]) {
      await replace(moduleText("replaced", message));
      await isServed(message, development);
    }
    await replace("export const hooks = [");
    await until("the failed build is told", async () =>
      development.stderr().includes("the build has failed; what was served before goes on"),
    );
    await isServed("third", development);
    await replace(moduleText("replaced", "fourth"));
    await isServed("fourth", development);
  } finally {
    assert.equal((await development.stop("SIGINT")).code, 0);
  }
});

test("what a killed dev has left, hooks that end with it and a registration, the next one replaces", async () => {
  const { again, isServed, development } = await develop("killed");
  await isServed("first", development);
  process.kill(development.pid, "SIGKILL");
  await development.ended;
  const failed = 'failed calling webhook "killed.example.com"';
  await until("the hooks have ended", async () => (await denial("killed"))?.includes(failed));
  const next = again(await freePort());
  try {
    await isServed("first", next);
    assert.match(next.stdout(), /^an earlier run has left killed registered: it is replaced\n/);
    const { code, stderr } = await again(await freePort()).ended;
    assert.equal(code, 1);
    const refusal =
      /^gatehouse-admission: flags: --name: killed is registered for https:\/\/127\.0\.0\.1:\d+, which answers: end that one, or take another name\n$/;
    assert.match(stderr, refusal);
  } finally {
    assert.equal((await next.stop("SIGINT")).code, 0);
  }
  assert.equal(await denial("killed"), undefined);
});

test("dev that cannot reach its cluster at its end says so, and unregister takes back what it has left", async () => {
  const kubeconfig = join(folder, "kubeconfig-of-dev");
  await copyFile(kubeconfigFile, kubeconfig);
  const { isServed, development } = await develop("left", { kubeconfig });
  await isServed("first", development);
  const text = await readFile(kubeconfig, "utf8");
  await writeFile(kubeconfig, text.replace(/https:\/\/127\.0\.0\.1:\d+/, "https://127.0.0.1:1"));
  const { code, stderr } = await development.stop("SIGTERM");
  assert.equal(code, 1);
  const told =
    /\nthe registration could not be taken back: .*ECONNREFUSED.*\nonce the API server is there: gatehouse-admission unregister --name=left\n/;
  assert.match(stderr, told);
  const unregister = () => run("unregister", "--name=left");
  assert.deepEqual(await unregister(), { code: 0, stdout: takenBack("left"), stderr: "" });
  assert.deepEqual(await unregister(), { code: 0, stdout: "nothing is registered as left\n", stderr: "" });
});

test("dev leaves alone what somebody else has registered under its name", async () => {
  const path = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
  const kind = { apiVersion: "admissionregistration.k8s.io/v1", kind: "MutatingWebhookConfiguration" };
  await make(path, { ...kind, metadata: { name: "taken" }, webhooks: [] });
  const { code, stderr } = await (await develop("taken")).development.ended;
  const refusal =
    "--name: MutatingWebhookConfiguration taken is there and was made by somebody else: take another name";
  assert.deepEqual([code, stderr], [1, `gatehouse-admission: flags: ${refusal}\n`]);
  assert.equal((await run("unregister", "--name=taken")).stdout, "nothing is registered as taken\n");
  assert.equal((await send("GET", `${path}/taken`)).code, 200);
});

test("dev whose port is taken registers nothing", async () => {
  const { again, development } = await develop("portless");
  assert.equal((await development.stop("SIGKILL")).code, null);
  const { code, stderr } = await again(Number(new URL(server.url).port)).ended;
  assert.equal(code, 1);
  assert.match(stderr, /listen EADDRINUSE[^\n]*\nthe hooks could not be served, and were not registered\n$/);
  assert.equal((await run("unregister", "--name=portless")).stdout, "nothing is registered as portless\n");
});

test("dev tells of a folder for its certificates that cannot be made, and registers nothing", {
  skip: process.platform !== "linux" && "only Linux has /proc",
}, async () => {
  const { development } = await develop("keyless", { flags: ["--data-dir=/proc/gatehouse/dev"] });
  const { code, stderr } = await development.ended;
  const message = "gatehouse-admission: ENOENT: no such file or directory, mkdir '/proc/gatehouse'\n";
  assert.deepEqual([code, stderr], [1, message]);
  assert.equal((await run("unregister", "--name=keyless")).stdout, "nothing is registered as keyless\n");
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
