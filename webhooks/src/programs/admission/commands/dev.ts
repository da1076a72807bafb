import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { Changes } from "@gatehouse/component-base/file-changes";
import { defineFlags, type FlagValues } from "@gatehouse/component-base/flags";
import { problemAt } from "@gatehouse/component-base/problems";
import { runUntilSignal } from "@gatehouse/component-base/shutdown";
import { openCluster } from "../../../toolkit/cluster/open-cluster.js";
import { claimName } from "../development/claim-name.js";
import { DevelopedHooks } from "../development/developed-hooks.js";
import { type DevelopmentPki, ensureDevelopmentPki } from "../development/development-pki.js";
import { hookFlags } from "./hook-flags.js";

const group = "Development";

const flags = defineFlags({
  ...hookFlags,
  build: { type: "string", group, help: "`command` that makes the modules, run before each start: tsc." },
  watch: { type: "stringList", default: ["src"], group, help: "`folders` whose changes start the hooks again." },
  host: { type: "string", default: "127.0.0.1", group, help: "`address` of this machine as the API server sees it." },
  port: { type: "int", default: 8443, min: 1, max: 65535, group, help: "The port to serve on." },
  name: {
    type: "string",
    default: "gatehouse-admission-dev",
    group,
    help: "Name of the configuration `objects`. Two projects that are developed at a time need two.",
  },
  kubeconfig: { type: "path", group, help: "kubeconfig `file` of the running server. Default: KUBECONFIG." },
  "data-dir": { type: "path", default: ".gatehouse", group, help: "`folder` for the certificates of this machine." },
});

/** Milliseconds that the end may take; removing the registration may take half of it. */
const endMs = 10_000;

/**
 * The command `gatehouse-admission dev`, which serves hooks to a running server, registers them, and starts again on
 * each change.
 */
export const devCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "gatehouse-admission dev",
      summary:
        "Serves the hooks of a project to a running API server: makes certificates, registers the hooks, and starts them again when a file changes. Ctrl-C takes the registration back. The API server need not show a certificate.",
      flags,
    };
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    const { values } = line;
    validateWatched(values.watch);
    const url = `https://${values.host}:${values.port}`;
    {
      using cluster = await openCluster({ kubeconfigFile: values.kubeconfig, env: io.env });
      if (await claimName(cluster, values.name, url)) {
        io.print(`an earlier run has left ${values.name} registered: it is replaced`);
      }
    }
    const pki = await ensureDevelopmentPki(resolve(values["data-dir"]), values.host);
    const hooks = new DevelopedHooks({
      name: values.name,
      build: values.build,
      kubeconfigFile: values.kubeconfig,
      ...argumentsOf(values, pki, url),
      io,
    });
    const watching = new AbortController();
    // The watch begins before the hooks are loaded, so that no change is missed.
    const changes = await Changes.watch(values.watch, watching.signal, (error) =>
      io.printError(`changes may be missed from now on: ${error instanceof Error ? error.message : String(error)}`),
    );
    const stop = new AbortController();
    const work = (async () => {
      if (!(await hooks.start())) {
        // The reason has been printed. Without a cluster, or hooks, there is nothing to serve.
        stop.abort();
        return false;
      }
      io.print(`hooks are registered as ${values.name} and served at ${url}; Ctrl-C ends that`);
      await changes.follow(async () => {
        io.print("something has changed, starting again");
        await hooks.start();
      });
      return true;
    })();
    await runUntilSignal({
      process: io.process,
      stop: stop.signal,
      deadlineMs: endMs,
      tasks: [
        {
          name: "hooks",
          async drain(signal) {
            watching.abort();
            const isTakenBack = await hooks.end(signal, endMs / 2);
            if (!(await work) || !isTakenBack) {
              throw new Error("the hooks were not served, or are still registered");
            }
          },
        },
      ],
    });
    return 0;
  },
};

function validateWatched(folders: readonly string[]): void {
  const missing = folders.filter((folder) => statSync(folder, { throwIfNoEntry: false }) === undefined);
  if (missing.length > 0) {
    const problems = missing.map((folder) => problemAt("--watch", `there is no such file or folder: ${folder}`));
    throw new ConfigurationError("flags", problems);
  }
}

/** Returns the arguments of the commands `serve` and `register`. */
function argumentsOf(values: FlagValues<typeof flags>, pki: DevelopmentPki, url: string) {
  const common = [
    ...(values.config === undefined ? [] : [`--config=${values.config}`]),
    ...values.module.map((file) => `--module=${file}`),
    ...(values.kubeconfig === undefined ? [] : [`--kubeconfig=${values.kubeconfig}`]),
  ];
  return {
    serving: [
      ...common,
      ...bindAddressFor(values.host),
      `--port=${values.port}`,
      `--tls-cert-file=${pki.certFile}`,
      `--tls-private-key-file=${pki.keyFile}`,
      "--allow-any-caller",
      "--logging-format=text",
    ],
    registration: [...common, "--apply", `--name=${values.name}`, `--url=${url}`, `--ca-file=${pki.caFile}`],
  };
}

/**
 * Returns the flag that binds the hooks, which answer any caller, to this machine when the API server runs on it, too.
 */
function bindAddressFor(host: string): readonly string[] {
  return host === "localhost" || host === "::1" || /^127\./.test(host) ? [`--bind-address=${host}`] : [];
}
