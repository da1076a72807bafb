import type { JsonValue } from "../json/json.js";

/** The number of items in a chunk: few enough to move at once, many enough that there are few chunks. */
const chunkLength = 1024;

/**
 * A list that takes items in and out of its middle without moving all that come behind: ten thousand removals from the
 * front of a million items move ten million of them, not ten thousand million.
 */
export class ChunkedList {
  readonly #chunks: JsonValue[][] = [];
  #length: number;
  #isWritten = true;

  /** Copies the items; the list given is not changed. */
  constructor(items: readonly JsonValue[]) {
    this.#length = items.length;
    for (let start = 0; start < items.length; start += chunkLength) {
      this.#chunks.push(items.slice(start, start + chunkLength));
    }
  }

  get length(): number {
    return this.#length;
  }

  /** The item at a position below the length. */
  at(index: number): JsonValue {
    const { chunk, offset } = this.#find(index);
    return chunk[offset] as JsonValue;
  }

  set(index: number, value: JsonValue): void {
    const { chunk, offset } = this.#find(index);
    chunk[offset] = value;
    this.#isWritten = false;
  }

  /** Puts an item before that at a position, or behind all. */
  insert(index: number, value: JsonValue): void {
    if (this.#chunks.length === 0) {
      this.#chunks.push([]);
    }
    const { chunk, offset, place } = index === this.#length ? this.#end() : this.#find(index);
    chunk.splice(offset, 0, value);
    this.#length++;
    this.#isWritten = false;
    if (chunk.length >= 2 * chunkLength) {
      this.#chunks.splice(place + 1, 0, chunk.splice(chunkLength));
    }
  }

  remove(index: number): void {
    const { chunk, offset, place } = this.#find(index);
    chunk.splice(offset, 1);
    this.#length--;
    this.#isWritten = false;
    if (chunk.length === 0) {
      this.#chunks.splice(place, 1);
    }
  }

  /** Makes the list that this one was made from, or written to before, the same as this one. */
  writeTo(target: JsonValue[]): void {
    if (this.#isWritten) {
      return;
    }
    this.#isWritten = true;
    target.length = 0;
    for (const chunk of this.#chunks) {
      target.push(...chunk);
    }
  }

  #find(index: number): { readonly chunk: JsonValue[]; readonly offset: number; readonly place: number } {
    let offset = index;
    for (const [place, chunk] of this.#chunks.entries()) {
      if (offset < chunk.length) {
        return { chunk, offset, place };
      }
      offset -= chunk.length;
    }
    throw new RangeError(`no item ${index} of ${this.#length}`);
  }

  #end(): { readonly chunk: JsonValue[]; readonly offset: number; readonly place: number } {
    const place = this.#chunks.length - 1;
    const chunk = this.#chunks[place] as JsonValue[];
    return { chunk, offset: chunk.length, place };
  }
}
