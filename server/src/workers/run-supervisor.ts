import { silentLogger } from "@gatehouse/component-base/logs";
import { type ProcessLike, runUntilSignal } from "@gatehouse/component-base/shutdown";
import { Supervisor, type SupervisorOptions } from "./supervisor.js";

/** The workers of a server, and the process that keeps them. */
export interface RunSupervisorOptions extends SupervisorOptions {
  readonly process: ProcessLike;
  /** The time in milliseconds that a worker has to end. */
  readonly shutdownMs: number;
}

/** Time in milliseconds for the ends of workers beyond what they have themselves. */
const marginMs = 4000;

/** Runs a server with workers until a signal comes, or until it cannot go on. */
export async function runSupervisor(options: RunSupervisorOptions): Promise<void> {
  const { process, logger, count, shutdownMs } = options;
  const supervisor = new Supervisor(options);
  const isServing = await supervisor.serving.then(
    ({ host, port }) => {
      logger.info("serving", { host, port, startedInMs: Math.round(performance.now()), workers: count });
      return true;
    },
    () => false,
  );
  const { failed } = supervisor;
  const exit = (code: number): void => process.exit(isServing && !failed.aborted ? code : 1);
  await runUntilSignal({
    process: { ...process, exit },
    // The first worker has said why it could not start.
    logger: isServing ? logger : silentLogger,
    deadlineMs: shutdownMs + marginMs,
    tasks: [{ name: "workers", drain: (signal) => supervisor.stop(signal) }],
    stop: isServing ? failed : AbortSignal.abort(),
  });
}
