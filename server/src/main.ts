#!/usr/bin/env node
import {
  ConfigurationError,
  createLogger,
  formatHelp,
  formatProblems,
  isSystemError,
  parseFlags,
  runUntilSignal,
} from "@gatehouse/component-base";
import { resolveServerConfig } from "./config.js";
import { serverFlags } from "./flags.js";
import { startServer } from "./server.js";
import { StoreUnusableError } from "./storage/store.js";
import { version } from "./version.js";

const programName = "gatehouse-apiserver";

/** Runs the API server with the given command line until a signal stops it; or `check`, which tells of its data. */
async function main(argv: readonly string[]): Promise<void> {
  if (argv[0] === "check") {
    const { runCheck } = await import("./check-command.js");
    process.exitCode = runCheck(argv.slice(1), { out: writeLine(process.stdout), err: writeLine(process.stderr) });
    return;
  }
  const parsed = parseFlags(serverFlags, argv);
  switch (parsed.outcome) {
    case "help":
      process.stdout.write(formatHelp(serverFlags, helpOptions));
      return;
    case "version":
      process.stdout.write(`Kubernetes ${version.gitVersion}\n`);
      return;
    case "invalid":
      return refuse(formatProblems(parsed.problems));
  }
  const { values, warnings } = parsed;
  const logger = createLogger({
    name: programName,
    level: values.v >= 4 ? "debug" : "info",
    format: values["logging-format"],
  });
  try {
    const config = resolveServerConfig(values);
    for (const warning of [...warnings, ...config.warnings]) {
      logger.warn(warning);
    }
    const server = await startServer(config, logger);
    await runUntilSignal({
      process,
      logger,
      deadlineMs: config.shutdownGraceMs + 5000,
      tasks: [{ name: "server", drain: () => server.stop() }],
    });
  } catch (error) {
    if (error instanceof ConfigurationError || error instanceof StoreUnusableError || isSystemError(error)) {
      return refuse(error.message);
    }
    throw error;
  }
}

const helpOptions = {
  command: programName,
  summary:
    "A Kubernetes-compatible API server (v1.29) on an embedded, durable store. `check --data-dir DIR` tells whether its data is whole.",
};

function writeLine(stream: NodeJS.WritableStream): (line: string) => void {
  return (line) => void stream.write(`${line}\n`);
}

function refuse(message: string): void {
  process.stderr.write(`${programName}: ${message.trimEnd()}\n`);
  process.exitCode = 1;
}

void main(process.argv.slice(2));
