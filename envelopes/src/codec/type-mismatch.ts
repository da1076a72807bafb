import type { JsonValue } from "../json/json.js";
import { SpelledNumber } from "./as-written.js";
import { jsonTypeName } from "./json-type-name.js";

/** A value of the wrong JSON type. Struct and path are filled in on the way up. */
export class TypeMismatchError extends Error {
  readonly #found: string;
  readonly #wanted: string;
  #struct = "";
  #path: string[] = [];

  constructor(found: string, wanted: string) {
    super("type mismatch");
    this.#found = found;
    this.#wanted = wanted;
  }

  /** Prepends a step to the path: the mismatch is in member `key` of `struct`. */
  inside(struct: string, key: string): void {
    if (this.#path.length === 0) {
      this.#struct = struct;
    }
    this.#path.unshift(key);
  }

  /** Clears the path: Go's union types decode on their own, so that the error names the member that holds the union. */
  forgetPath(): void {
    this.#path = [];
  }

  /** Returns v1.29's text of the error. */
  text(): string {
    const place = this.#path.length === 0 ? "Go value" : `Go struct field ${this.#struct}.${this.#path.join(".")}`;
    return `json: cannot unmarshal ${this.#found} into ${place} of type ${this.#wanted}`;
  }
}

/** Refuses a value where Go has the type `wanted`. */
export function mismatch(value: JsonValue, wanted: string): never {
  throw new TypeMismatchError(isNumber(value) ? "number" : jsonTypeName(value), wanted);
}

/** Refuses a number that an integer type cannot hold; Go's text repeats it. */
export function numberMismatch(value: JsonValue, wanted: string): never {
  throw new TypeMismatchError(isNumber(value) ? `number ${value}` : jsonTypeName(value), wanted);
}

/** Reports whether a value is a number in any form that a parser returns. */
export function isNumber(value: unknown): value is number | bigint | SpelledNumber {
  return typeof value === "number" || typeof value === "bigint" || value instanceof SpelledNumber;
}
