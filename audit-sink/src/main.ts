#!/usr/bin/env node
import { runCommands } from "@gatehouse/component-base";
import { commands } from "./commands/commands.js";
import { processIo } from "./process-io.js";

process.exitCode = await runCommands({ name: "gatehouse-audit", commands }, process.argv.slice(2), processIo());
