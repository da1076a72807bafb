import { inflateRawSync } from "node:zlib";
import type { ByteCache } from "./byte-cache.js";
import { type Chunk, type Column, textHash } from "./chunk.js";
import { commonSections, fieldSections, readBytes, readFooter } from "./chunk-file.js";
import { type EventField, eventFields } from "./event-fields.js";
import { unpackEvents } from "./open-chunk.js";

/** Numbers of a block in the table of blocks: first row, place, bytes. */
const blockNumbers = 3;

/**
 * A chunk on disk. There may be many thousands, so that it holds no open file and little memory; what is asked for is read
 * and kept in a cache that all chunks share.
 */
export class StoredChunk implements Chunk, Disposable {
  readonly path: string;
  readonly bytes: number;
  readonly firstPosition: number;
  readonly count: number;
  readonly minTimeUs: number;
  readonly maxTimeUs: number;
  readonly #fields: readonly string[];
  /** Place and bytes of each section. */
  readonly #sections: Float64Array;
  readonly #cache: ByteCache;
  #isGone = false;

  /** Throws when the file is not a whole chunk. */
  constructor(path: string, cache: ByteCache) {
    const { footer, bytes } = readFooter(path);
    this.path = path;
    this.bytes = bytes;
    this.firstPosition = footer.firstPosition;
    this.count = footer.count;
    this.minTimeUs = footer.minTimeUs;
    this.maxTimeUs = footer.maxTimeUs;
    this.#fields = footer.fields.join() === eventFields.join() ? eventFields : footer.fields;
    this.#sections = Float64Array.from(footer.sections);
    this.#cache = cache;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  times(): Float64Array {
    return this.#common("times", asFloat64);
  }

  auditIdHashes(): Uint32Array {
    return this.#common("auditIDs", asUint32);
  }

  sizes(): Uint32Array {
    return this.#common("sizes", asUint32);
  }

  column(field: EventField): Column {
    const place = this.#fields.indexOf(field);
    if (place < 0) {
      return emptyColumn(this.count);
    }
    const section = <T>(name: (typeof fieldSections)[number], decode: (bytes: Buffer) => T): T =>
      this.#section(commonSections.length + place * fieldSections.length + fieldSections.indexOf(name), decode);
    return {
      ids: () => section("ids", (bytes) => new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)),
      hashes: () => section("hashes", asUint32),
      values: () => section("values", (bytes) => JSON.parse(inflateRawSync(bytes).toString()) as string[]),
    };
  }

  eventAt(row: number): Buffer {
    const [firstRow, at, length] = this.#blockOf(row);
    const events = this.#cache.get(`${this.path} block ${at}`, () => {
      const unpacked = unpackEvents(this.#read(at, length));
      return { value: unpacked, bytes: unpacked.reduce((sum, event) => sum + event.length, 0) };
    });
    return events[row - firstRow] as Buffer;
  }

  /** The file is about to be deleted. */
  [Symbol.dispose](): void {
    this.#isGone = true;
  }

  #blockOf(row: number): readonly [number, number, number] {
    const blocks = this.#common("blocks", asFloat64);
    let low = 0;
    let high = blocks.length / blockNumbers - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((blocks[middle * blockNumbers] as number) <= row) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    const [firstRow = 0, at = 0, length = 0] = blocks.subarray(low * blockNumbers, (low + 1) * blockNumbers);
    return [firstRow, at, length];
  }

  #common<T>(name: (typeof commonSections)[number], decode: (bytes: Buffer) => T): T {
    return this.#section(commonSections.indexOf(name), decode);
  }

  #section<T>(place: number, decode: (bytes: Buffer) => T): T {
    return this.#cache.get(`${this.path} ${place}`, () => {
      const bytes = this.#read(this.#sections[2 * place] as number, this.#sections[2 * place + 1] as number);
      const value = decode(bytes);
      // Texts take more than the bytes they are packed in.
      return { value, bytes: Array.isArray(value) ? bytes.length * 8 : bytes.length };
    });
  }

  #read(at: number, length: number): Buffer {
    if (this.#isGone) {
      throw new Error(`${this.path} is deleted`);
    }
    return readBytes(this.path, at, length);
  }
}

function asUint32(bytes: Buffer): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

function asFloat64(bytes: Buffer): Float64Array {
  return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
}

/** Returns the column of a field that the version which wrote the file did not know. */
function emptyColumn(count: number): Column {
  return {
    ids: () => new Uint16Array(count),
    hashes: () => Uint32Array.of(textHash("")),
    values: () => [""],
  };
}
