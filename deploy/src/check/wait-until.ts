import { setTimeout as pause } from "node:timers/promises";
import { CommandError } from "@gatehouse/component-base/errors";

const timeoutMs = 30_000;
const pollMs = 5;

/** Asks again and again until the answer is true. Rejects with CommandError, which says what has not come, after 30 s. */
export async function waitUntil(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  const endAt = performance.now() + timeoutMs;
  while (!(await isTrue())) {
    if (performance.now() > endAt) {
      throw new CommandError(`the check gave up after ${timeoutMs / 1000} s: ${what}`);
    }
    await pause(pollMs);
  }
}
