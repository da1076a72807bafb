#!/usr/bin/env node
import { runImageReview } from "./run-image-review.js";

async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await runImageReview(argv, {
    print: (line) => process.stdout.write(`${line}\n`),
    printError: (line) => process.stderr.write(`${line}\n`),
    process,
    env: process.env,
  });
}

void main(process.argv.slice(2));
