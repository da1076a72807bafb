#!/usr/bin/env node
import { processIo, runCommands } from "@gatehouse/component-base";
import { commands } from "./commands/commands.js";

process.exitCode = await runCommands({ name: "gatehouse-audit", commands }, process.argv.slice(2), processIo());
