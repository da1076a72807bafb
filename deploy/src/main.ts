#!/usr/bin/env node
import {
  type CommandIo,
  type FlagValues,
  formatHelp,
  formatProblems,
  parseFlags,
  processIo,
  runExpectingErrors,
  version,
} from "@gatehouse/component-base";
import { upFlags } from "./flags.js";
import { readProcessFlags } from "./process-flags.js";
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
      process.stdout.write(
        formatHelp(upFlags, {
          command: "gatehouse up",
          summary: "Starts a local control plane: makes certificates, starts every process, and prints a kubeconfig.",
          columns: process.stdout.columns,
        }),
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
      process.exitCode = await runExpectingErrors("gatehouse", io, () => runUp(parsed.values, io));
  }
}

async function runUp(values: FlagValues<typeof upFlags>, io: CommandIo): Promise<number> {
  await up({
    dataDir: values["data-dir"],
    port: values.port,
    without: values.without,
    with: values.with,
    withOidc: values["with-oidc"],
    processFlags: readProcessFlags(values),
    serverScript: values["server-script"],
    process,
    env: process.env,
    // The start of this process, before any module was loaded.
    startedAtMs: performance.timeOrigin,
    print: io.print,
    printError: (line) => io.printError(`gatehouse: ${line}`),
  });
  return Number(process.exitCode ?? 0);
}

void main(process.argv.slice(2));
