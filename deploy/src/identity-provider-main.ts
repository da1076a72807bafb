#!/usr/bin/env node
import { createRequire } from "node:module";
import { runExpectingErrors } from "@gatehouse/component-base";
import { runIdentityProvider } from "./identity-provider/run-identity-provider.js";

async function main(argv: readonly string[]): Promise<void> {
  const { version }: { version: string } = createRequire(import.meta.url)("../package.json");
  const io = {
    print: (line: string) => process.stdout.write(`${line}\n`),
    printError: (line: string) => process.stderr.write(`${line}\n`),
    process,
    env: process.env,
  };
  process.exitCode = await runExpectingErrors("gatehouse-dev-identity-provider", io, () =>
    runIdentityProvider(argv, version, io),
  );
}

void main(process.argv.slice(2));
