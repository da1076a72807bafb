import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";

/** The Node process to keep running, and what it is given each time it starts. */
export interface SupervisedProcess {
  /** Name for people. */
  readonly name: string;
  /** Script for Node. */
  readonly script: string;
  /** Flags for Node itself. Default: none. */
  readonly nodeFlags?: readonly string[];
  readonly flags: readonly string[];
  /** Both output streams are appended here. */
  readonly logFile: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** End of a process, in the words that end the sentence "The API server ...". */
export type Ending = string;

/**
 * Events of a supervisor, once per end of a process that has been ready; none when `stop` was the cause. An
 * implementation must not throw: nobody would catch it.
 */
export interface SupervisorEvents {
  /** The process has ended and is started again after `delayMs`. */
  restarting(ending: Ending, delayMs: number): void;
  /** The process keeps ending at once, so it is not started again. */
  gaveUp(ending: Ending): void;
}

/**
 * Delays before a process is started again: `firstMs`, twice as long after each further end in a row, at most `maxMs`.
 * All in milliseconds.
 */
export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
  /** A process that lived longer counts as healthy, and the delays start over. */
  readonly healthyAfterMs: number;
  /** Ends in a row, each sooner than `healthyAfterMs`, after which the supervisor gives up. */
  readonly maxFailures: number;
}

/** Delays of 0.25, 0.5, 1 ... 10 seconds; gives up after about a minute. */
export const defaultBackoff: Backoff = { firstMs: 250, maxMs: 10_000, healthyAfterMs: 30_000, maxFailures: 10 };

/** Keeps one process running. */
export interface Supervisor {
  /**
   * Starts the process and waits for what `waitForReady` waits for; rejects with EndedEarlyError if the process ends
   * before that. From then on, restarts it.
   */
  start(waitForReady: () => Promise<void>): Promise<void>;
  /** Asks the process to end (SIGTERM), forces it when `signal` aborts, and waits until it is gone. */
  stop(signal: AbortSignal): Promise<void>;
  readonly pid: number | undefined;
}

/** The process ended before it was ready. */
export class EndedEarlyError extends Error {
  override readonly name = "EndedEarlyError";
}

/** Makes the supervisor of one process; nothing runs before its `start`, which is called once. */
export function createSupervisor(
  supervised: SupervisedProcess,
  events: SupervisorEvents,
  backoff: Backoff = defaultBackoff,
): Supervisor {
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopping = false;
  let wasReady = false;
  let failures = 0;
  let onEarlyEnd: (error: EndedEarlyError) => void = () => {};

  function launch(): void {
    const startedAt = performance.now();
    let started: ChildProcess;
    try {
      started = launchProcess(supervised);
    } catch (error) {
      // The log cannot be opened: its folder has gone, or the disk or the table of open files is full.
      handleEnd(`could not be started: ${(error as Error).message}`, 0);
      return;
    }
    child = started;
    let ended = false;
    const onEnd = (ending: Ending): void => {
      if (!ended) {
        ended = true;
        child = undefined;
        handleEnd(ending, performance.now() - startedAt);
      }
    };
    started.once("error", (error) => onEnd(`could not be started: ${error.message}`));
    started.once("exit", (code, signal) =>
      onEnd(signal === null ? `ended with code ${code}` : `was ended by ${signal}`),
    );
  }

  function handleEnd(ending: Ending, livedMs: number): void {
    if (stopping) {
      return;
    }
    if (!wasReady) {
      onEarlyEnd(new EndedEarlyError(ending));
      return;
    }
    failures = livedMs > backoff.healthyAfterMs ? 1 : failures + 1;
    if (failures > backoff.maxFailures) {
      events.gaveUp(ending);
      return;
    }
    const delayMs = Math.min(backoff.maxMs, backoff.firstMs * 2 ** (failures - 1));
    timer = setTimeout(launch, delayMs);
    events.restarting(ending, delayMs);
  }

  return {
    get pid() {
      return child?.pid;
    },
    async start(waitForReady) {
      const endedEarly = new Promise<never>((_, reject) => {
        onEarlyEnd = reject;
      });
      launch();
      await Promise.race([waitForReady(), endedEarly]);
      wasReady = true;
    },
    async stop(signal) {
      stopping = true;
      clearTimeout(timer);
      if (child !== undefined) {
        await endProcess(child, signal);
      }
    },
  };
}

function launchProcess({ script, nodeFlags = [], flags, logFile, env }: SupervisedProcess): ChildProcess {
  const log = openSync(logFile, "a", 0o600);
  try {
    return spawn(
      process.execPath,
      [...nodeFlags, "--import", new URL("end-with-parent.js", import.meta.url).href, script, ...flags],
      {
        env,
        // The channel lets the process notice that we are gone; see end-with-parent.
        stdio: ["ignore", log, log, "ipc"],
        // A group of its own: Ctrl-C reaches only us, and the process gets one SIGTERM, not a SIGINT and a SIGTERM.
        detached: true,
      },
    );
  } finally {
    closeSync(log);
  }
}

async function endProcess(child: ChildProcess, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const force = (): void => {
      child.kill("SIGKILL");
    };
    child.once("exit", () => {
      signal.removeEventListener("abort", force);
      resolve();
    });
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
      resolve();
      return;
    }
    child.kill("SIGTERM");
    signal.addEventListener("abort", force, { once: true });
    if (signal.aborted) {
      force();
    }
  });
}
