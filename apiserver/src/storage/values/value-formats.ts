import { KeyTable } from "../key-table.js";
import type { ReadValue, ValueTransformer } from "./value-transformer.js";

/** The serialization in which the objects of one resource lie in the store. */
export interface ValueFormat {
  /** Returns the bytes to store of an object in canonical JSON. */
  encode(value: Buffer): Buffer;
  /**
   * Returns the canonical JSON of stored bytes, of any version and serialization that the resource may lie in; the bytes
   * themselves where they are canonical JSON. Throws when they are neither.
   */
  decode(stored: Buffer): Buffer;
}

/**
 * The translation between canonical JSON and the serializations at rest, by key. The table is live: custom resources come
 * and go. Values of keys that no resource owns pass as they are.
 */
export class ValueFormats implements ValueTransformer {
  readonly isImmediate = true;
  readonly #formats: KeyTable<ValueFormat>;

  /** `keyPrefix` is the prefix of all keys, with a slash at its end. */
  constructor(keyPrefix: string) {
    this.#formats = new KeyTable(keyPrefix);
  }

  /** Sets the format of the keys under a prefix, which ends with a slash. */
  set(prefix: string, format: ValueFormat): void {
    this.#formats.set(prefix, format);
  }

  /** Lets the values of a prefix pass as they are. */
  delete(prefix: string): void {
    this.#formats.delete(prefix);
  }

  toStored(key: string, value: Buffer): Buffer {
    return this.#formats.find(key)?.encode(value) ?? value;
  }

  fromStored(key: string, stored: Buffer): ReadValue {
    const format = this.#formats.find(key);
    if (format === undefined) {
      return { value: stored, isStale: false };
    }
    return new DecodedValue(format, format.decode(stored), stored);
  }
}

/** A value that has been decoded. It is encoded again, for comparison, only when its staleness is asked for. */
class DecodedValue implements ReadValue {
  readonly value: Buffer;
  readonly #format: ValueFormat;
  readonly #stored: Buffer;

  constructor(format: ValueFormat, value: Buffer, stored: Buffer) {
    this.value = value;
    this.#format = format;
    this.#stored = stored;
  }

  get isStale(): boolean {
    const wanted = this.#format.encode(this.value);
    return wanted !== this.#stored && !wanted.equals(this.#stored);
  }
}
