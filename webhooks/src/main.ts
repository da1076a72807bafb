#!/usr/bin/env node
import { runCommand } from "./commands/run-command.js";

// Who reads the output may have had enough of it: `| head`.
process.stdout.on("error", () => process.exit(1));

process.exitCode = await runCommand(process.argv.slice(2), {
  print: (line) => process.stdout.write(`${line}\n`),
  printError: (line) => process.stderr.write(`${line}\n`),
  process,
  env: process.env,
});
