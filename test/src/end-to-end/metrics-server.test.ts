import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findKubectls } from "../support/kubectls.js";
import { type RunningCommand, startCommand } from "../support/running-command.js";
import { showLogOnFailure } from "../support/show-log-on-failure.js";
import { until } from "../support/until.js";

// The example metrics-server as its README starts it: behind a control plane of its own.

const run = promisify(execFile);
const kubectl = (await findKubectls()).at(-1)?.path;
const options = kubectl === undefined ? { skip: "there is no kubectl" } : {};
const folder = fileURLToPath(new URL("../../../examples/metrics-server", import.meta.url));
let running: RunningCommand;

before(async () => {
  running = startCommand(`exec '${process.execPath}' dist/dev.js`, { folder, env: process.env });
  showLogOnFailure(() => `${running.stdout()}${running.stderr()}`);
  await until("the server is registered", () => running.stdout().includes("top node"));
});
after(() => running?.stop());

/** Runs kubectl with the kubeconfig that the program has printed. */
async function ask(...args: readonly string[]): Promise<string> {
  const kubeconfig = /--kubeconfig=\S+/.exec(running.stdout())?.[0] ?? "";
  return (await run(kubectl ?? "", [kubeconfig, ...args])).stdout;
}

test("kubectl top shows the usage of nodes and of the containers of pods", options, async () => {
  const name = "worker-1";
  const node = { apiVersion: "v1", kind: "Node", metadata: { name } };
  const created = startCommand(`'${kubectl}' ${/--kubeconfig=\S+/.exec(running.stdout())?.[0]} create -f -`, {
    stdin: JSON.stringify({ ...node, status: { allocatable: { cpu: "1", memory: "2Gi" } } }),
  });
  assert.equal((await created.ended).code, 0, created.stderr());
  assert.match(await ask("top", "node"), /^NAME .*\nworker-1 +250m +25% +1024Mi +50% *\n$/);
  assert.match(await ask("top", "pod", "-n", "shop"), /^NAME .*\nweb-0 +120m +96Mi *\n$/);
  assert.match(await ask("top", "pod", "web-0", "-n", "shop", "--containers"), /web-0 +proxy +20m +32Mi/);
});

test("metrics are computed: they can be read, and no other verb is offered", options, async () => {
  const { resources } = JSON.parse(await ask("get", "--raw", "/apis/metrics.k8s.io/v1beta1")) as {
    readonly resources: readonly { readonly name: string; readonly verbs: readonly string[] }[];
  };
  assert.deepEqual(
    resources.map(({ name, verbs }) => [name, verbs]),
    [
      ["nodes", ["get", "list"]],
      ["pods", ["get", "list"]],
    ],
  );
  await assert.rejects(ask("delete", "podmetrics.metrics.k8s.io", "web-0", "-n", "shop"), /MethodNotAllowed/);
  await assert.rejects(ask("get", "podmetrics", "none", "-n", "shop"), /NotFound/);
});

test("the roles of the front decide who may read metrics", options, async () => {
  const impersonated = ask("get", "podmetrics", "-n", "shop", "--as=jane");
  await assert.rejects(impersonated, /User "jane" cannot list resource "pods" in API group "metrics\.k8s\.io"/);
});
