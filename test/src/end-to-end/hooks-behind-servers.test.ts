import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { admissionScript, createHookPki, type HookServer, startHookServer } from "../support/hook-server.js";
import { findKubectls } from "../support/kubectls.js";
import { noPeer, startPeerServer } from "../support/peer-server.js";
import { type CommandResult, startCommand } from "../support/running-command.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

// The hooks of the library, called over HTTPS with a client certificate: by a real kube-apiserver, and by ours.

interface CallingServer extends AsyncDisposable {
  kubeconfigFile(): Promise<string>;
}

interface Caller {
  readonly name: string;
  readonly skip: string | false;
  readonly start: (flags: readonly string[]) => Promise<CallingServer>;
}

const noKubectl = (await findKubectls()).length === 0 ? "no kubectl on PATH" : false;

const callers: readonly Caller[] = [
  {
    name: "our API server",
    skip: noKubectl,
    start: (flags) => startTestServer({ flags: [...flags, "--disable-admission-plugins=ServiceAccount"] }),
  },
  { name: "a real kube-apiserver", skip: noPeer ?? noKubectl, start: startPeerServer },
];

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

const pod = (name: string, image: string, annotations = ""): string => `
apiVersion: v1
kind: Pod
metadata: {name: ${name}, annotations: {${annotations}}}
spec:
  containers: [{name: app, image: "${image}"}]
`;

for (const { name, skip, start } of callers) {
  describe(`behind ${name}`, { skip }, () => hooksAreCalled(start));
}

function hooksAreCalled(start: Caller["start"]): void {
  let folder: string;
  let server: CallingServer;
  let hooks: HookServer;

  async function kubectl(args: string, stdin = ""): Promise<CommandResult> {
    return await startCommand(`kubectl --kubeconfig '${await server.kubeconfigFile()}' ${args}`, { stdin }).ended;
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-hooks-"));
    const config = join(folder, "admission.yaml");
    await writeFile(config, configuration);
    const pki = await createHookPki(folder);
    [hooks, server] = await Promise.all([
      startHookServer([`--config=${config}`, ...pki.servingFlags]),
      start([`--admission-control-config-file=${pki.admissionConfigFile}`]),
    ]);
    const register = `'${process.execPath}' '${admissionScript}' register --config '${config}' --url ${hooks.url} --ca-file '${pki.caFile}'`;
    const printed = await startCommand(register).ended;
    const created = await kubectl("create -f -", printed.stdout);
    assert.equal(created.code, 0, created.stderr);
    const applied = await startCommand(`${register} --apply --kubeconfig '${await server.kubeconfigFile()}'`).ended;
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
    await server?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  test("a denial reaches the person at the keyboard in the hook's words", async () => {
    const { code, stderr } = await kubectl("create -f -", pod("latest", "nginx:latest"));
    assert.equal(code, 1);
    assert.equal(
      stderr.split("\n").at(-2),
      'Error from server (Forbidden): error when creating "STDIN": admission webhook "no-latest-tag.policies.example.com" denied the request: spec.containers[0].image: "nginx:latest" must say which version it is, by a tag other than latest',
    );
  });

  test("a rule for pods meets deployments as well", async () => {
    const { stderr } = await kubectl("create deployment web --image=nginx");
    assert.match(stderr, /admission webhook "no-latest-tag\.policies\.example\.com" denied the request/);
  });

  test("a hook that warns is heard, and refuses nothing", async () => {
    const { code, stderr } = await kubectl("create -f -", pod("warned", "nginx:1.25"));
    assert.equal(code, 0);
    assert.equal(
      stderr,
      "Warning: resource-limits.policies.example.com would deny this: spec.containers[0].resources.limits.cpu: is required; spec.containers[0].resources.limits.memory: is required\n",
    );
  });

  test("what a mutating hook adds is stored", async () => {
    const manifest = pod("sidecar", "nginx:1.25", '"sidecar.gatehouse.dev/inject": "true"');
    assert.equal((await kubectl("create -f -", manifest)).code, 0);
    const { stdout } = await kubectl("get pod sidecar -o jsonpath='{.spec.containers[*].name}'");
    assert.equal(stdout, "app proxy");
  });

  test("an exception lets through what the hook would refuse", async () => {
    assert.equal((await kubectl("create -f -", pod("old", "nginx"))).code, 0);
  });
}
