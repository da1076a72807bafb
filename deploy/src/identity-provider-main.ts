#!/usr/bin/env node
import "@gatehouse/component-base/survive-output-errors";
import { processIo, runProgram } from "@gatehouse/component-base/commands";
import { runIdentityProvider } from "./identity-provider/run-identity-provider.js";

async function main(argv: readonly string[]): Promise<void> {
  const command = { run: runIdentityProvider };
  process.exitCode = await runProgram("gatehouse-dev-identity-provider", command, argv, processIo());
}

void main(process.argv.slice(2));
