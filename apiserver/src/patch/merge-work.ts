import { maxValues, setKey } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { StepMeter, type Steps } from "@gatehouse/envelopes/scheduling";
import { requestEntityTooLarge } from "@gatehouse/envelopes/status";

/**
 * The limit of values of the object and the patch that one merge visits. A patch that names each item of a list once
 * stays far below. One that names an item repeatedly has it merged as often, with all its contents: 200 names in 10 KB
 * took 12 seconds.
 */
const maxMergedValues = 5 * maxValues;
const valuesPerStep = 5_000;

/** Counts what a strategic merge patch looks at, bounds it, tells when to yield, and knows which parts were obeyed. */
export class MergeWork {
  readonly #obeyed = new Map<JsonObject, Set<string>>();
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

  /** Notes that a member of the patch, or of an object in it, has been obeyed: a directive, or a list that one sorts. */
  noteObeyed(patch: JsonObject, key: string): void {
    const keys = this.#obeyed.get(patch);
    if (keys === undefined) {
      this.#obeyed.set(patch, new Set([key]));
    } else {
      keys.add(key);
    }
  }

  /** Returns a patch without what has been obeyed: v1.29 removes that while it merges, and shows the rest in errors. */
  withoutObeyed(patch: JsonValue): JsonValue {
    if (Array.isArray(patch)) {
      return patch.map((item) => this.withoutObeyed(item));
    }
    if (!isJsonObject(patch)) {
      return patch;
    }
    const obeyed = this.#obeyed.get(patch);
    const rest: JsonObject = {};
    for (const [key, value] of Object.entries(patch)) {
      if (value !== undefined && obeyed?.has(key) !== true) {
        setKey(rest, key, this.withoutObeyed(value));
      }
    }
    return rest;
  }
}
