#!/usr/bin/env node
import "@gatehouse/component-base/survive-output-errors";
import { processIo } from "@gatehouse/component-base/commands";
import { runTokenReview } from "./run-token-review.js";

async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await runTokenReview(argv, processIo());
}

void main(process.argv.slice(2));
