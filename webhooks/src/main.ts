#!/usr/bin/env node
import "@gatehouse/component-base/survive-output-errors";
import { processIo } from "@gatehouse/component-base";
import { runCommand } from "./commands/run-command.js";

process.exitCode = await runCommand(process.argv.slice(2), processIo());
