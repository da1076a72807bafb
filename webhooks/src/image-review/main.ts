#!/usr/bin/env node
import { runImageReview } from "./run-image-review.js";

process.exitCode = await runImageReview(process.argv.slice(2), {
  print: (line) => process.stdout.write(`${line}\n`),
  printError: (line) => process.stderr.write(`${line}\n`),
  process,
  env: process.env,
});
