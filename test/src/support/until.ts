import { setTimeout as sleep } from "node:timers/promises";

/** Long enough for a loaded machine with two cores; a test that waits this long has failed. */
export const generousMs = 60_000;

const pollMs = 20;

/**
 * Asks again and again until the answer is neither `undefined` nor `false`, and returns it. Fails with `what` after
 * `timeoutMs`. What `ask` throws ends the wait at once.
 */
export async function until<T>(
  what: string,
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs: number = generousMs,
): Promise<T> {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) {
      return answer;
    }
    if (performance.now() > giveUpAt) {
      throw new Error(`waited ${timeoutMs / 1000} s in vain until ${what}`);
    }
    await sleep(pollMs);
  }
}
