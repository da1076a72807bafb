#!/usr/bin/env node
import "@gatehouse/component-base/survive-output-errors";
import { processIo } from "@gatehouse/component-base/commands";
import { runImageReview } from "./run-image-review.js";

async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await runImageReview(argv, processIo());
}

void main(process.argv.slice(2));
