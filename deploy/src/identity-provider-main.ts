#!/usr/bin/env node
import "@gatehouse/component-base/survive-output-errors";
import { processIo, runExpectingErrors } from "@gatehouse/component-base";
import { runIdentityProvider } from "./identity-provider/run-identity-provider.js";

async function main(argv: readonly string[]): Promise<void> {
  const io = processIo();
  process.exitCode = await runExpectingErrors("gatehouse-dev-identity-provider", io, () =>
    runIdentityProvider(argv, io),
  );
}

void main(process.argv.slice(2));
