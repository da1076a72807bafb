#!/usr/bin/env node
import "@gatehouse/component-base/survive-output-errors";
import { requireSupportedNode } from "@gatehouse/component-base/supported-node";

requireSupportedNode("gatehouse-extension");
// Loaded afterwards: an older Node.js fails while it loads them.
const { processIo } = await import("@gatehouse/component-base/commands");
const { runCommand } = await import("./run-command.js");
process.exitCode = await runCommand(process.argv.slice(2), processIo());
