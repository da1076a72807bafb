import type { WaitingSteps } from "@gatehouse/envelopes/scheduling";

/** Returns the outcome of work in steps that has nothing to wait for. */
export function finish<T>(work: WaitingSteps<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) {
      return step.value;
    }
  }
}
