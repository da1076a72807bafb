import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { admissionScript, createHookPki, type HookServer, startHookServer } from "../support/hook-server.js";
import { noPeer, type PeerServer, startPeerServer } from "../support/peer-server.js";
import { type CommandResult, startCommand } from "../support/running-command.js";
import { until } from "../support/until.js";

// The hooks of the library, called by a real kube-apiserver over HTTPS with a client certificate.

const skip = noPeer ?? false;
let folder: string;
let peer: PeerServer;
let hooks: HookServer;

const configuration = `
apiVersion: config.gatehouse.dev/v1alpha1
kind: AdmissionServerConfiguration
hooks:
- name: no-latest-tag.policies.example.com
  library: {noLatestTag: {}}
  exceptions:
  - {reason: "moves next month", expires: "2999-01-01T00:00:00Z", names: [old]}
- name: resource-limits.policies.example.com
  mode: Warn
  library: {resourceLimits: {}}
- name: sidecar.policies.example.com
  library:
    sidecarInjector:
      containers: [{name: proxy, image: "registry.example.com/proxy:1"}]
`;

async function kubectl(args: string, stdin = ""): Promise<CommandResult> {
  return await startCommand(`kubectl --kubeconfig '${peer.kubeconfigPath}' ${args}`, { stdin }).ended;
}

const pod = (name: string, image: string, annotations = ""): string => `
apiVersion: v1
kind: Pod
metadata: {name: ${name}, annotations: {${annotations}}}
spec:
  containers: [{name: app, image: "${image}"}]
`;

before(async () => {
  if (skip !== false) {
    return;
  }
  folder = await mkdtemp(join(tmpdir(), "gatehouse-hooks-"));
  const config = join(folder, "admission.yaml");
  await writeFile(config, configuration);
  const pki = await createHookPki(folder);
  [hooks, peer] = await Promise.all([
    startHookServer([`--config=${config}`, ...pki.servingFlags]),
    startPeerServer([`--admission-control-config-file=${pki.admissionConfigFile}`]),
  ]);
  const register = `'${process.execPath}' '${admissionScript}' register --config '${config}' --url ${hooks.url} --ca-file '${pki.caFile}'`;
  const printed = await startCommand(register).ended;
  const created = await kubectl("create -f -", printed.stdout);
  assert.equal(created.code, 0, created.stderr);
  const applied = await startCommand(`${register} --apply --kubeconfig '${peer.kubeconfigPath}'`).ended;
  assert.deepEqual(
    [applied.code, applied.stdout],
    [
      0,
      "MutatingWebhookConfiguration gatehouse-admission applied\nValidatingWebhookConfiguration gatehouse-admission applied\n",
    ],
  );
  await until("the hooks are called", async () =>
    (await kubectl("create --dry-run=server -f -", pod("probe", "nginx"))).stderr.includes("denied the request"),
  );
});

after(async () => {
  await hooks?.[Symbol.asyncDispose]();
  await peer?.[Symbol.asyncDispose]();
  if (folder !== undefined) {
    await rm(folder, { recursive: true, force: true });
  }
});

test("a denial reaches the person at the keyboard in the hook's words", { skip }, async () => {
  const { code, stderr } = await kubectl("create -f -", pod("latest", "nginx:latest"));
  assert.equal(code, 1);
  assert.equal(
    stderr.split("\n").at(-2),
    'Error from server (Forbidden): error when creating "STDIN": admission webhook "no-latest-tag.policies.example.com" denied the request: spec.containers[0].image: "nginx:latest" must say which version it is, by a tag other than latest',
  );
});

test("a rule for pods meets deployments as well", { skip }, async () => {
  const { stderr } = await kubectl("create deployment web --image=nginx");
  assert.match(stderr, /admission webhook "no-latest-tag\.policies\.example\.com" denied the request/);
});

test("a hook that warns is heard, and refuses nothing", { skip }, async () => {
  const { code, stderr } = await kubectl("create -f -", pod("warned", "nginx:1.25"));
  assert.equal(code, 0);
  assert.equal(
    stderr,
    "Warning: resource-limits.policies.example.com would deny this: spec.containers[0].resources.limits.cpu: is required; spec.containers[0].resources.limits.memory: is required\n",
  );
});

test("what a mutating hook adds is stored", { skip }, async () => {
  const manifest = pod("sidecar", "nginx:1.25", '"sidecar.gatehouse.dev/inject": "true"');
  assert.equal((await kubectl("create -f -", manifest)).code, 0);
  const { stdout } = await kubectl("get pod sidecar -o jsonpath='{.spec.containers[*].name}'");
  assert.equal(stdout, "app proxy");
});

test("an exception lets through what the hook would refuse", { skip }, async () => {
  assert.equal((await kubectl("create -f -", pod("old", "nginx"))).code, 0);
});
