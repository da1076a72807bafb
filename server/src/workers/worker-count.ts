import { availableParallelism, type CpuInfo, cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** The most workers of a server; each costs memory, and the writes of all wait for one lock. */
export const maxWorkers = 64;

/** Time in milliseconds over which the load of the cores is measured for `auto`. */
const sampleMs = 250;

/** Reads the value of `--workers`. Undefined when it is neither `auto` nor a number from 1 to `maxWorkers`. */
export function parseWorkers(text: string): number | "auto" | undefined {
  if (text === "auto") {
    return text;
  }
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= maxWorkers ? count : undefined;
}

/** The cores of a machine, and the time for which their load is measured; for tests. */
export interface Cores {
  /** The cores that this process may use. */
  readonly available: number;
  /** Returns the times of each core of the machine. */
  readonly times: () => readonly CpuInfo[];
  readonly sampleMs: number;
}

const theseCores: Cores = { available: availableParallelism(), times: cpus, sampleMs };

/** Counts the cores that other work leaves free: at least one, and at most those that this process may use. */
export async function freeCores({ available, times, sampleMs }: Cores = theseCores): Promise<number> {
  const before = times();
  await sleep(sampleMs);
  const after = times();
  let free = 0;
  for (const [index, core] of after.entries()) {
    const [from, to] = [before[index]?.times, core.times];
    if (from !== undefined) {
      const all = total(to) - total(from);
      free += all === 0 ? 1 : (to.idle - from.idle) / all;
    }
  }
  return Math.max(1, Math.min(available, maxWorkers, Math.round(free)));
}

function total({ user, nice, sys, idle, irq }: CpuInfo["times"]): number {
  return user + nice + sys + idle + irq;
}
