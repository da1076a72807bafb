import assert from "node:assert/strict";
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { parseDocument } from "yaml";
import type { KubectlBinary } from "./kubectls.js";
import { type CommandResult, type RunningCommand, startCommand } from "./running-command.js";
import { generousMs } from "./until.js";

/**
 * A person's shell: a working folder, HOME (where kubectl keeps its cache), KUBECONFIG, and one version of kubectl on
 * PATH. Commands are shell text, written as one would type them.
 */
export interface KubectlShell extends AsyncDisposable {
  readonly kubectl: KubectlBinary;
  readonly folder: string;
  /** Runs the command, whatever its exit code. */
  run(command: string, stdin?: string): Promise<CommandResult>;
  /** Runs a command that must succeed and say nothing on standard error; returns standard output. */
  ok(command: string, stdin?: string): Promise<string>;
  /** Runs a command that must fail with exit code 1; returns standard error. */
  fails(command: string, stdin?: string): Promise<string>;
  /** Starts a command that goes on until it is stopped. */
  start(command: string): RunningCommand;
  /** Puts a file into the working folder. */
  write(name: string, content: string): Promise<void>;
}

/**
 * Opens a shell whose kubectl talks to the server of the file `kubeconfig`, in the namespace that the file names or in
 * `namespace`.
 */
export async function openKubectlShell(
  kubectl: KubectlBinary,
  kubeconfig: string,
  namespace?: string,
): Promise<KubectlShell> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-shell-"));
  const home = join(folder, "home");
  const bin = join(folder, "bin");
  const work = join(folder, "work");
  await Promise.all([home, bin, work].map((path) => mkdir(path)));
  if (namespace === undefined) {
    await copyFile(kubeconfig, join(home, "kubeconfig"));
  } else {
    await writeFile(join(home, "kubeconfig"), inNamespace(await readFile(kubeconfig, "utf8"), namespace));
  }
  // A kubectl that picks another one beside it must be called where it lies.
  const isPlain = basename(kubectl.path) === "kubectl";
  if (!isPlain) {
    await symlink(kubectl.path, join(bin, "kubectl"));
  }
  const env = {
    PATH: `${isPlain ? dirname(kubectl.path) : bin}:${process.env["PATH"]}`,
    HOME: home,
    KUBECONFIG: join(home, "kubeconfig"),
    TZ: "UTC",
    // Go collects several times in the tenth of a second that a command takes, though nothing is gained by it.
    GOGC: "400",
  };

  const started: RunningCommand[] = [];

  function start(command: string, stdin?: string): RunningCommand {
    const running = startCommand(command, { folder: work, env, ...(stdin === undefined ? {} : { stdin }) });
    started.push(running);
    return running;
  }

  async function run(command: string, stdin?: string): Promise<CommandResult> {
    const running = start(command, stdin);
    const timer = setTimeout(() => running.stop("SIGKILL"), 2 * generousMs);
    try {
      return await running.ended;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    kubectl,
    folder: work,
    run,
    start,
    async ok(command, stdin) {
      const result = await run(command, stdin);
      assert.deepEqual({ code: result.code, stderr: result.stderr }, { code: 0, stderr: "" }, explain(command, result));
      return result.stdout;
    },
    async fails(command, stdin) {
      const result = await run(command, stdin);
      assert.equal(result.code, 1, explain(command, result));
      return result.stderr;
    },
    async write(name, content) {
      await writeFile(join(work, name), content);
    },
    async [Symbol.asyncDispose]() {
      // A command that a failed test left behind would keep this process from ending.
      await Promise.all(started.map((running) => running.stop("SIGKILL")));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns a kubeconfig of one context with another current namespace, as `kubectl config set-context` writes it. */
function inNamespace(kubeconfig: string, namespace: string): string {
  const document = parseDocument(kubeconfig);
  document.setIn(["contexts", 0, "context", "namespace"], namespace);
  return document.toString();
}

function explain(command: string, { code, stdout, stderr }: CommandResult): string {
  return `$ ${command}\n${stdout}${stderr}(exit code ${code})`;
}
