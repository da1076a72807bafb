import { setTimeout as wait } from "node:timers/promises";
import { inspect } from "node:util";

/** The state that is waited for, and how long. */
export interface EventuallyOptions<T> {
  /** Tells whether what was seen is what is waited for; throwing says no. Absent: whatever was seen without an error. */
  readonly until?: (seen: T) => unknown;
  /** 60,000 by default. */
  readonly timeoutMs?: number;
  /** Milliseconds between two looks; 10 by default. */
  readonly intervalMs?: number;
}

const maxSeenLength = 4000;

/**
 * Looks again until nothing is thrown and `until` holds, and resolves to what was seen then. Rejects when the time is over
 * with an error that tells what was seen last, and whose cause is what was thrown last. A number is the time in
 * milliseconds.
 *
 * @example
 * ```ts
 * await eventually(() => read("/apis/apps/v1/namespaces/default/deployments/web"), {
 *   until: ({ status }) => status.readyReplicas === 3,
 * });
 * ```
 */
export async function eventually<T>(
  look: () => T | Promise<T>,
  options: EventuallyOptions<T> | number = {},
): Promise<T> {
  const { until, timeoutMs = 60_000, intervalMs = 10 } = typeof options === "number" ? { timeoutMs: options } : options;
  const deadline = performance.now() + timeoutMs;
  for (let looks = 1; ; looks++) {
    let last: Looked<T> = {};
    try {
      const seen = await look();
      last = { seen };
      if (until === undefined || isTrue(until(seen))) {
        return seen;
      }
    } catch (error) {
      last = { ...last, error };
    }
    if (performance.now() > deadline) {
      throw overdue(last, `not within ${timeoutMs / 1000} s, at ${looks} ${looks === 1 ? "look" : "looks"}`);
    }
    await wait(intervalMs);
  }
}

/** The outcome of a look. */
interface Looked<T> {
  readonly seen?: T;
  readonly error?: unknown;
}

/** An assertion returns nothing when it holds. */
function isTrue(answer: unknown): boolean {
  return answer === undefined || Boolean(answer);
}

function overdue<T>(last: Looked<T>, when: string): Error {
  const seen = "seen" in last ? `\nlast seen: ${inspect(last.seen, { depth: 8 }).slice(0, maxSeenLength)}` : "";
  const thrown = "error" in last ? `\nlast error: ${String(last.error)}` : "";
  return new Error(`${when}${seen}${thrown}`, { cause: last.error });
}
