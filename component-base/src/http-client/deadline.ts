import { setMaxListeners } from "node:events";

/** The end of a call: the caller's signal or a time limit, whichever comes first. Disposed of when the call is over. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  /** Whether it was the time limit. */
  readonly passed: boolean;
}

/** Joins the caller's signal and a time limit. Not `AbortSignal.any` and `.timeout`: those hold on to their timer. */
export function startDeadline(callerSignal: AbortSignal, timeoutMs: number): Deadline {
  const controller = new AbortController();
  let passed = false;
  const onAbort = (): void => controller.abort(callerSignal.reason);
  const timer = setTimeout(() => {
    passed = true;
    controller.abort();
  }, timeoutMs);
  // One request of a client may lead to any number of calls, which is no leak to warn of.
  setMaxListeners(0, callerSignal);
  callerSignal.addEventListener("abort", onAbort, { once: true });
  if (callerSignal.aborted) {
    onAbort();
  }
  return {
    signal: controller.signal,
    get passed() {
      return passed;
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      callerSignal.removeEventListener("abort", onAbort);
    },
  };
}
