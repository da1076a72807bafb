#!/usr/bin/env node
import { runAuthorization } from "./run-authorization.js";

async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await runAuthorization(argv, {
    print: (line) => process.stdout.write(`${line}\n`),
    printError: (line) => process.stderr.write(`${line}\n`),
    process,
    env: process.env,
  });
}

void main(process.argv.slice(2));
