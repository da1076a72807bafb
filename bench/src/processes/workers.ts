import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { BenchEnvironment } from "../bench-environment.js";
import { type Gatehouse, startGatehouse } from "./gatehouse.js";

const startTimeoutMs = 60_000;

/** Starts a server with workers. Resolves when all of them serve; `pids` are theirs and that of their parent. */
export async function startWorkers(environment: BenchEnvironment, count: number): Promise<Gatehouse> {
  const gatehouse = await startGatehouse(environment, undefined, [`--workers=${count}`]);
  const giveUpAt = performance.now() + startTimeoutMs;
  for (;;) {
    const log = await readFile(gatehouse.logFile, "utf8");
    const pids = new Map(
      [...log.matchAll(/a worker serves worker=(\d+) pid=(\d+)/g)].map(([, ...found]) => found as [string, string]),
    );
    if (pids.size === count) {
      return { ...gatehouse, pids: [gatehouse.pid, ...[...pids.values()].map(Number)] };
    }
    if (performance.now() > giveUpAt) {
      await gatehouse[Symbol.asyncDispose]();
      throw new Error(`${pids.size} of ${count} workers serve`);
    }
    await sleep(50);
  }
}
