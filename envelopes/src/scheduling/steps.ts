/**
 * Work in steps: it yields wherever other work may run, every few milliseconds, and returns its result. Whoever runs the
 * steps decides at each yield whether other work runs.
 */
export type Steps<T = void> = Generator<undefined, T, undefined>;

/** A wait in the midst of work, for an answer from outside. It ends when the promise is fulfilled or the signal aborts. */
export type Wait = (signal: AbortSignal) => Promise<void>;

/** Work in steps that also waits: it yields the function to wait for. */
export type WaitingSteps<T = void> = Generator<Wait | undefined, T, undefined>;

/** The initiator of work in steps, on whose behalf the steps are run. */
export interface StepContext {
  /** Aborts when nobody needs the result any more. */
  readonly signal: AbortSignal;
  /**
   * Lets other work run if it is time for that. Called between steps. Undefined: the next step may follow at once.
   * Otherwise it follows when the promise is fulfilled, or not at all if the promise rejects: nobody needs the result any
   * more.
   */
  yield(): Promise<void> | undefined;
}

/** Runs work in steps and yields to other work after each step. Rejects as the work throws, or as the context rejects. */
export async function runSteps<T>(context: StepContext, steps: WaitingSteps<T>): Promise<T> {
  return runFrom(context, steps, steps.next());
}

/**
 * Runs work whose steps are mostly short; returns its result without a promise if no other work runs in between and nothing
 * is waited for.
 */
export function startSteps<T>(context: StepContext, steps: WaitingSteps<T>): T | Promise<T> {
  let step = steps.next();
  while (step.done !== true) {
    if (step.value !== undefined) {
      return runFrom(context, steps, step);
    }
    const turn = context.yield();
    if (turn !== undefined) {
      return turn.then(() => runFrom(context, steps, steps.next()));
    }
    step = steps.next();
  }
  return step.value;
}

/** Runs all steps at once and returns the result: for work that is known to be short. */
export function finishSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      return step.value;
    }
  }
}

async function runFrom<T>(
  context: StepContext,
  steps: WaitingSteps<T>,
  first: IteratorResult<Wait | undefined, T>,
): Promise<T> {
  let step = first;
  for (;;) {
    const turn = context.yield();
    if (turn !== undefined) {
      await turn;
    }
    if (step.done === true) {
      return step.value;
    }
    step = step.value === undefined ? steps.next() : await stepAfter(step.value, context.signal, steps);
  }
}

/** Resumes work after a wait. The error of a failed wait is thrown into the work, which knows the consequences. */
async function stepAfter<T>(
  wait: Wait,
  signal: AbortSignal,
  steps: WaitingSteps<T>,
): Promise<IteratorResult<Wait | undefined, T>> {
  try {
    await wait(signal);
  } catch (error) {
    signal.throwIfAborted();
    return steps.throw(error);
  }
  return steps.next();
}

/** Returns a value inside of work in steps; the work waits for it if it is a promise. */
export function* awaited<T>(value: T | Promise<T>): WaitingSteps<T> {
  if (!(value instanceof Promise)) {
    return value;
  }
  const results: T[] = [];
  yield async () => {
    results.push(await value);
  };
  return results[0] as T;
}
