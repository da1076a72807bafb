import type { FileHandle } from "node:fs/promises";
import { frameHeadBytes, frameLengthOf } from "./frame.js";

/** Read at a time; a longer frame is read whole. */
const chunkBytes = 1024 * 1024;

/** Reads the frames of a segment in order, many with each call of the operating system. */
export class FrameScanner {
  readonly #file: FileHandle;
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
    if (!(await this.#has(frameHeadBytes, end))) {
      return undefined;
    }
    const length = frameLengthOf(this.#chunk.subarray(this.#at, this.#at + frameHeadBytes));
    if (length === undefined || !(await this.#has(length, end))) {
      return undefined;
    }
    const frame = this.#chunk.subarray(this.#at, this.#at + length);
    this.#at += length;
    return frame;
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
    const chunk = Buffer.allocUnsafeSlow(Math.min(Math.max(bytes, chunkBytes), end - offset));
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
