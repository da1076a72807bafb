#!/usr/bin/env node
import "@gatehouse/component-base/survive-output-errors";
import { processIo } from "@gatehouse/component-base/commands";
import { runAuthorization } from "./run-authorization.js";

async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = await runAuthorization(argv, processIo());
}

void main(process.argv.slice(2));
