import type { FileHandle } from "node:fs/promises";
import { frameHeadBytes, frameLengthOf, indexLengthOf } from "./frame.js";

/** Read at a time; a longer frame is read whole. */
const chunkBytes = 1024 * 1024;
/** Read at a time of frames whose events are left out, if these are long: the index of 400 events, and little more. */
const indexChunkBytes = 32 * 1024;
const longFrameBytes = 4 * indexChunkBytes;

/** Reads the frames of a segment in order, many with each call of the operating system. */
export class FrameScanner {
  readonly #file: FileHandle;
  #chunkBytes = chunkBytes;
  #chunk: Buffer = Buffer.alloc(0);
  /** Place in the file of the first byte of the chunk. */
  #chunkAt: number;
  #at = 0;

  /** `offset` is the place in the file at which a frame begins. */
  constructor(file: FileHandle, offset: number) {
    this.#file = file;
    this.#chunkAt = offset;
  }

  /** Place in the file at which the next frame begins. */
  get offset(): number {
    return this.#chunkAt + this.#at;
  }

  /**
   * The next frame that lies before `end` whole, which stays valid. Undefined when there is none: at the end, or where
   * no frame begins. Its lengths fit together, nothing else has been looked at.
   */
  async next(end: number): Promise<Buffer | undefined> {
    const length = await this.#frameLength(end);
    if (length === undefined || !(await this.#has(length, end))) {
      return undefined;
    }
    const frame = this.#chunk.subarray(this.#at, this.#at + length);
    this.#at += length;
    return frame;
  }

  /** Reads the part of the next frame before its events, otherwise like `next`. Long events are not even read. */
  async nextIndex(end: number): Promise<Buffer | undefined> {
    const length = await this.#frameLength(end);
    if (length === undefined || this.offset + length > end) {
      return undefined;
    }
    const indexLength = indexLengthOf(this.#head());
    if (!(await this.#has(indexLength, end))) {
      return undefined;
    }
    const index = this.#chunk.subarray(this.#at, this.#at + indexLength);
    this.#at += length;
    this.#chunkBytes = length > longFrameBytes ? indexChunkBytes : chunkBytes;
    return index;
  }

  async #frameLength(end: number): Promise<number | undefined> {
    return (await this.#has(frameHeadBytes, end)) ? frameLengthOf(this.#head()) : undefined;
  }

  /** Must have been read. */
  #head(): Buffer {
    return this.#chunk.subarray(this.#at, this.#at + frameHeadBytes);
  }

  /** Makes sure that the chunk holds so many bytes from here, if they lie before `end`. */
  async #has(bytes: number, end: number): Promise<boolean> {
    const { offset } = this;
    if (this.#chunk.length - this.#at >= bytes) {
      return true;
    }
    if (offset + bytes > end) {
      return false;
    }
    const chunk = Buffer.allocUnsafeSlow(Math.min(Math.max(bytes, this.#chunkBytes), end - offset));
    let read = 0;
    while (read < bytes) {
      const { bytesRead } = await this.#file.read(chunk, read, chunk.length - read, offset + read);
      if (bytesRead === 0) {
        return false;
      }
      read += bytesRead;
    }
    this.#chunk = chunk.subarray(0, read);
    this.#chunkAt = offset;
    this.#at = 0;
    return true;
  }
}
