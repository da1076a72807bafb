#!/usr/bin/env node
import "@gatehouse/component-base/survive-output-errors";
import { processIo } from "@gatehouse/component-base/commands";
import { runCommand } from "./commands/run-command.js";

async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await runCommand(argv, processIo());
}

void main(process.argv.slice(2));
