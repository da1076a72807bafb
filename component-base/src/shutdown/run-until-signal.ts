import { type Logger, silentLogger } from "../logs/logger.js";

/** The part of `process` that shutting down needs. */
export interface ProcessLike {
  on(signal: "SIGTERM" | "SIGINT", listener: () => void): unknown;
  off(signal: "SIGTERM" | "SIGINT", listener: () => void): unknown;
  exit(code: number): void;
}

/** Something to be closed in order. */
export interface DrainTask {
  readonly name: string;
  /** Finishes what is under way, then lets go. `signal` aborts at the deadline: from then on, cut short. */
  drain(signal: AbortSignal): void | Promise<void>;
}

/** What ends a process, what it closes before, and how long that may take. */
export interface RunUntilSignalOptions {
  readonly process: ProcessLike;
  /** In the order in which things were started; drained in reverse. Read when the time has come, so it may still grow. */
  readonly tasks: readonly DrainTask[];
  /** Time for all tasks together, in milliseconds. */
  readonly deadlineMs: number;
  /** Default: nothing is logged. */
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

/** What each task still gets when the deadline has passed, so that a store is closed even if a connection hangs. */
const graceMs = 500;

/**
 * Waits for SIGTERM or SIGINT, drains, and exits with 0, or with 1 if a task failed or had to be left behind. A second
 * signal exits at once with 1. Returns after calling `exit`, which matters only where that does not end the process.
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
      process.exit(1);
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
  const clean = await drainAll([...tasks].reverse(), deadlineMs, logger);
  clearInterval(keepAlive);
  process.off("SIGTERM", onSignal);
  process.off("SIGINT", onInterrupt);
  logger.info("shut down", { clean });
  process.exit(clean ? 0 : 1);
}

async function drainAll(tasks: readonly DrainTask[], deadlineMs: number, logger: Logger): Promise<boolean> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(new Error("the shutdown deadline has passed")), deadlineMs);
  let clean = true;
  for (const task of tasks) {
    try {
      const finished = await finishesBefore(task, deadline.signal);
      if (!finished) {
        clean = false;
        logger.warn("left behind at the shutdown deadline", { task: task.name });
      }
    } catch (error) {
      clean = false;
      logger.error("cannot shut down cleanly", {
        task: task.name,
        error: error instanceof Error ? error : new Error(String(error)),
      });
    }
  }
  clearTimeout(timer);
  return clean;
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
