import { ConfigurationError } from "@gatehouse/component-base/errors";
import { parseFlags } from "@gatehouse/component-base/flags";
import { createLogger } from "@gatehouse/component-base/logs";
import { problemAt } from "@gatehouse/component-base/problems";
import { levelOfVerbosity } from "./debug/verbosity.js";
import { type ServerFlagValues, serverFlags } from "./flags.js";
import { resolveServerConfig } from "./options/server-config.js";
import { type StartedServer, startServer } from "./server.js";

/** Options of a server that runs in the process of its caller. */
export interface InProcessOptions {
  /** Takes finished lines of text, each with its line break. Must not throw. */
  readonly writeLog: (line: string) => void;
}

/**
 * Starts an API server in this process, configured by the flags of `gatehouse-apiserver`. It installs no handlers of
 * signals and never ends the process. Throws ConfigurationError with every problem of the flags at once.
 */
export function startInProcess(argv: readonly string[], options: InProcessOptions): StartedServer {
  const { values, warnings } = readFlags(argv);
  const config = resolveServerConfig(values);
  const logThreshold = { level: levelOfVerbosity(values.v) };
  const logger = createLogger({
    name: "gatehouse-apiserver",
    level: logThreshold,
    format: "text",
    write: options.writeLog,
  });
  for (const warning of [...warnings, ...config.warnings]) {
    logger.warn(warning);
  }
  return startServer(config, logger, {}, undefined, logThreshold);
}

function readFlags(argv: readonly string[]): {
  readonly values: ServerFlagValues;
  readonly warnings: readonly string[];
} {
  const parsed = parseFlags(serverFlags, argv);
  if (parsed.outcome === "run") {
    if (parsed.values.workers !== "1") {
      throw new ConfigurationError("flags", [
        problemAt("--workers", 'a server in this process has no others; use mode "process"'),
      ]);
    }
    return parsed;
  }
  throw new ConfigurationError(
    "flags",
    parsed.outcome === "invalid"
      ? parsed.problems
      : [problemAt(`--${parsed.outcome}`, "can be given to the command gatehouse-apiserver only")],
  );
}
