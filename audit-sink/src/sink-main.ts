#!/usr/bin/env node
import "@gatehouse/component-base/survive-output-errors";
import { processIo, runProgram } from "@gatehouse/component-base";
import { serveCommand } from "./commands/serve.js";

process.exitCode = await runProgram("gatehouse-audit-sink", serveCommand, process.argv.slice(2), processIo());
