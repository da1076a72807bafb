import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { ApiException, AuthenticationV1Api, CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { comparable, stepsOf } from "../support/documented-steps.js";
import { type KubectlShell, openKubectlShell } from "../support/kubectl-shell.js";
import { findKubectls } from "../support/kubectls.js";
import { gatehouseScript } from "../support/programs.js";
import { type RunningCommand, startCommand } from "../support/running-command.js";
import { showLogOnFailure } from "../support/show-log-on-failure.js";
import { until } from "../support/until.js";

const guide = readFileSync(new URL("../../../docs/guides/oidc-login.md", import.meta.url), "utf8");
const kubectls = (await findKubectls()).filter(({ minor }) => minor >= 27);
const newest = kubectls.at(-1);
// The terminal at which a person logs in is one of script(1), as Linux has it.
const skip =
  newest === undefined
    ? "kubectl 1.27 or newer is needed for this"
    : process.platform !== "linux" && "script(1) of Linux is needed for this";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-oidc-"));
let stack: RunningCommand | undefined;
let shell: KubectlShell;

before(async () => {
  if (newest === undefined || skip !== false) {
    return;
  }
  const without = "--without=admission,image-review,audit-sink";
  const flags = `--data-dir '${folder}' --port=0 ${without} --with-oidc`;
  const started = startCommand(`exec '${process.execPath}' '${gatehouseScript}' ${flags}`);
  stack = started;
  showLogOnFailure(() => `${started.stdout()}${started.stderr()}`);
  await until("the stack is ready", () => started.stdout().includes("Ctrl-C stops everything"));
  shell = await openKubectlShell(newest, join(folder, "kubeconfig"));
  symlinkSync(folder, join(shell.folder, ".gatehouse"));
  const person = fileURLToPath(new URL("../support/log-in-as.js", import.meta.url));
  const browser = `#!/bin/sh\nexec '${process.execPath}' '${person}' '${folder}' alice "$1"\n`;
  writeFileSync(join(shell.folder, "xdg-open"), browser, { mode: 0o755 });
});
after(async () => {
  await shell?.[Symbol.asyncDispose]();
  await stack?.stop("SIGINT");
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a command at a terminal, with the browser of the test. */
async function atTerminal(command: string): Promise<string> {
  await shell.write("step.sh", `PATH=$PWD:$PATH\n${command}\n`);
  const { stdout } = await shell.run("script -qec 'sh step.sh' /dev/null");
  return stdout.replaceAll("\r", "");
}

/** The file of the only login in the cache. */
function cachedLogin(): string {
  const cache = join(shell.folder, "..", "home", ".cache", "gatehouse", "gatehouse-credential-oidc");
  const [name = ""] = readdirSync(cache).filter((file) => file.endsWith(".json"));
  return join(cache, name);
}

test("the guide to logging in goes as it says", { skip }, async () => {
  const withoutPorts = (text: string): string =>
    comparable(text.replace(/https:\/\/127\.0\.0\.1:\d+\/auth\S*/, "ADDRESS"));
  for (const { command, output } of stepsOf(guide)) {
    assert.equal(withoutPorts(await atTerminal(command)), withoutPorts(output), command);
  }
});

test("every kubectl uses the login, and all at once refresh it when it has ended", { skip }, async () => {
  const path = cachedLogin();
  const entry = JSON.parse(readFileSync(path, "utf8"));
  entry.credential.expiresAt = Date.now() - 1000;
  writeFileSync(path, JSON.stringify(entry));
  const runs = await Promise.all(
    kubectls.map((kubectl) =>
      shell.run(`'${kubectl.path}' --kubeconfig=.gatehouse/oidc.kubeconfig get configmap hello -o name`),
    ),
  );
  assert.deepEqual(
    runs,
    runs.map(() => ({ code: 0, stdout: "configmap/hello\n", stderr: "" })),
  );
  // Not the token: one that is issued within the second of the first has its very bytes.
  assert.ok(JSON.parse(readFileSync(path, "utf8")).credential.expiresAt > Date.now());
});

test("@kubernetes/client-node uses the login, and is told when somebody must log in", { skip }, async () => {
  const text = readFileSync(join(folder, "oidc.kubeconfig"), "utf8");
  const withCache = (cache: string): KubeConfig => {
    const config = new KubeConfig();
    config.loadFromString(text);
    config.getCurrentUser()?.exec.args.push(`--cache-dir=${cache}`);
    return config;
  };
  const config = withCache(join(cachedLogin(), ".."));
  const { status } = await config
    .makeApiClient(AuthenticationV1Api)
    .createSelfSubjectReview({ body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" } });
  assert.deepEqual(status?.userInfo?.username, "oidc:alice");
  assert.deepEqual(status?.userInfo?.groups, ["oidc:developers", "system:authenticated"]);
  const core = config.makeApiClient(CoreV1Api);
  assert.equal((await core.readNamespacedConfigMap({ name: "hello", namespace: "default" })).data?.["from"], "alice");
  await assert.rejects(core.listNode(), (error) => error instanceof ApiException && error.code === 403);
  await assert.rejects(withCache(join(folder, "no-login")).makeApiClient(CoreV1Api).listNode(), {
    message:
      "gatehouse-credential-oidc: somebody must log in, but nobody is at a terminal: run a command such as `kubectl auth whoami` in one\n",
  });
});

test("no token of the login is in any log of the stack", { skip }, () => {
  const { credential, kept } = JSON.parse(readFileSync(cachedLogin(), "utf8"));
  const logs = readdirSync(folder).filter((name) => name.endsWith(".log"));
  assert.deepEqual(logs.sort(), ["apiserver.log", "identity-provider.log"]);
  for (const name of logs) {
    const log = readFileSync(join(folder, name), "utf8");
    assert.equal(log.includes(credential.token) || log.includes(kept.refreshToken), false, name);
  }
});
