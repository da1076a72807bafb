import type { StepContext } from "@gatehouse/envelopes/scheduling";
import type { Caller } from "./caller.js";

/** Returns the context of steps whose length depends on the object: they yield only if the caller works on a large one. */
export function ifLarge(caller: Pick<Caller, "signal" | "yieldIfLarge">): StepContext {
  return {
    // Requests make their signal when it is first used, and steps that never wait do not use it.
    get signal() {
      return caller.signal;
    },
    yield: () => caller.yieldIfLarge(),
  };
}
