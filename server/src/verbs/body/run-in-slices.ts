import type { Caller } from "../../request/caller.js";

/** Work on one object that may take long, and pauses wherever others may have their turn. */
export type SlicedWork<T = void> = Generator<undefined, T, undefined>;

/** Does the work on behalf of a caller, others in between. Rejects when nobody waits for the outcome any more. */
export async function runInSlices<T>(caller: Pick<Caller, "breathe" | "signal">, work: SlicedWork<T>): Promise<T> {
  for (;;) {
    const step = work.next();
    const othersFirst = caller.breathe();
    if (othersFirst !== undefined) {
      await othersFirst;
      caller.signal.throwIfAborted();
    }
    if (step.done === true) {
      return step.value;
    }
  }
}
