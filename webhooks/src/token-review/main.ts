#!/usr/bin/env node
import { runTokenReview } from "./run-token-review.js";

async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await runTokenReview(argv, {
    print: (line) => process.stdout.write(`${line}\n`),
    printError: (line) => process.stderr.write(`${line}\n`),
    process,
    env: process.env,
  });
}

void main(process.argv.slice(2));
