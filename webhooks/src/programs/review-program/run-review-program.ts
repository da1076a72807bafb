import { type CommandIo, parseArguments, runProgram } from "@gatehouse/component-base/commands";
import { defineFlags } from "@gatehouse/component-base/flags";
import type { HealthCheck } from "@gatehouse/component-base/health";
import type { Logger } from "@gatehouse/component-base/logs";
import { createMetricsRegistry, type MetricsRegistry } from "@gatehouse/component-base/metrics";
import { ConfigurationError, problemAt } from "@gatehouse/component-base/problems";
import { type DrainTask, runUntilSignal } from "@gatehouse/component-base/shutdown";
import type { ReviewEndpoint } from "../../toolkit/server/review-endpoint.js";
import { startWebhookServer } from "../../toolkit/server/start-webhook-server.js";
import { loggerOf, servingFlags, servingOptions } from "../serving-flags.js";

/** A program that answers one kind of review by what one document says. */
export interface ReviewProgram {
  /** Name of the command: `gatehouse-image-review`. */
  readonly name: string;
  /** Summary of the program for `--help`. */
  readonly summary: string;
  /** Description of `--config` for `--help`. */
  readonly configHelp: string;
  /** Group of `--config` in `--help`. */
  readonly configGroup: string;
  readonly defaultPath: string;
  /** Port without `--port`, different for each program: several of them run on one machine. */
  readonly defaultPort: number;
  /** Reads the document. Rejects with ConfigurationError. */
  open(options: ReviewProgramOptions): Promise<OpenReviewProgram>;
}

/** The parts that a program opens its document with. */
export interface ReviewProgramOptions {
  readonly file: string;
  readonly path: string;
  readonly metrics: MetricsRegistry;
  readonly logger: Logger;
}

/** The endpoint of an opened program, its checks and its end. */
export interface OpenReviewProgram {
  readonly endpoint: ReviewEndpoint;
  readonly readiness?: readonly HealthCheck[];
  /** Tasks that end the program once the server has stopped. */
  readonly drain: readonly DrainTask[];
}

/** Runs the program until a signal stops it; resolves to the exit code. */
export function runReviewProgram(program: ReviewProgram, argv: readonly string[], io: CommandIo): Promise<number> {
  return runProgram(program.name, { run: (rest) => serve(program, rest, io) }, argv, io);
}

async function serve(program: ReviewProgram, argv: readonly string[], io: CommandIo): Promise<number> {
  const { name, summary, configHelp, configGroup, defaultPath, defaultPort } = program;
  const flags = defineFlags({
    config: { type: "path", group: configGroup, help: configHelp },
    path: {
      type: "string",
      default: defaultPath,
      group: configGroup,
      help: "`path` to which API servers post their reviews.",
    },
    ...servingFlags,
    port: { ...servingFlags.port, default: defaultPort },
  });
  const line = parseArguments({ command: name, summary, flags }, argv, io);
  if (line === undefined) {
    return 0;
  }
  const { values } = line;
  const logger = loggerOf(values, name);
  const { config, path } = values;
  if (config === undefined) {
    throw new ConfigurationError("flags", [problemAt("--config", "is required")]);
  }
  if (!/^\/[^?#\s]*$/.test(path)) {
    throw new ConfigurationError("flags", [problemAt("--path", "must begin with a slash")]);
  }
  const options = await servingOptions(values);
  const metrics = createMetricsRegistry({ processMetrics: true });
  const { endpoint, readiness = [], drain } = await program.open({ file: config, path, metrics, logger });
  const server = await startWebhookServer({ ...options, endpoints: [endpoint], readiness, metrics, logger });
  await runUntilSignal({
    process: io.process,
    logger,
    deadlineMs: values["shutdown-grace"],
    tasks: [...drain, { name: "server", drain: (signal) => server.stop(signal) }],
  });
  return 0;
}
