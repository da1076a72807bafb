import { maxValues } from "@gatehouse/envelopes/codec";
import { StepMeter, type Steps } from "@gatehouse/envelopes/scheduling";
import { requestEntityTooLarge } from "@gatehouse/envelopes/status";

/**
 * The limit of values of the object and the patch that one merge visits. A patch that names each item of a list once
 * stays far below. One that names an item repeatedly has it merged as often, with all its contents: 200 names in 10 KB
 * took 12 seconds.
 */
const maxMergedValues = 5 * maxValues;
const valuesPerStep = 5_000;

/** Counts what a strategic merge patch looks at, bounds it, and tells when to yield. */
export class MergeWork {
  #count = 0;
  readonly #meter = new StepMeter(valuesPerStep);

  /** Counts values that are looked at next, and yields first where a step ends. Throws 413 when they are too many. */
  *spend(values: number): Steps<void> {
    this.#count += values;
    if (this.#count > maxMergedValues) {
      throw requestEntityTooLarge(
        `The strategic merge patch names items of lists so often that more than ${maxMergedValues} values would be merged`,
      );
    }
    if (this.#meter.count(values)) {
      yield;
    }
  }
}
