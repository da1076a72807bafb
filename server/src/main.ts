#!/usr/bin/env node
import "@gatehouse/component-base/survive-output-errors";
import { versionLine } from "@gatehouse/apiserver/discovery";
import { StoreUnusableError } from "@gatehouse/apiserver/errors";
import { processIo, withWordsAsFlags } from "@gatehouse/component-base/commands";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { formatHelp, parseFlags } from "@gatehouse/component-base/flags";
import { createLogger, type Logger, silentLogger } from "@gatehouse/component-base/logs";
import { formatProblems, isSystemError } from "@gatehouse/component-base/problems";
import { endOnFatalError, runUntilSignal, thisProcess } from "@gatehouse/component-base/shutdown";
import { serverFlags } from "./flags.js";
import { resolveServerConfig, type ServerConfig } from "./options/server-config.js";
import { type Environment, startServer } from "./server.js";

const programName = "gatehouse-apiserver";

/** Runs the API server with the given command line until a signal stops it, `check`, which reports on its data, or `etcd`, which serves it. */
async function main(argv: readonly string[]): Promise<void> {
  const io = processIo();
  if (argv[0] === "check") {
    const { runCheck } = await import("./check-command.js");
    process.exitCode = runCheck(argv.slice(1), { out: io.print, err: io.printError });
    return;
  }
  if (argv[0] === "etcd") {
    const { runEtcd } = await import("./etcd-command.js");
    process.exitCode = await runEtcd(argv.slice(1), { out: io.print, err: io.printError });
    return;
  }
  const parsed = parseFlags(serverFlags, withWordsAsFlags(argv));
  switch (parsed.outcome) {
    case "help":
      io.print(formatHelp(serverFlags, helpOptions).trimEnd());
      return;
    case "version":
      io.print(versionLine);
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
  endOnFatalError(process, thisProcess, logger);
  let config: ServerConfig;
  try {
    config = resolveServerConfig(values);
  } catch (error) {
    return refuse(messageOf(error));
  }
  for (const warning of [...warnings, ...config.warnings]) {
    logger.warn(warning);
  }
  await serve(config, logger, io.env);
}

/**
 * Serves until a signal comes. A start that fails is reported, and the parts it has opened are closed in the same way.
 */
async function serve(config: ServerConfig, logger: Logger, environment: Environment): Promise<void> {
  const server = startServer(config, logger, environment);
  const isServing = await server.serving.then(
    () => true,
    (error: unknown) => {
      refuse(messageOf(error));
      return false;
    },
  );
  await runUntilSignal({
    process: isServing ? thisProcess : { ...thisProcess, exit: () => thisProcess.exit(1) },
    logger: isServing ? logger : silentLogger,
    deadlineMs: config.shutdownGraceMs + 5000,
    tasks: [{ name: "server", drain: () => server.stop() }],
    ...(isServing ? {} : { stop: AbortSignal.abort() }),
  });
}

const helpOptions = {
  command: programName,
  summary:
    "A Kubernetes-compatible API server (v1.29) on an embedded, durable store. `check --data-dir DIR` tells whether its data is whole; `etcd --data-dir DIR` serves it by the API of etcd alone.",
};

function refuse(message: string): void {
  process.stderr.write(`${programName}: ${message.trimEnd()}\n`);
  process.exitCode = 1;
}

/** Returns the message of an error: without a stack for one that the operator can correct. */
function messageOf(error: unknown): string {
  if (error instanceof ConfigurationError || error instanceof StoreUnusableError || isSystemError(error)) {
    return error.message;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

void main(process.argv.slice(2));
