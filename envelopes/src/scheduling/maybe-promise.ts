/** A value, or a promise of it if something must be waited for. */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on with a value: at once if it is there already, since a promise costs more than most steps. */
export function andThen<A, B>(value: MaybePromise<A>, next: (value: A) => MaybePromise<B>): MaybePromise<B> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/**
 * Calls `end` once when work has ended, however it has: at once if nothing is waited for. Costs one promise where `finally`
 * costs four.
 */
export function endWith<T>(work: () => MaybePromise<T>, end: () => void): MaybePromise<T> {
  let outcome: MaybePromise<T>;
  try {
    outcome = work();
  } catch (error) {
    end();
    throw error;
  }
  if (!(outcome instanceof Promise)) {
    end();
    return outcome;
  }
  return outcome.then(
    (value) => {
      end();
      return value;
    },
    (error: unknown) => {
      end();
      throw error;
    },
  );
}

/** Takes a step for each item, one after the other. Waits only for those that have something to wait for. */
export function inTurn<T>(items: readonly T[], step: (item: T) => MaybePromise<void>, from = 0): MaybePromise<void> {
  for (let index = from; index < items.length; index++) {
    const waiting = step(items[index] as T);
    if (waiting !== undefined) {
      return waiting.then(() => inTurn(items, step, index + 1));
    }
  }
  return undefined;
}
