import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { upFlags } from "./flags.js";
import { readProcessFlags } from "./process-flags.js";
import { up } from "./up.js";

/** `gatehouse up`: resolves when the stack has been started or has failed; the process stays until a signal comes. */
export const upCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "gatehouse up",
      summary: "Starts a local control plane: makes certificates, starts every process, and prints a kubeconfig.",
      flags: upFlags,
    };
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    const { values } = line;
    await up({
      dataDir: values["data-dir"],
      port: values.port,
      without: values.without,
      with: values.with,
      withOidc: values["with-oidc"],
      processFlags: readProcessFlags(values),
      serverScript: values["server-script"],
      process: { ...io.process, pid: process.pid },
      env: process.env,
      // The start of this process, before any module was loaded.
      startedAtMs: performance.timeOrigin,
      print: io.print,
      printError: (text) => io.printError(`gatehouse: ${text}`),
    });
    return Number(process.exitCode ?? 0);
  },
};
