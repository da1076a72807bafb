import type { StepContext } from "@gatehouse/envelopes/scheduling";
import type { Caller } from "./caller.js";

/** Returns the context of steps whose length depends on the object: they yield only if the caller works on a large one. */
export function ifLarge(caller: LargeObjectCaller): StepContext {
  return new LargeObjectContext(caller);
}

type LargeObjectCaller = Pick<Caller, "signal" | "yieldIfLarge">;

/**
 * A class, not an object literal with a getter: V8 gives each such literal a hidden class of its own, and those keep the
 * objects of past requests alive until the next full collection.
 */
class LargeObjectContext implements StepContext {
  readonly #caller: LargeObjectCaller;

  constructor(caller: LargeObjectCaller) {
    this.#caller = caller;
  }

  /** The signal of the caller, which requests make when it is first used: steps that never wait do not use it. */
  get signal(): AbortSignal {
    return this.#caller.signal;
  }

  yield(): Promise<void> | undefined {
    return this.#caller.yieldIfLarge();
  }
}
