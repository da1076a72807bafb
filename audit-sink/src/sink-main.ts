#!/usr/bin/env node
import "@gatehouse/component-base/survive-output-errors";
import { processIo, runExpectingErrors } from "@gatehouse/component-base";
import { serveCommand } from "./commands/serve.js";

const io = processIo();
process.exitCode = await runExpectingErrors("gatehouse-audit-sink", io, () =>
  serveCommand.run(process.argv.slice(2), io),
);
