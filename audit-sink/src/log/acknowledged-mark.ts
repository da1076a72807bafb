import { type FileHandle, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomic } from "@gatehouse/component-base/files";
import { digestOf } from "./digest.js";
import { hashBytes } from "./frame.js";

// The mark is a file of two slots of 64 bytes, written in turn, so that a write that is cut short leaves the other one:
//    0  "GHACKED1"
//    8  u64  position after the last acknowledged event
//   16  u64  position of the first event that has not been deleted
//   24  32 bytes: the chain after the last acknowledged event
//   56  8 bytes: the beginning of the SHA-256 of the 56 bytes before

/** A place in the log: a position, and the chain after the event before it. */
export interface ChainPoint {
  readonly position: number;
  readonly chain: Buffer;
}

/** The part of a log that must be there. */
export interface AcknowledgedRange extends ChainPoint {
  /** Position of the first event that has not been deleted. */
  readonly first: number;
}

const magic = "GHACKED1";
const slotBytes = 64;
const checkedBytes = 24 + hashBytes;
/** Milliseconds for which a written mark may stay in the cache of the operating system. */
const syncAfterMs = 500;

/** Name of the mark in the folder of a log. */
export const markName = "acknowledged.mark";

/** Result of reading a mark: its newest slot, or why there is none. */
export type ReadMark = AcknowledgedRange | "missing" | "damaged";

/** Reads the mark of a log. Rejects when the file is there and cannot be read. */
export async function readMark(directory: string): Promise<ReadMark> {
  let bytes: Buffer;
  try {
    bytes = await readFile(join(directory, markName));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      return "missing";
    }
    throw error;
  }
  const [a, b] = [decodeSlot(bytes.subarray(0, slotBytes)), decodeSlot(bytes.subarray(slotBytes))];
  if (a === undefined || b === undefined) {
    return a ?? b ?? "damaged";
  }
  // Both positions only grow.
  return a.position > b.position || (a.position === b.position && a.first > b.first) ? a : b;
}

/**
 * The record, beside the log, of the part of it that must be there. It tells damage at the end of the log from a write that a
 * crash has left unfinished. It is written before each acknowledgement, so that it outlives the process, and flushed a little
 * later, so that no acknowledgement waits for a second flush. After a loss of power it may be behind the log, never ahead.
 */
export class AcknowledgedMark implements AsyncDisposable {
  readonly #file: FileHandle;
  #range: AcknowledgedRange;
  #slot = 0;
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  private constructor(file: FileHandle, range: AcknowledgedRange) {
    this.#file = file;
    this.#range = range;
  }

  /** Opens the mark of a log whose range has been found; makes it if it is missing or damaged. */
  static async open(directory: string, known: ReadMark, range: AcknowledgedRange): Promise<AcknowledgedMark> {
    const path = join(directory, markName);
    if (typeof known === "string") {
      const slot = encodeSlot(range);
      await writeFileAtomic(path, Buffer.concat([slot, slot]), { mode: 0o600 });
    }
    const mark = new AcknowledgedMark(await open(path, "r+"), range);
    try {
      // Both slots, so that neither is older than what was found, or damaged. In place: the disk may be full.
      await mark.#write({});
      await mark.#write({});
      await mark.#file.datasync();
    } catch (error) {
      await mark[Symbol.asyncDispose]();
      throw error;
    }
    return mark;
  }

  /** Notes a new end. If this rejects, the mark is as before. */
  async acknowledge({ position, chain }: ChainPoint): Promise<void> {
    await this.#write({ position, chain });
    this.#timer ??= setTimeout(() => this.#sync(), syncAfterMs).unref();
  }

  /** Notes durably that events before a position may be deleted. */
  async release(first: number): Promise<void> {
    await this.#write({ first });
    await this.#file.datasync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writing;
    await this.#file.datasync().catch(() => undefined);
    await this.#file.close();
  }

  /** Slots are written one after the other. */
  #write(change: Partial<AcknowledgedRange>): Promise<void> {
    const written = this.#writing.then(async () => {
      const range = { ...this.#range, ...change };
      const { bytesWritten } = await this.#file.write(encodeSlot(range), 0, slotBytes, this.#slot * slotBytes);
      if (bytesWritten < slotBytes) {
        throw new Error("the mark was not written whole");
      }
      this.#range = range;
      this.#slot = 1 - this.#slot;
    });
    this.#writing = written.catch(() => undefined);
    return written;
  }

  #sync(): void {
    this.#timer = undefined;
    // A disk that fails is told of by the next flush of the log itself.
    this.#file.datasync().catch(() => undefined);
  }
}

function encodeSlot({ position, first, chain }: AcknowledgedRange): Buffer {
  const slot = Buffer.alloc(slotBytes);
  slot.write(magic, "latin1");
  slot.writeBigUInt64LE(BigInt(position), 8);
  slot.writeBigUInt64LE(BigInt(first), 16);
  slot.set(chain, 24);
  slot.write(checkOf(slot), checkedBytes, "latin1");
  return slot;
}

function decodeSlot(slot: Buffer): AcknowledgedRange | undefined {
  const isWhole =
    slot.length === slotBytes &&
    slot.toString("latin1", 0, magic.length) === magic &&
    slot.toString("latin1", checkedBytes) === checkOf(slot);
  return isWhole
    ? {
        position: Number(slot.readBigUInt64LE(8)),
        first: Number(slot.readBigUInt64LE(16)),
        chain: Buffer.from(slot.subarray(24, checkedBytes)),
      }
    : undefined;
}

function checkOf(slot: Buffer): string {
  return digestOf(slot.subarray(0, checkedBytes)).slice(0, slotBytes - checkedBytes);
}
