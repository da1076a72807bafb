import { copySorted, encodeJson } from "@gatehouse/envelopes/codec";
import { goQuote } from "@gatehouse/envelopes/go";
import type { JsonArray, JsonValue } from "@gatehouse/envelopes/json";

/** A closed set of values, in a form in which one is found at once: there may be thousands of them. */
export class EnumValues {
  readonly #values: readonly JsonValue[];
  #text: string | undefined;
  readonly #keys: ReadonlySet<string>;

  constructor(values: JsonArray) {
    this.#values = values;
    this.#keys = new Set(values.filter((value) => value !== null).map(keyOf));
  }

  /** The values as messages list them; made once, since there may be thousands. */
  get text(): string {
    this.#text ??= this.#values
      .map((value) => goQuote(typeof value === "string" ? value : encodeJson(value)))
      .join(", ");
    return this.#text;
  }

  /**
   * Reports whether a value is allowed. Go converts it to the type of each allowed value, so that a fraction is cut off
   * before the comparison.
   */
  includes(value: JsonValue): boolean {
    if (value === null) {
      return false;
    }
    return this.#keys.has(keyOf(value)) || (typeof value === "number" && this.#keys.has(keyOf(Math.trunc(value))));
  }
}

function keyOf(value: JsonValue): string {
  return typeof value === "string" ? `"${value}` : encodeJson(copySorted(value));
}
