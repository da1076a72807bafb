import { open } from "node:fs/promises";
import type { Segment, SpoolDirectory } from "./spool-directory.js";

/** Events that follow each other without a gap. */
export interface SpooledBatch {
  /** The number of the first event. */
  readonly first: number;
  /** The events, each as a JSON object. */
  readonly items: readonly string[];
}

const chunkBytes = 256 * 1024;

/** Reads the segments of a spool from the front, and removes those that have been delivered. */
export class SpoolReader {
  readonly #directory: SpoolDirectory;
  readonly #segments: Segment[];
  readonly #mayGrow: (segment: Segment) => boolean;
  #delivered: number;
  /** The offset in bytes of the first undelivered event in the first segment; undefined if it must be searched. */
  #offset: number | undefined;

  constructor(
    directory: SpoolDirectory,
    state: { readonly segments: Segment[]; readonly delivered: number },
    mayGrow: (segment: Segment) => boolean,
  ) {
    this.#directory = directory;
    this.#segments = state.segments;
    this.#delivered = state.delivered;
    this.#mayGrow = mayGrow;
  }

  /** The number of the first undelivered event. */
  get delivered(): number {
    return this.#delivered;
  }

  /** The number of events that have been written and not been delivered. */
  get waiting(): number {
    return this.#segments.reduce((sum, { lines }) => sum + lines, 0) - this.#deliveredOfFirst;
  }

  get #deliveredOfFirst(): number {
    const [segment] = this.#segments;
    return segment === undefined ? 0 : Math.max(this.#delivered - segment.first, 0);
  }

  /** Bytes that the segments take. */
  get bytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /**
   * Reads the next events, in order: at least one unless nothing waits, at most `maxEvents`, and not many more bytes
   * than `maxBytes`.
   */
  async read(maxEvents: number, maxBytes: number): Promise<SpooledBatch | undefined> {
    await this.#removeDelivered();
    const [segment] = this.#segments;
    if (segment === undefined) {
      return undefined;
    }
    this.#offset ??= await offsetOfLine(segment, this.#deliveredOfFirst);
    const first = Math.max(this.#delivered, segment.first);
    const items = await linesAt(segment, this.#offset, maxEvents, maxBytes);
    return items.length === 0 ? undefined : { first, items };
  }

  /** Notes that a batch, or its beginning, has been delivered. */
  async advance({ first }: SpooledBatch, items: readonly string[]): Promise<void> {
    this.#delivered = first + items.length;
    this.#offset = items.reduce((offset, item) => offset + Buffer.byteLength(item) + 1, this.#offset ?? 0);
    try {
      await this.#directory.savePosition(this.#delivered);
    } catch (error) {
      // On a full disk this is what makes space again. The last segment tells the next number as long as no position does.
      await this.#removeDelivered(1);
      throw error;
    }
    await this.#removeDelivered();
  }

  async #removeDelivered(least = 0): Promise<void> {
    for (let segment = this.#segments[0]; segment !== undefined; segment = this.#segments[0]) {
      if (this.#segments.length <= least) {
        return;
      }
      if (this.#delivered < segment.first + segment.lines || this.#mayGrow(segment)) {
        return;
      }
      this.#segments.shift();
      this.#offset = undefined;
      await this.#directory.remove(segment);
    }
  }
}

/** Returns the offset in bytes of a line of a segment. */
async function offsetOfLine(segment: Segment, line: number): Promise<number> {
  let offset = 0;
  for (let left = line; left > 0; ) {
    const lines = await linesAt(segment, offset, left, chunkBytes);
    if (lines.length === 0) {
      break;
    }
    left -= lines.length;
    offset = lines.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, offset);
  }
  return offset;
}

/** Reads whole lines from an offset on, without their ends. One that is longer than `maxBytes` comes alone. */
async function linesAt(
  { path, bytes }: Segment,
  offset: number,
  maxLines: number,
  maxBytes: number,
): Promise<readonly string[]> {
  if (offset >= bytes) {
    return [];
  }
  await using file = await open(path, "r");
  let text = Buffer.alloc(0);
  const lines: string[] = [];
  let start = 0;
  while (lines.length < maxLines && (start < maxBytes || lines.length === 0)) {
    const end = text.indexOf(10, start);
    if (end >= 0) {
      if (lines.length > 0 && end > maxBytes) {
        break;
      }
      lines.push(text.toString("utf8", start, end));
      start = end + 1;
      continue;
    }
    const length = Math.min(chunkBytes, bytes - offset - text.length);
    if (length <= 0) {
      break;
    }
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, offset + text.length);
    if (bytesRead === 0) {
      break;
    }
    text = Buffer.concat([text, buffer.subarray(0, bytesRead)]);
  }
  return lines;
}
