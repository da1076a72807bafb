import { setTimeout as sleep } from "node:timers/promises";
import type { StartedServer } from "../server.js";

/** Interval in milliseconds between two looks: the checks are few comparisons. */
const pauseMs = 2;
/** Time in milliseconds after which clients are told themselves that the server is not ready. */
const giveUpMs = 1000;

/** Calls `onReady` when a server that is being started is ready, or has served requests for a while; never when its start fails. */
export async function tellWhenReady(
  { serving, isReady }: Pick<StartedServer, "serving" | "isReady">,
  onReady: () => void,
): Promise<void> {
  try {
    await serving;
  } catch {
    return; // The caller of the start is told.
  }
  const giveUpAt = performance.now() + giveUpMs;
  while (performance.now() < giveUpAt && !(await isReady())) {
    await sleep(pauseMs);
  }
  onReady();
}
