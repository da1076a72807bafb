import { setTimeout as sleep } from "node:timers/promises";

/** A fault of a system, and its repair. */
export interface Fault {
  readonly name: string;
  /** Makes the fault, and resolves when it has been repaired. */
  run(): Promise<void>;
}

/** A run of faults, one after the other in an order of chance. */
export interface RunningFaults {
  /** True when each has happened once at least. */
  readonly allHappened: boolean;
  readonly counts: ReadonlyMap<string, number>;
  /** Resolves when the last one has been repaired, after the signal. */
  readonly done: Promise<void>;
}

/** Runs all faults so many times or until `signal` aborts, with a pause of up to `maxPauseMs` before each. */
export function runFaults(
  faults: readonly Fault[],
  {
    rounds,
    maxPauseMs,
    signal,
  }: { readonly rounds: number; readonly maxPauseMs: number; readonly signal: AbortSignal },
): RunningFaults {
  const counts = new Map<string, number>();
  const run = async (): Promise<void> => {
    for (let round = 0; round < rounds && !signal.aborted; round++) {
      const order = faults.map((fault) => ({ fault, at: Math.random() })).sort((a, b) => a.at - b.at);
      for (const { fault } of order) {
        await sleep(Math.random() * maxPauseMs);
        if (signal.aborted) {
          return;
        }
        await fault.run();
        counts.set(fault.name, (counts.get(fault.name) ?? 0) + 1);
      }
    }
  };
  return {
    counts,
    get allHappened() {
      return counts.size === new Set(faults.map(({ name }) => name)).size;
    },
    done: run(),
  };
}

/** Stops processes for a while, then lets them go on. */
export async function pauseProcesses(pids: readonly number[], ms: number): Promise<void> {
  const signal = (name: "SIGSTOP" | "SIGCONT"): void => {
    for (const pid of pids) {
      try {
        process.kill(pid, name);
      } catch {
        // It has ended meanwhile.
      }
    }
  };
  signal("SIGSTOP");
  try {
    await sleep(ms);
  } finally {
    signal("SIGCONT");
  }
}
