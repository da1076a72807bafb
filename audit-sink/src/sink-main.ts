#!/usr/bin/env node
import "@gatehouse/component-base/survive-output-errors";
import { requireSupportedNode } from "@gatehouse/component-base/supported-node";

requireSupportedNode("gatehouse-audit-sink");
// Loaded afterwards: an older Node.js fails while it loads them.
const { processIo, runProgram } = await import("@gatehouse/component-base/commands");
const { serveCommand } = await import("./commands/serve.js");
process.exitCode = await runProgram("gatehouse-audit-sink", serveCommand, process.argv.slice(2), processIo());
