import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BenchEnvironment } from "../bench-environment.js";
import type { Gatehouse } from "../processes/gatehouse.js";

const pollMs = 2;
/** A server that is at work on something endless writes nothing. */
const patienceMs = 5000;

/** The environment for a server whose longest turns are to be told: `turnFile` is where it writes them. */
export function withTurnMeter(environment: BenchEnvironment, turnFile: string): BenchEnvironment {
  const url = new URL("turn-meter.js", import.meta.url);
  url.searchParams.set("file", turnFile);
  return { ...environment, serverNodeOptions: [...environment.serverNodeOptions, "--import", url.href] };
}

/** Returns the path of the file in which a server with this data directory writes its longest turns. */
export function turnFileOf(dataDirectory: string): string {
  return join(dataDirectory, "..", "longest-turn");
}

/**
 * The longest that the server's main thread has worked at a stretch since this was asked before, in milliseconds of
 * processor time. Infinite when it does not tell.
 */
export async function longestTurnMs(gatehouse: Pick<Gatehouse, "pid" | "hasEnded">, turnFile: string): Promise<number> {
  await rm(turnFile, { force: true });
  if (gatehouse.hasEnded()) {
    return Number.POSITIVE_INFINITY;
  }
  process.kill(gatehouse.pid, "SIGUSR2");
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += pollMs) {
    if (existsSync(turnFile)) {
      return Number(await readFile(turnFile, "utf8"));
    }
    await sleep(pollMs);
  }
  return Number.POSITIVE_INFINITY;
}
