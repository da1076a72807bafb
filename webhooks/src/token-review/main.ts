#!/usr/bin/env node
import { processIo } from "@gatehouse/component-base";
import { runTokenReview } from "./run-token-review.js";

async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await runTokenReview(argv, processIo());
}

void main(process.argv.slice(2));
