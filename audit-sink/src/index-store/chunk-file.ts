import { createHash } from "node:crypto";
import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { isJsonObject } from "@gatehouse/envelopes/json";
import { eventFields } from "./event-fields.js";
import type { OpenChunk } from "./open-chunk.js";

// A chunk on disk, numbers little-endian as the processors are that Node runs on:
//   blocks of packed events, one after the other
//   sections: the table of blocks (f64: first row, place, bytes of each), times (f64), sizes, hashes of audit IDs (u32),
//             and for each field ids (u16), hashes (u32) and texts (packed JSON)
//   footer: JSON
//   32 bytes SHA-256 of the footer, u32 its bytes, "GHINDEX1"
const magic = "GHINDEX1";
const tailBytes = 32 + 4 + magic.length;

/** Sections before those of the fields. */
export const commonSections = ["blocks", "times", "sizes", "auditIDs"] as const;
/** Sections of each field. */
export const fieldSections = ["ids", "hashes", "values"] as const;

/** The metadata at the end of a chunk's file. */
export interface ChunkFooter {
  readonly firstPosition: number;
  readonly count: number;
  readonly minTimeUs: number;
  readonly maxTimeUs: number;
  /** Fields that have columns: those of the version that wrote the file. */
  readonly fields: readonly string[];
  /** Place and bytes of each section: the common ones, then those of the fields. */
  readonly sections: readonly number[];
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
  const sections: number[] = [];
  let at = 0;
  const put = (bytes: Buffer): number => {
    pieces.push(bytes);
    at += bytes.length;
    return at - bytes.length;
  };
  const putSection = (bytes: Buffer): void => {
    sections.push(put(bytes), bytes.length);
  };
  const blocks = chunk.packedBlocks().flatMap(({ firstRow, packed }) => [firstRow, put(packed), packed.length]);
  putSection(bytesOf(Float64Array.from(blocks)));
  putSection(bytesOf(chunk.times()));
  putSection(bytesOf(chunk.sizes()));
  putSection(bytesOf(chunk.auditIdHashes()));
  for (const field of eventFields) {
    const { ids, hashes, values } = chunk.column(field);
    putSection(bytesOf(ids()));
    putSection(bytesOf(hashes()));
    putSection(deflateRawSync(JSON.stringify(values()), { level: 1 }));
  }
  const { firstPosition, count, minTimeUs, maxTimeUs } = chunk;
  const content: ChunkFooter = { firstPosition, count, minTimeUs, maxTimeUs, fields: eventFields, sections };
  const footer = Buffer.from(JSON.stringify(content));
  const tail = Buffer.alloc(tailBytes);
  tail.set(createHash("sha256").update(footer).digest());
  tail.writeUInt32LE(footer.length, 32);
  tail.write(magic, 36, "latin1");
  const path = chunkPath(directory, firstPosition, firstPosition + count);
  writeDurably(path, Buffer.concat([...pieces, footer, tail]));
  return path;
}

function bytesOf(array: Float64Array | Uint32Array | Uint16Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

function writeDurably(path: string, content: Buffer): void {
  const temporary = `${path}.new`;
  const file = openSync(temporary, "w", 0o600);
  try {
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

/** Bytes of a file, in a buffer of their own, so that they begin at a multiple of eight as typed arrays ask for. */
export function readBytes(path: string, at: number, length: number): Buffer {
  const file = openSync(path, "r");
  try {
    return readExactly(file, at, length);
  } finally {
    closeSync(file);
  }
}

/** The footer of a chunk's file, and the bytes of all of it. Throws when it is not the whole of a chunk. */
export function readFooter(path: string): { readonly footer: ChunkFooter; readonly bytes: number } {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const tail = size < tailBytes ? undefined : readExactly(file, size - tailBytes, tailBytes);
    const length = tail?.readUInt32LE(32) ?? 0;
    if (tail === undefined || tail.toString("latin1", 36) !== magic || length > size - tailBytes) {
      throw new Error("the file is no chunk of an index");
    }
    const text = readExactly(file, size - tailBytes - length, length);
    const content: unknown = JSON.parse(text.toString());
    if (!createHash("sha256").update(text).digest().equals(tail.subarray(0, 32)) || !isJsonObject(content)) {
      throw new Error("the file is damaged");
    }
    return { footer: content as unknown as ChunkFooter, bytes: size };
  } finally {
    closeSync(file);
  }
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
