#!/usr/bin/env node
import "@gatehouse/component-base/survive-output-errors";
import { processIo, runCommands } from "@gatehouse/component-base";
import { commands } from "./commands/commands.js";

process.exitCode = await runCommands({ name: "gatehouse-audit", commands }, process.argv.slice(2), processIo());
