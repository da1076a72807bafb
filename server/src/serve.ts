import { StoreUnusableError } from "@gatehouse/apiserver/errors";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { type Logger, type LogThreshold, silentLogger } from "@gatehouse/component-base/logs";
import { isSystemError } from "@gatehouse/component-base/problems";
import { type ProcessLike, runUntilSignal } from "@gatehouse/component-base/shutdown";
import type { ServerFlagValues } from "./flags.js";
import type { HarnessParts } from "./harness/index.js";
import { resolveServerConfig, type ServerConfig } from "./options/server-config.js";
import { longestStopMs } from "./options/shutdown.js";
import { type Environment, startServer } from "./server.js";
import type { WorkerLink } from "./workers/worker-link.js";

/** The values of the flags, and the surroundings of a process that serves. */
export interface ServeOptions {
  readonly values: ServerFlagValues;
  /** Warnings of the command line. */
  readonly warnings: readonly string[];
  readonly logger: Logger;
  /** The least level that the logger writes. */
  readonly logThreshold: LogThreshold;
  readonly environment: Environment;
  readonly process: ProcessLike;
  /** The link to the parent; undefined where this is the only process of the server. */
  readonly worker: WorkerLink | undefined;
  /** Returns parts for test harnesses; absent for every server that is started by its own command line. */
  readonly harness?: ((config: ServerConfig, logger: Logger) => HarnessParts) | undefined;
  /** Reports an error that ends the process. */
  readonly refuse: (message: string) => void;
}

/**
 * Serves until a signal comes. A start that fails is reported, and the parts it has opened are closed in the same way.
 */
export async function serve(options: ServeOptions): Promise<void> {
  const { logger, worker, refuse } = options;
  const config = configOf(options);
  if (config === undefined) {
    worker?.leave();
    return;
  }
  const harness = options.harness?.(config, logger);
  const server = startServer(config, logger, options.environment, worker, options.logThreshold, harness);
  if (harness?.onReady !== undefined) {
    const { tellWhenReady } = await import("./harness/tell-when-ready.js");
    void tellWhenReady(server, harness.onReady);
  }
  const isServing = await server.serving.then(
    () => true,
    (error: unknown) => {
      refuse(messageOf(error));
      return false;
    },
  );
  if (isServing) {
    worker?.serving();
  }
  const stop = isServing ? worker?.stopping : AbortSignal.abort();
  await runUntilSignal({
    process: isServing ? options.process : { ...options.process, exit: () => options.process.exit(1) },
    logger: isServing ? logger : silentLogger,
    deadlineMs: longestStopMs(config.shutdown) + 5000,
    tasks: [{ name: "server", drain: () => server.stop() }],
    ...(stop === undefined ? {} : { stop }),
  });
}

/** Returns the configuration; undefined when it has been refused. */
function configOf({ values, warnings, worker, logger, refuse }: ServeOptions): ServerConfig | undefined {
  let config: ServerConfig;
  try {
    config = resolveServerConfig(values);
  } catch (error) {
    refuse(messageOf(error));
    return undefined;
  }
  // All workers have the same flags: the first one tells.
  if (worker === undefined || worker.number === 1) {
    for (const warning of [...warnings, ...config.warnings]) {
      logger.warn(warning);
    }
  }
  return config;
}

/** Returns the message of an error: without a stack for one that the operator can correct. */
function messageOf(error: unknown): string {
  if (error instanceof ConfigurationError || error instanceof StoreUnusableError || isSystemError(error)) {
    return error.message;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
