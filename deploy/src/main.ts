#!/usr/bin/env node
import { formatHelp, formatProblems, parseFlags, version } from "@gatehouse/component-base";
import { upFlags } from "./flags.js";
import { up } from "./up.js";

/** `gatehouse up` is what there is to do; the word may be left out. */
async function main(argv: readonly string[]): Promise<void> {
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
      process.stdout.write(`Gatehouse v${version}\n`);
      break;
    case "invalid":
      process.stderr.write(`gatehouse: ${formatProblems(parsed.problems)}\n`);
      process.exitCode = 1;
      break;
    case "run":
      await up({
        dataDir: parsed.values["data-dir"],
        port: parsed.values.port,
        without: parsed.values.without,
        withOidc: parsed.values["with-oidc"],
        serverScript: parsed.values["server-script"],
        process,
        env: process.env,
        // performance.now() counts from the start of this process, before any module was loaded.
        elapsedMs: () => performance.now(),
        print: (line) => process.stdout.write(`${line}\n`),
        printError: (line) => process.stderr.write(`gatehouse: ${line}\n`),
      });
  }
}

void main(process.argv.slice(2));
