import { maxValues } from "@gatehouse/envelopes/codec";
import { requestEntityTooLarge } from "@gatehouse/envelopes/status";

/** The steps of a merge that may take long; it pauses where other work may run. */
export type MergeSteps<T> = Generator<undefined, T, undefined>;

/**
 * The limit of values of the object and the patch that one merge visits. A patch that names each item of a list once
 * stays far below. One that names an item repeatedly has it merged as often, with all its contents: 200 names in 10 KB
 * took 12 seconds.
 */
const maxMergedValues = 5 * maxValues;
const valuesPerSlice = 5_000;

/** Counts what a strategic merge patch looks at, bounds it, and tells when to pause. */
export class MergeWork {
  #count = 0;
  #pauseAt = valuesPerSlice;

  /** Counts values that are looked at next, and pauses first when it is time. Throws 413 when they are too many. */
  *spend(values: number): MergeSteps<void> {
    this.#count += values;
    if (this.#count > maxMergedValues) {
      throw requestEntityTooLarge(
        `The strategic merge patch names items of lists so often that more than ${maxMergedValues} values would be merged`,
      );
    }
    if (this.#count >= this.#pauseAt) {
      this.#pauseAt = this.#count + valuesPerSlice;
      yield;
    }
  }
}

/** Runs all steps of a merge at once and returns its result. */
export function finishMerge<T>(steps: MergeSteps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      return step.value;
    }
  }
}
