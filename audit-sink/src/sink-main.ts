#!/usr/bin/env node
import { requireSupportedNode } from "@gatehouse/component-base/supported-node";

requireSupportedNode("gatehouse-audit-sink");
// Loaded afterwards: an older Node.js fails while it loads them.
const { processIo, runExpectingErrors } = await import("@gatehouse/component-base");
const { serveCommand } = await import("./commands/serve.js");
const io = processIo();
process.exitCode = await runExpectingErrors("gatehouse-audit-sink", io, () =>
  serveCommand.run(process.argv.slice(2), io),
);
