import type { JsonArray, JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import type { CompiledSchema } from "./compiled-schema.js";
import { validateType } from "./validate-scalars.js";
import { validateItemCount, validateMemberCount, validatePlain } from "./validate-value.js";
import { ValidationResult } from "./validation-result.js";

/** Values that are checked at once: about a millisecond, so that no other work waits for long. */
const maxValues = 4_000;
/** Characters of text that take as long to check as a value. */
const charactersPerValue = 512;
/** The work of compiling and matching patterns that takes as long. Nanoseconds. */
const workPerValue = 250;

/**
 * Reports whether `validateValue` surely finds no error: it builds no paths and does not pause, and so costs a fraction.
 * False where `validateValue` must be called: for invalid values, large ones, and those with alternative schemas.
 */
export function isPlainlyValid(schema: CompiledSchema, value: JsonValue): boolean {
  return new QuickCheck().accepts(schema, value);
}

/** A check without pauses. It ends with the first error, whose message nobody sees. */
class QuickCheck {
  readonly #result = new ValidationResult();
  #left = maxValues;

  accepts(schema: CompiledSchema, value: JsonValue): boolean {
    if (schema.hasAlternatives || !this.#spends(schema, value)) {
      return false;
    }
    if (typeof value !== "object") {
      validatePlain(schema, value, "", this.#result);
    } else {
      if (value === null || schema.types.length > 0 || schema.format !== "") {
        validateType(schema, value, "", this.#result);
      }
      // The comparison of an object or a list with the values of an enumeration may take long.
      if (schema.enum !== undefined || (value !== null && !this.#acceptsParts(schema, value))) {
        return false;
      }
    }
    return this.#result.isValid;
  }

  /** Reports whether there is time left for a value. */
  #spends(schema: CompiledSchema, value: JsonValue): boolean {
    this.#left--;
    if (typeof value === "string") {
      this.#left -= value.length / charactersPerValue + schema.patternWork(value) / workPerValue;
    }
    return this.#left >= 0;
  }

  #acceptsParts(schema: CompiledSchema, value: JsonArray | JsonObject): boolean {
    return Array.isArray(value) ? this.#acceptsItems(schema, value) : this.#acceptsMembers(schema, value);
  }

  #acceptsItems(schema: CompiledSchema, list: JsonArray): boolean {
    validateItemCount(schema, list.length, "", this.#result);
    const { items } = schema;
    return items === undefined || list.every((item) => this.accepts(items, item));
  }

  #acceptsMembers(schema: CompiledSchema, object: JsonObject): boolean {
    const { additionalProperties } = schema;
    let count = 0;
    for (const name of Object.keys(object)) {
      const value = object[name];
      if (value === undefined) {
        continue;
      }
      count++;
      const member = schema.property(name) ?? additionalProperties;
      if (member !== undefined && !this.accepts(member, value)) {
        return false;
      }
    }
    validateMemberCount(schema, count, "", this.#result);
    return schema.required.every((name) => Object.hasOwn(object, name) && object[name] !== undefined);
  }
}
