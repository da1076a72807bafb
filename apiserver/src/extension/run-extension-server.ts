import { processIo } from "@gatehouse/component-base/commands";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { formatHelp, parseFlags } from "@gatehouse/component-base/flags";
import { createLogger } from "@gatehouse/component-base/logs";
import { formatProblems, isSystemError } from "@gatehouse/component-base/problems";
import { endOnFatalError, runUntilSignal, thisProcess } from "@gatehouse/component-base/shutdown";
import { version } from "@gatehouse/component-base/version";
import { StoreUnusableError } from "../errors/errors.js";
import type { ApiServer } from "../server/start-api-server.js";
import { extensionFlags } from "./extension-flags.js";
import { type ExtensionProgram, resolveExtension } from "./resolve-extension.js";
import { startExtensionServer } from "./start-extension-server.js";

/** Milliseconds for the end of the server. */
const shutdownMs = 20_000;

/**
 * Runs an extension API server as a program of its own until a signal stops it: reads the command line, starts the server,
 * and ends the process. Problems are told on standard error, with the exit code 1.
 *
 * @example
 * ```ts
 * await runExtensionServer({ name: "shop", groups: [shop] }, process.argv.slice(2));
 * ```
 */
export async function runExtensionServer(program: ExtensionProgram, argv: readonly string[]): Promise<void> {
  const { print, printError, env } = processIo();
  const refuse = (message: string): void => {
    printError(`${program.name}: ${message.trimEnd()}`);
    process.exitCode = 1;
  };
  const parsed = parseFlags(extensionFlags, argv);
  switch (parsed.outcome) {
    case "help":
      print(formatHelp(extensionFlags, { command: program.name, summary: "An extension API server." }).trimEnd());
      return;
    case "version":
      print(`${program.name} (Gatehouse ${version})`);
      return;
    case "invalid":
      return refuse(formatProblems(parsed.problems));
  }
  const { values } = parsed;
  const logger = createLogger({
    name: program.name,
    level: values.v >= 3 ? "debug" : "info",
    format: values["logging-format"],
  });
  endOnFatalError(process, thisProcess, logger);
  let server: ApiServer;
  try {
    const { options, warnings } = await resolveExtension(program, values, { environment: env, logger });
    for (const warning of [...parsed.warnings, ...warnings]) {
      logger.warn(warning);
    }
    server = await startExtensionServer(options);
  } catch (error) {
    return refuse(messageOf(error));
  }
  await runUntilSignal({
    process: thisProcess,
    logger,
    deadlineMs: shutdownMs,
    tasks: [{ name: "server", drain: async () => await server[Symbol.asyncDispose]() }],
  });
}

/** Returns the message of an error: without a stack for one that the operator can correct. */
function messageOf(error: unknown): string {
  if (error instanceof ConfigurationError || error instanceof StoreUnusableError || isSystemError(error)) {
    return error.message;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
