import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createHttpClient, type JsonResponse } from "@gatehouse/component-base/http-client";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { openKubectlShell } from "../support/kubectl-shell.js";
import { findKubectls } from "../support/kubectls.js";
import { gatehouseScript, kubectlPluginScript } from "../support/programs.js";
import { type RunningCommand, startCommand } from "../support/running-command.js";
import { showLogOnFailure } from "../support/show-log-on-failure.js";
import { until } from "../support/until.js";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-stack-"));
const stacks: RunningCommand[] = [];
after(async () => {
  await Promise.all(stacks.map((running) => running.stop("SIGKILL")));
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a stack, of the API server alone by default. */
const start = (dataDir: string, without = "--without=admission,image-review,audit-sink"): RunningCommand => {
  const running = startCommand(
    `exec '${process.execPath}' '${gatehouseScript}' --data-dir '${dataDir}' --port=0 ${without}`,
  );
  stacks.push(running);
  showLogOnFailure(() => `${running.stdout()}${running.stderr()}`);
  return running;
};

const isReady = (running: RunningCommand): Promise<true> =>
  until(`the stack is ready; it says: ${running.stderr()}`, () => running.stdout().includes("Ctrl-C stops everything"));

async function ask(dataDir: string, path: string, body?: unknown): Promise<JsonResponse> {
  using client = createHttpClient({ config: await loadKubeconfig(join(dataDir, "kubeconfig")) });
  return await client.requestJson({
    path,
    signal: new AbortController().signal,
    timeoutMs: 60_000,
    ...(body === undefined ? {} : { method: "POST", body }),
  });
}

const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "kept" }, data: { greeting: "hi" } };
const latestPod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "latest" },
  spec: { containers: [{ name: "c", image: "nginx" }] },
};
const configMaps = "/api/v1/namespaces/default/configmaps";

/** The API server is the only child of the supervisor. */
function serverPid(running: RunningCommand): number | undefined {
  try {
    return Number(execFileSync("pgrep", ["-P", String(running.pid)], { encoding: "utf8" }).trim());
  } catch {
    return undefined;
  }
}

/** Ctrl-C in a terminal reaches every process of the group. */
const ctrlC = (running: RunningCommand) => running.stop("SIGINT");

test("a stack starts, is stopped by Ctrl-C, keeps its data, and refuses a second one beside it", async () => {
  const dataDir = join(folder, "kept");
  const first = start(dataDir);
  await isReady(first);
  assert.match(first.stdout(), new RegExp(`^  export KUBECONFIG=${dataDir}/kubeconfig$`, "m"));
  assert.equal((await ask(dataDir, configMaps, configMap)).status, 201);

  const second = await start(dataDir).ended;
  assert.equal(second.code, 1);
  assert.match(
    second.stderr,
    /^gatehouse: another gatehouse \(process \d+\) is already running on the data directory .+\.\n$/,
  );

  const stopped = await ctrlC(first);
  assert.deepEqual([stopped.code, stopped.stderr], [0, ""]);

  const again = start(dataDir);
  await isReady(again);
  assert.equal((await ask(dataDir, `${configMaps}/kept`)).status, 200);
  assert.equal((await ctrlC(again)).code, 0);
});

test("a killed API server is started again with everything that it had acknowledged", async () => {
  const dataDir = join(folder, "killed");
  const running = start(dataDir);
  await isReady(running);
  assert.equal((await ask(dataDir, configMaps, configMap)).status, 201);
  const pid = serverPid(running);
  assert.ok(pid !== undefined);
  process.kill(pid, "SIGKILL");
  await until("another API server runs", () => {
    const now = serverPid(running);
    return now !== undefined && now !== pid;
  });
  await until("it is ready", async () => {
    const answer = await ask(dataDir, `${configMaps}/kept`).catch(() => undefined);
    return answer?.status === 200;
  });
  assert.match(running.stdout(), /^The API server .*SIGKILL.*; starting it again in [\d.]+ s\.$/m);
  assert.equal((await ctrlC(running)).code, 0);
  assert.match(readFileSync(join(dataDir, "apiserver.log"), "utf8"), /shut down/);
});

const kubectls = await findKubectls();
const skip = kubectls.length === 0 ? "there is no kubectl on PATH" : false;

test("what a stack tells people to type works", { skip }, async () => {
  const dataDir = join(folder, "typed");
  const running = start(dataDir, "");
  await isReady(running);
  const newest = kubectls.at(-1);
  assert.ok(newest !== undefined);
  await using shell = await openKubectlShell(newest, join(dataDir, "kubeconfig"));
  const commands = running.stdout().match(/^ {2}kubectl .*$/gm) ?? [];
  const denied = commands.filter((command) => command.includes("# is denied"));
  assert.deepEqual([commands.length, denied.length], [7, 2]);
  const outputs: string[] = [];
  for (const command of commands) {
    outputs.push(await (denied.includes(command) ? shell.fails(command) : shell.ok(command)));
  }
  assert.deepEqual(outputs.slice(3), [
    'Error from server (Forbidden): admission webhook "no-latest-tag.hooks.gatehouse.dev" denied the request: spec.containers[0].image: "nginx:latest" must say which version it is, by a tag other than latest\n',
    "pod/helped created\n",
    "helped log-shipper\n",
    'Error from server (Forbidden): pods "miner" is forbidden: image policy webhook backend denied one or more images: "example.com/cryptominer:1.0" is denied by rule "known-bad": nobody here needs it\n',
  ]);
  const changed = {
    ...latestPod,
    metadata: { name: "blamed", annotations: { "sidecar.gatehouse.dev/inject": "true" } },
  };
  changed.spec = { containers: [{ name: "c", image: "nginx:1.27" }] };
  await shell.write("blamed.json", JSON.stringify(changed));
  const blamed = await shell.ok(`'${process.execPath}' '${kubectlPluginScript}' blame -f blamed.json`);
  assert.match(blamed, /^webhook gatehouse-admission\/sidecar\.hooks\.gatehouse\.dev .* \/spec\/containers\/1$/m);
  assert.equal((await ctrlC(running)).code, 0);
});

test("a stack that is started without its admission server no longer waits for its hooks", { skip }, async () => {
  const dataDir = join(folder, "without");
  const whole = start(dataDir, "");
  await isReady(whole);
  assert.equal((await ctrlC(whole)).code, 0);
  const ports = JSON.parse(readFileSync(join(dataDir, "ports.json"), "utf8"));
  assert.deepEqual(Object.keys(ports), ["admission", "audit-sink", "image-review"]);
  assert.ok(whole.stdout().includes(`\n  https://127.0.0.1:${ports["audit-sink"]}/ `), whole.stdout());
  const alone = start(dataDir);
  await isReady(alone);
  assert.deepEqual(JSON.parse(readFileSync(join(dataDir, "ports.json"), "utf8")), ports, "for the next whole start");
  assert.equal((await ask(dataDir, "/api/v1/namespaces/default/pods", latestPod)).status, 201);
  assert.equal((await ctrlC(alone)).code, 0);
});

// `auth whoami` came with kubectl 1.27, and the terminal at which a person logs in is one of script(1), as Linux has it.
const cannotLogIn =
  (kubectls.at(-1)?.minor ?? 0) < 27
    ? "kubectl 1.27 or newer is needed for this"
    : process.platform !== "linux" && "script(1) of Linux is needed for this";

test("the review servers are started where they are asked for, and decide", { skip: cannotLogIn }, async () => {
  const dataDir = join(folder, "reviewed");
  const running = start(dataDir, "--without=admission,image-review,audit-sink --with=authorization,token-review");
  await isReady(running);
  const newest = kubectls.at(-1);
  assert.ok(newest !== undefined);
  await using shell = await openKubectlShell(newest, join(dataDir, "kubeconfig"));
  const [printed = ""] = running.stdout().match(/^ {2}kubectl auth can-i .*$/m) ?? [];
  const asked = await shell.run(printed);
  assert.deepEqual(
    [asked.code, asked.stdout],
    [1, 'no - denied by "no-exec-in-production": look at the logs, or ask whoever is on call\n'],
  );
  // The administrator has rights by a binding, as anybody: without it they are gone, and the super administrator mends it.
  assert.equal(await shell.ok("kubectl auth can-i delete configmaps"), "yes\n");
  await shell.ok("kubectl delete clusterrolebinding gatehouse:cluster-admins");
  await until(
    "the binding counts no more",
    async () => (await shell.run("kubectl auth can-i delete configmaps")).code === 1,
  );
  // Somebody logs in: whose the token is, the API server asks.
  const person = fileURLToPath(new URL("../support/log-in-as.js", import.meta.url));
  const browser = `#!/bin/sh\nexec '${process.execPath}' '${person}' '${dataDir}' alice "$1"\n`;
  await shell.write("xdg-open", browser);
  await shell.ok("chmod +x xdg-open");
  const whoAmI = `kubectl --kubeconfig='${join(dataDir, "oidc.kubeconfig")}' auth whoami -o jsonpath='{.status.userInfo.username}'`;
  await shell.write("step.sh", `PATH=$PWD:$PATH\n${whoAmI}\n`);
  const { stdout } = await shell.run("script -qec 'sh step.sh' /dev/null");
  assert.match(stdout, /oidc:alice$/);
  assert.equal((await ctrlC(running)).code, 0);
});
