import { versionLine } from "@gatehouse/apiserver/discovery";
import { processIo, withWordsAsFlags } from "@gatehouse/component-base/commands";
import { formatHelp, parseFlags } from "@gatehouse/component-base/flags";
import { createLogger, type Logger } from "@gatehouse/component-base/logs";
import { formatProblems } from "@gatehouse/component-base/problems";
import { endOnFatalError, thisProcess } from "@gatehouse/component-base/shutdown";
import { readAuthoritiesAhead } from "@gatehouse/component-base/tls";
import { levelOfVerbosity } from "./debug/verbosity.js";
import { serverFlags } from "./flags.js";
import { longestStopMs, resolveShutdown } from "./options/shutdown.js";
import type { ServeOptions } from "./serve.js";
import { heartbeatTimes } from "./workers/heartbeat.js";
import { freeCores, parseWorkers } from "./workers/worker-count.js";
import { parsePlace, type WorkerPlace } from "./workers/worker-place.js";

const programName = "gatehouse-apiserver";
const notByHand = "a worker is started by the server that it belongs to; use --workers";

/** Runs the API server with a command line until a signal stops it. `harness` makes the parts for test harnesses. */
export async function runServer(argv: readonly string[], harness?: ServeOptions["harness"]): Promise<void> {
  const io = processIo();
  const place = argv[0] === "worker" ? parsePlace(argv[1]) : undefined;
  const flags = place === undefined ? argv : argv.slice(2);
  const parsed = parseFlags(serverFlags, withWordsAsFlags(flags));
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
  const { values } = parsed;
  const logThreshold = { level: levelOfVerbosity(values.v) };
  const logger = createLogger({
    name: programName,
    level: logThreshold,
    format: values["logging-format"],
  });
  endOnFatalError(process, thisProcess, logger);
  if (place !== undefined) {
    return process.send === undefined ? refuse(notByHand) : runWorker(place, { ...parsed, logThreshold }, logger);
  }
  const wanted = parseWorkers(values.workers);
  const workers = wanted === "auto" ? await freeCores() : wanted;
  if (workers === undefined || workers === 1) {
    readAuthoritiesAhead();
    const { serve } = await import("./serve.js");
    return serve({
      ...parsed,
      logger,
      logThreshold,
      environment: io.env,
      process: thisProcess,
      worker: undefined,
      harness,
      refuse,
    });
  }
  const { runSupervisor } = await import("./workers/run-supervisor.js");
  const shutdown = resolveShutdown(values);
  await runSupervisor({
    count: workers,
    portDelayMs: shutdown.delayMs,
    keepsPortUntilDrained: shutdown.sendRetryAfter,
    program: { script: process.argv[1] ?? "", argv },
    logger,
    heartbeat: heartbeatTimes(values["worker-hang-timeout"]),
    process: thisProcess,
    shutdownMs: longestStopMs(shutdown) + 5000,
  });
}

/** Runs one worker of a server, which ends when its parent says so, or is gone. */
async function runWorker(
  place: WorkerPlace,
  { values, warnings, logThreshold }: Pick<ServeOptions, "values" | "warnings" | "logThreshold">,
  logger: Logger,
): Promise<void> {
  readAuthoritiesAhead();
  const [{ serve }, { WorkerLink }] = await Promise.all([import("./serve.js"), import("./workers/worker-link.js")]);
  // A terminal and systemd signal all processes of a server; the parent passes on what is meant.
  process.on("SIGTERM", () => {}).on("SIGINT", () => {});
  const parent = process.ppid;
  const worker = new WorkerLink(place, process, {
    heartbeat: heartbeatTimes(values["worker-hang-timeout"]),
    onOrphaned: thisProcess.endAtOnce,
    onHung: () => {
      logger.error("the parent of the workers has hung; the server ends", { pid: parent });
      // A server without a parent accepts no connections. Its end lets a service manager start it again.
      if (process.ppid === parent) {
        process.kill(parent, "SIGKILL");
      }
      thisProcess.endAtOnce();
    },
  });
  await serve({
    values,
    warnings,
    logThreshold,
    logger: logger.child({ worker: place.number }),
    environment: process.env,
    process: { ...thisProcess, on: () => {}, off: () => {} },
    worker,
    refuse,
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
