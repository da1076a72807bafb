import { createHash } from "node:crypto";
import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { ByteCache } from "./byte-cache.js";
import type { Chunk, Column } from "./chunk.js";
import { type EventField, eventFields } from "./event-fields.js";
import { type OpenChunk, unpackEvents } from "./open-chunk.js";

// A chunk on disk, numbers little-endian as the processors are that Node runs on:
//   blocks of packed events, one after the other
//   sections: times (f64), sizes, hashes of audit IDs (u32), for each field ids (u16), hashes (u32) and texts (packed JSON)
//   footer: JSON
//   32 bytes SHA-256 of the footer, u32 its bytes, "GHINDEX1"
const magic = "GHINDEX1";
const tailBytes = 32 + 4 + magic.length;

interface Section {
  readonly at: number;
  readonly bytes: number;
}

interface Footer {
  readonly firstPosition: number;
  readonly count: number;
  readonly minTimeUs: number;
  readonly maxTimeUs: number;
  readonly blocks: readonly { readonly firstRow: number; readonly at: number; readonly bytes: number }[];
  readonly sections: Readonly<Record<string, Section>>;
}

/** The file of a chunk, by the positions of its first event and of the one after its last. */
export function chunkPath(directory: string, firstPosition: number, endPosition: number): string {
  return join(directory, `${pad(firstPosition)}-${pad(endPosition)}.chunk`);
}

/** The positions in the name of a chunk's file; undefined for other files. */
export function parseChunkName(name: string): { firstPosition: number; endPosition: number } | undefined {
  const match = /^(\d{16})-(\d{16})\.chunk$/.exec(name);
  return match === null ? undefined : { firstPosition: Number(match[1]), endPosition: Number(match[2]) };
}

function pad(position: number): string {
  return String(position).padStart(16, "0");
}

/** Writes a chunk durably: under its name there is the whole of it, or nothing. Returns the path. */
export function writeChunk(directory: string, chunk: OpenChunk): string {
  const pieces: Buffer[] = [];
  let at = 0;
  const put = (bytes: Buffer): Section => {
    const section = { at, bytes: bytes.length };
    pieces.push(bytes);
    at += bytes.length;
    return section;
  };
  const blocks = chunk.packedBlocks().map(({ firstRow, packed }) => ({ firstRow, ...put(packed) }));
  const sections: Record<string, Section> = {
    times: put(bytesOf(chunk.times())),
    sizes: put(bytesOf(chunk.sizes())),
    auditIDs: put(bytesOf(chunk.auditIdHashes())),
  };
  for (const field of eventFields) {
    const { ids, hashes, values } = chunk.column(field);
    sections[`${field}.ids`] = put(bytesOf(ids()));
    sections[`${field}.hashes`] = put(bytesOf(hashes()));
    sections[`${field}.values`] = put(deflateRawSync(JSON.stringify(values()), { level: 1 }));
  }
  const { firstPosition, count, minTimeUs, maxTimeUs } = chunk;
  const footer = Buffer.from(
    JSON.stringify({ firstPosition, count, minTimeUs, maxTimeUs, blocks, sections } satisfies Footer),
  );
  const tail = Buffer.alloc(tailBytes);
  tail.set(createHash("sha256").update(footer).digest());
  tail.writeUInt32LE(footer.length, 32);
  tail.write(magic, 36, "latin1");
  const path = chunkPath(directory, firstPosition, firstPosition + count);
  writeDurably(path, [...pieces, footer, tail]);
  return path;
}

function bytesOf(array: Float64Array | Uint32Array | Uint16Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

function writeDurably(path: string, pieces: readonly Buffer[]): void {
  const temporary = `${path}.new`;
  const file = openSync(temporary, "w", 0o600);
  try {
    const content = Buffer.concat(pieces);
    for (let written = 0; written < content.length; ) {
      written += writeSync(file, content, written);
    }
    fsyncSync(file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** A chunk on disk. Reads what is asked for and keeps it in a cache that all chunks share. */
export class StoredChunk implements Chunk, Disposable {
  readonly path: string;
  readonly bytes: number;
  readonly #file: number;
  readonly #footer: Footer;
  readonly #cache: ByteCache;
  #isGone = false;

  /** Throws when the file is not a whole chunk. */
  constructor(path: string, cache: ByteCache) {
    this.path = path;
    this.#cache = cache;
    this.#file = openSync(path, "r");
    try {
      this.bytes = fstatSync(this.#file).size;
      this.#footer = readFooter(this.#file, this.bytes);
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  get firstPosition(): number {
    return this.#footer.firstPosition;
  }

  get count(): number {
    return this.#footer.count;
  }

  get minTimeUs(): number {
    return this.#footer.minTimeUs;
  }

  get maxTimeUs(): number {
    return this.#footer.maxTimeUs;
  }

  times(): Float64Array {
    return this.#section("times", (bytes) => new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8));
  }

  auditIdHashes(): Uint32Array {
    return this.#section("auditIDs", asUint32);
  }

  sizes(): Uint32Array {
    return this.#section("sizes", asUint32);
  }

  column(field: EventField): Column {
    return {
      ids: () =>
        this.#section(`${field}.ids`, (bytes) => new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)),
      hashes: () => this.#section(`${field}.hashes`, asUint32),
      values: () =>
        this.#section(`${field}.values`, (bytes) => JSON.parse(inflateRawSync(bytes).toString()) as string[]),
    };
  }

  eventAt(row: number): Buffer {
    const { blocks } = this.#footer;
    const block = blocks.findLast(({ firstRow }) => firstRow <= row);
    if (block === undefined) {
      throw new RangeError(`${this.path} has no row ${row}`);
    }
    const events = this.#cache.get(`${this.path} ${block.at}`, () => {
      const unpacked = unpackEvents(this.#read(block));
      return { value: unpacked, bytes: unpacked.reduce((sum, { length }) => sum + length, 0) };
    });
    return events[row - block.firstRow] as Buffer;
  }

  [Symbol.dispose](): void {
    if (!this.#isGone) {
      this.#isGone = true;
      closeSync(this.#file);
    }
  }

  #section<T>(name: string, decode: (bytes: Buffer) => T): T {
    return this.#cache.get(`${this.path} ${name}`, () => {
      const section = this.#footer.sections[name];
      if (section === undefined) {
        throw new Error(`${this.path} has no section ${name}`);
      }
      const bytes = this.#read(section);
      // Texts take more than the bytes they are packed in.
      return { value: decode(bytes), bytes: name.endsWith("values") ? bytes.length * 8 : bytes.length };
    });
  }

  /** The bytes begin at a multiple of eight, as typed arrays ask for. */
  #read({ at, bytes }: Section): Buffer {
    if (this.#isGone) {
      // Its number may belong to another file by now.
      throw new Error(`${this.path} is closed`);
    }
    return readExactly(this.#file, at, bytes);
  }
}

function asUint32(bytes: Buffer): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

function readExactly(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let read = 0; read < length; ) {
    const more = readSync(file, bytes, read, length - read, at + read);
    if (more === 0) {
      throw new Error("the file ends too early");
    }
    read += more;
  }
  return bytes;
}

function readFooter(file: number, size: number): Footer {
  const tail = size < tailBytes ? undefined : readExactly(file, size - tailBytes, tailBytes);
  const length = tail?.readUInt32LE(32) ?? 0;
  if (tail === undefined || tail.toString("latin1", 36) !== magic || length > size - tailBytes) {
    throw new Error("the file is no chunk of an index");
  }
  const footer = readExactly(file, size - tailBytes - length, length);
  if (!createHash("sha256").update(footer).digest().equals(tail.subarray(0, 32))) {
    throw new Error("the file is damaged");
  }
  return JSON.parse(footer.toString()) as Footer;
}
