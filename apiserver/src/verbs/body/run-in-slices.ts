import type { Caller } from "../../request/caller.js";
import type { MaybePromise } from "../../request/handler.js";

/**
 * Work on one object that may take long. It pauses so that other work may have its turn, and where it has to wait: then
 * it yields the function to wait for.
 */
export type SlicedWork<T = void> = Generator<((signal: AbortSignal) => Promise<void>) | undefined, T, undefined>;

/** Does the work on behalf of a caller, with turns for other work in between. Rejects when the caller has gone. */
export async function runInSlices<T>(caller: Pick<Caller, "breathe" | "signal">, work: SlicedWork<T>): Promise<T> {
  return finish(caller, work, work.next());
}

/** Returns a value of work in slices; the work waits for it where it is a promise. */
export function* awaited<T>(value: MaybePromise<T>): SlicedWork<T> {
  if (!(value instanceof Promise)) {
    return value;
  }
  const results: T[] = [];
  yield async () => {
    results.push(await value);
  };
  return results[0] as T;
}

/** Runs work that seldom pauses; returns its value at once when it does not, otherwise a promise. */
export function runAtOnceIfPossible<T>(
  caller: Pick<Caller, "breathe" | "signal">,
  work: SlicedWork<T>,
): MaybePromise<T> {
  const first = work.next();
  return first.done === true ? first.value : finish(caller, work, first);
}

async function finish<T>(
  caller: Pick<Caller, "breathe" | "signal">,
  work: SlicedWork<T>,
  first: ReturnType<SlicedWork<T>["next"]>,
): Promise<T> {
  let step = first;
  for (;;) {
    const othersFirst = caller.breathe();
    if (othersFirst !== undefined) {
      await othersFirst;
      caller.signal.throwIfAborted();
    }
    if (step.done === true) {
      return step.value;
    }
    step = step.value === undefined ? work.next() : await nextAfter(step.value, caller.signal, work);
  }
}

/** Resumes the work after a wait. A failed wait is thrown into the work, which knows the consequences. */
async function nextAfter<T>(
  waiting: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  work: SlicedWork<T>,
): Promise<ReturnType<SlicedWork<T>["next"]>> {
  try {
    await waiting(signal);
  } catch (error) {
    signal.throwIfAborted();
    return work.throw(error);
  }
  return work.next();
}
