#!/usr/bin/env node
import { runCommand } from "./commands/run-command.js";

process.exitCode = await runCommand(process.argv.slice(2), {
  print: (line) => process.stdout.write(`${line}\n`),
  printError: (line) => process.stderr.write(`${line}\n`),
  process,
  env: process.env,
});
