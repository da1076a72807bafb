import { type Logger, silentLogger } from "../logs/logger.js";
import type { ProcessLike } from "./process-like.js";

/** A part of the process that is closed in order. */
export interface DrainTask {
  readonly name: string;
  /** Finishes what is under way, then lets go. `signal` aborts at the deadline: from then on, cut short. */
  drain(signal: AbortSignal): void | Promise<void>;
}

/** The signals that end a process, the tasks to close before, and the time limit for that. */
export interface RunUntilSignalOptions {
  readonly process: ProcessLike;
  /**
   * Tasks in the order in which they were started; drained in reverse. Read when shutdown begins, so the list may still
   * grow.
   */
  readonly tasks: readonly DrainTask[];
  /** Time for all tasks together, in milliseconds. */
  readonly deadlineMs: number;
  /** Logger of the shutdown. Default: nothing is logged. */
  readonly logger?: Logger;
  /** Asks for the same from inside the process. */
  readonly stop?: AbortSignal;
  /** Milliseconds on any clock that only goes forward; `performance.now` when not given. */
  readonly now?: () => number;
}

/**
 * One Ctrl-C may arrive twice: the terminal sends SIGINT to all processes in front, and npm passes its own on as well.
 * A second SIGINT within this time is the same keystroke. No such rule for SIGTERM, which nobody sends by accident.
 */
const sameKeystrokeMs = 250;

/** Time in milliseconds for each task after the deadline, so that a store is closed even if a connection hangs. */
const graceMs = 500;

/** Time in milliseconds beyond its limit after which a process is ended from outside its main thread. */
const watchdogMarginMs = 2000;

/**
 * Waits for SIGTERM or SIGINT, drains, and exits with 0, or with 1 if a task failed. Ends the process at once when a second
 * signal comes, when a task had to be left behind, and when the main thread is too busy to see the deadline: `exit` might
 * wait for ever for what a task has left open. Returns after that, which matters only where the process goes on.
 */
export async function runUntilSignal(options: RunUntilSignalOptions): Promise<void> {
  const { process, tasks, deadlineMs, logger = silentLogger, stop, now = () => performance.now() } = options;
  const { promise: asked, resolve: ask } = deferred();
  let signals = 0;
  let interruptedAt = Number.NEGATIVE_INFINITY;
  const onSignal = (): void => {
    signals++;
    if (signals > 1) {
      logger.warn("second signal, exiting at once");
      process.endAtOnce();
    }
    ask();
  };
  const onInterrupt = (): void => {
    const repeated = now() - interruptedAt < sameKeystrokeMs;
    if (!repeated) {
      interruptedAt = now();
      onSignal();
    }
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onInterrupt);
  stop?.addEventListener("abort", ask, { once: true });
  if (stop?.aborted === true) {
    ask();
  }
  // A promise alone does not keep Node running; a process without sockets must wait for its signal, too.
  const keepAlive = setInterval(() => {}, 2 ** 30);
  await asked;
  logger.info("shutting down", { tasks: tasks.map((task) => task.name) });
  const watchdog = process.endAfter(deadlineMs + tasks.length * graceMs + watchdogMarginMs);
  const outcome = await drainAll([...tasks].reverse(), deadlineMs, logger);
  watchdog[Symbol.dispose]();
  clearInterval(keepAlive);
  process.off("SIGTERM", onSignal);
  process.off("SIGINT", onInterrupt);
  logger.info("shut down", { clean: outcome === "clean" });
  if (outcome === "left behind") {
    process.endAtOnce();
  } else {
    process.exit(outcome === "clean" ? 0 : 1);
  }
}

/** The worst that has happened to a task: it went wrong, or it has not come to an end. */
type Outcome = "clean" | "failed" | "left behind";

async function drainAll(tasks: readonly DrainTask[], deadlineMs: number, logger: Logger): Promise<Outcome> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new Error("the shutdown deadline has passed")), deadlineMs);
  let outcome: Outcome = "clean";
  for (const task of tasks) {
    try {
      const finished = await finishesBefore(task, deadline.signal);
      if (!finished) {
        outcome = "left behind";
        logger.warn("left behind at the shutdown deadline", { task: task.name });
      }
    } catch (error) {
      outcome = outcome === "clean" ? "failed" : outcome;
      logger.error("cannot shut down cleanly", {
        task: task.name,
        error: error instanceof Error ? error : new Error(String(error)),
      });
    }
  }
  clearTimeout(timer);
  return outcome;
}

async function finishesBefore(task: DrainTask, signal: AbortSignal): Promise<boolean> {
  const { promise: tooLate, resolve } = deferred();
  let grace: NodeJS.Timeout | undefined;
  const startGrace = (): void => {
    grace = setTimeout(resolve, graceMs);
  };
  signal.addEventListener("abort", startGrace, { once: true });
  if (signal.aborted) {
    startGrace();
  }
  try {
    const drained = (async () => task.drain(signal))();
    return await Promise.race([drained.then(() => true), tooLate.then(() => false)]);
  } finally {
    signal.removeEventListener("abort", startGrace);
    clearTimeout(grace);
  }
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}
