import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync, watch } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Command,
  ConfigurationError,
  defineFlags,
  ensureCertificate,
  parseArguments,
  pause,
  problemAt,
  runUntilSignal,
} from "@gatehouse/component-base";
import { hookFlags, loadHooksOfFlags } from "./hook-flags.js";

const group = "Development";

const flags = defineFlags({
  ...hookFlags,
  build: { type: "string", group, help: "`command` that makes the modules, run before each start: tsc." },
  watch: { type: "stringList", default: ["src"], group, help: "`folders` whose changes start the hooks again." },
  host: { type: "string", default: "127.0.0.1", group, help: "`address` of this machine as the API server sees it." },
  port: { type: "int", default: 8443, min: 1, max: 65535, group, help: "The port to serve on." },
  kubeconfig: { type: "path", group, help: "kubeconfig `file` of the running server. Default: KUBECONFIG." },
  "data-dir": { type: "path", default: ".gatehouse", group, help: "`folder` for the certificates of this machine." },
});

/** Several files change at once, when an editor or a compiler writes. */
const settleMs = 200;

const program = fileURLToPath(new URL("../main.js", import.meta.url));

/** `gatehouse-admission dev`: serves hooks to a running server, registers them, and starts again on each change. */
export const devCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "gatehouse-admission dev",
      summary:
        "Serves the hooks of a project to a running API server: makes certificates, registers the hooks, and starts them again when a file changes. The API server need not show a certificate.",
      flags,
    };
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    const { values } = line;
    const missing = values.watch.filter((folder) => statSync(folder, { throwIfNoEntry: false }) === undefined);
    if (missing.length > 0) {
      const problems = missing.map((folder) => problemAt("--watch", `there is no such file or folder: ${folder}`));
      throw new ConfigurationError("flags", problems);
    }
    const pki = await ensureDevelopmentPki(resolve(values["data-dir"]), values.host);
    const hookArguments = [
      ...(values.config === undefined ? [] : [`--config=${values.config}`]),
      ...values.module.map((file) => `--module=${file}`),
    ];
    const registration = [
      "register",
      ...hookArguments,
      "--apply",
      "--name=gatehouse-admission-dev",
      `--url=https://${values.host}:${values.port}`,
      `--ca-file=${pki.caFile}`,
      ...(values.kubeconfig === undefined ? [] : [`--kubeconfig=${values.kubeconfig}`]),
    ];
    const serving = [
      ...hookArguments,
      `--port=${values.port}`,
      `--tls-cert-file=${pki.certFile}`,
      `--tls-private-key-file=${pki.keyFile}`,
      "--allow-any-caller",
      "--logging-format=text",
      ...(values.kubeconfig === undefined ? [] : [`--kubeconfig=${values.kubeconfig}`]),
    ];
    const start = (args: readonly string[]): ChildProcess =>
      spawn(process.execPath, ["--enable-source-maps", program, ...args], { stdio: "inherit", env: io.env });
    let server: ChildProcess | undefined;

    /** Resolves to whether the hooks are registered as they are now. */
    async function restart(): Promise<boolean> {
      if (values.build !== undefined && (await codeOf(spawn(values.build, { shell: true, stdio: "inherit" }))) !== 0) {
        io.print(
          server === undefined ? "the build has failed" : "the build has failed; what was served before goes on",
        );
        return false;
      }
      await end(server);
      server = start(serving);
      return (await codeOf(start(registration))) === 0;
    }

    const stopping = new AbortController();
    // From before they are loaded, so that no change is missed.
    const changes = new Changes(values.watch, stopping.signal);
    if (!(await restart())) {
      // What is wrong has been told; without a cluster, or hooks, there is nothing to go on with.
      stopping.abort();
      await end(server);
      return 1;
    }
    await loadHooksOfFlags(values);
    const following = changes.follow(async () => {
      io.print("something has changed, starting again");
      await restart();
    });
    await runUntilSignal({
      process: io.process,
      deadlineMs: 10_000,
      tasks: [
        {
          name: "hooks",
          async drain() {
            stopping.abort();
            await following;
            await end(server);
          },
        },
      ],
    });
    return 0;
  },
};

async function ensureDevelopmentPki(folder: string, host: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const pair = (name: string) => ({ certFile: join(folder, `${name}.crt`), keyFile: join(folder, `${name}.key`) });
  const issuer = await ensureCertificate({
    subject: { kind: "authority", commonName: "gatehouse-admission-dev" },
    ...pair("hooks-ca"),
  });
  const isAddress = /^[\d.]+$|:/.test(host);
  await ensureCertificate({
    subject: {
      kind: "server",
      commonName: "gatehouse-admission",
      dnsNames: ["localhost", ...(isAddress ? [] : [host])],
      ipAddresses: ["127.0.0.1", ...(isAddress && host !== "127.0.0.1" ? [host] : [])],
    },
    issuer,
    ...pair("hooks"),
  });
  return { ...pair("hooks"), caFile: pair("hooks-ca").certFile };
}

/** Changes of files in some folders, from now until the signal aborts. */
class Changes {
  readonly #signal: AbortSignal;
  #changed = false;
  #wake = (): void => {};

  constructor(folders: readonly string[], signal: AbortSignal) {
    this.#signal = signal;
    for (const folder of folders) {
      watch(resolve(folder), { recursive: true, signal }, () => {
        this.#changed = true;
        this.#wake();
      }).on("error", () => {});
    }
    signal.addEventListener("abort", () => this.#wake(), { once: true });
  }

  /** Calls back after each burst of changes, one call at a time. */
  async follow(onChange: () => Promise<void>): Promise<void> {
    while (!this.#signal.aborted) {
      if (!this.#changed) {
        await new Promise<void>((done) => {
          this.#wake = done;
        });
      }
      await pause(settleMs, this.#signal);
      this.#changed = false;
      if (!this.#signal.aborted) {
        await onChange();
      }
    }
  }
}

async function codeOf(child: ChildProcess): Promise<number | null> {
  const [code] = await once(child, "close");
  return code as number | null;
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child !== undefined && child.exitCode === null && child.signalCode === null) {
    const ended = once(child, "close");
    child.kill("SIGTERM");
    await ended;
  }
}
