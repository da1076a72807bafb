#!/usr/bin/env node
import "@gatehouse/component-base/survive-output-errors";
import {
  formatHelp,
  formatProblems,
  parseFlags,
  processIo,
  runExpectingErrors,
  version,
} from "@gatehouse/component-base";
import { upFlags } from "./flags.js";
import { up } from "./up.js";

/** `gatehouse pki`, or `gatehouse up`, whose word may be left out. */
async function main(argv: readonly string[]): Promise<void> {
  const io = processIo();
  if (argv[0] === "pki") {
    // Loaded on demand: `up` starts without it.
    const run = async () => (await import("./deployment-pki/pki-command.js")).pkiCommand.run(argv.slice(1), io);
    process.exitCode = await runExpectingErrors("gatehouse", io, run);
    return;
  }
  const parsed = parseFlags(upFlags, argv[0] === "up" ? argv.slice(1) : argv);
  switch (parsed.outcome) {
    case "help":
      io.print(
        formatHelp(upFlags, {
          command: "gatehouse up",
          summary: "Starts a local control plane: makes certificates, starts every process, and prints a kubeconfig.",
          columns: process.stdout.columns,
        }).trimEnd(),
      );
      break;
    case "version":
      io.print(`Gatehouse v${version}`);
      break;
    case "invalid":
      io.printError(`gatehouse: ${formatProblems(parsed.problems)}`);
      process.exitCode = 1;
      break;
    case "run":
      await up({
        dataDir: parsed.values["data-dir"],
        port: parsed.values.port,
        without: parsed.values.without,
        with: parsed.values.with,
        withOidc: parsed.values["with-oidc"],
        serverScript: parsed.values["server-script"],
        process: { ...io.process, pid: process.pid },
        env: process.env,
        // performance.now() counts from the start of this process, before any module was loaded.
        elapsedMs: () => performance.now(),
        print: io.print,
        printError: (line) => io.printError(`gatehouse: ${line}`),
      });
  }
}

void main(process.argv.slice(2));
