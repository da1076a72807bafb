#!/usr/bin/env node
import "@gatehouse/component-base/survive-output-errors";
import { requireSupportedNode } from "@gatehouse/component-base/supported-node";

requireSupportedNode("gatehouse-admission");
// Loaded afterwards: an older Node.js fails while it loads them.
const { processIo } = await import("@gatehouse/component-base/commands");
const { runCommand } = await import("./commands/run-command.js");
process.exitCode = await runCommand(process.argv.slice(2), processIo());
