import { pause } from "@gatehouse/component-base/time";

const pollMs = 5;

/** The time that a start may take. */
export interface Deadline extends Disposable {
  /** Aborts when the time is over. */
  readonly signal: AbortSignal;
}

/** Starts a deadline; disposed of, it never aborts. */
export function startDeadline(ms: number): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new Error(`the control plane was not ready within ${ms / 1000} s`)),
    ms,
  );
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) };
}

/**
 * Asks again and again until the answer is neither `undefined` nor `false`, and returns it. Rejects when the deadline has
 * passed, and with what `ask` throws.
 */
export async function until<T>(
  what: string,
  { signal }: Deadline,
  ask: () => Promise<T | undefined | false>,
): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) {
      return answer;
    }
    await pause(pollMs, signal);
    if (signal.aborted) {
      throw new Error(`${signal.reason.message}: waited in vain until ${what}`);
    }
  }
}
