#!/usr/bin/env node
import "@gatehouse/component-base/survive-output-errors";
import { requireSupportedNode } from "@gatehouse/component-base/supported-node";

requireSupportedNode("gatehouse-audit");
// Loaded afterwards: an older Node.js fails while it loads them.
const { processIo, runCommands } = await import("@gatehouse/component-base/commands");
const { commands } = await import("./commands/commands.js");
process.exitCode = await runCommands({ name: "gatehouse-audit", commands }, process.argv.slice(2), processIo());
