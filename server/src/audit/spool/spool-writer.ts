import { type FileHandle, open } from "node:fs/promises";
import type { Segment, SpoolDirectory } from "./spool-directory.js";

/** Lines to be written, or the numbers of events that are not. */
interface Entry {
  readonly lines: string;
  readonly count: number;
  readonly settle: (error?: unknown) => void;
}

/** How much is written to one file, and whether the disk must have it before anybody goes on. */
export interface SpoolWriterOptions {
  readonly segmentBytes: number;
  /** Survives the loss of power, not only the end of the process. */
  readonly flush: boolean;
}

/**
 * Appends events to the last segment of a spool. Those that come while a write is under way share the next one. An event
 * that is not written keeps its number, so that it shows as a gap; a new segment begins behind each gap.
 */
export class SpoolWriter {
  readonly #directory: SpoolDirectory;
  readonly #segments: Segment[];
  readonly #options: SpoolWriterOptions;
  readonly #onWritten: () => void;
  #next: number;
  #queue: Entry[] = [];
  #queuedBytes = 0;
  #isWriting = false;
  #idle: Promise<void> = Promise.resolve();
  #file: FileHandle | undefined;
  #open: Segment | undefined;

  /** `segments` is shared with who reads them: what is added here, is removed there. */
  constructor(
    directory: SpoolDirectory,
    state: { readonly segments: Segment[]; readonly next: number },
    options: SpoolWriterOptions,
    onWritten: () => void,
  ) {
    this.#directory = directory;
    this.#segments = state.segments;
    this.#next = state.next;
    this.#options = options;
    this.#onWritten = onWritten;
  }

  /** Number of the next event that is written. */
  get next(): number {
    return this.#next;
  }

  /** Bytes that wait to be written. */
  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /** Resolves when the lines, `count` of them, are written; rejects when they could not be. */
  append(lines: string, count: number): Promise<void> {
    this.#queuedBytes += lines.length;
    return new Promise((resolve, reject) => {
      this.#enqueue({ lines, count, settle: (error) => (error === undefined ? resolve() : reject(error)) });
    });
  }

  /** Events that are not to be written take their numbers. */
  skip(count: number): void {
    this.#enqueue({ lines: "", count, settle: () => {} });
  }

  #enqueue(entry: Entry): void {
    this.#queue.push(entry);
    if (!this.#isWriting) {
      this.#isWriting = true;
      // What else this turn of the event loop brings goes along.
      this.#idle = new Promise((done) => setImmediate(() => void this.#writeAll().then(done)));
    }
  }

  async #writeAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const gap = this.#queue.findIndex(({ lines }) => lines === "");
      const entries = this.#queue.splice(0, gap < 0 ? this.#queue.length : Math.max(gap, 1));
      const count = entries.reduce((sum, entry) => sum + entry.count, 0);
      const text = entries.map(({ lines }) => lines).join("");
      this.#queuedBytes -= text.length;
      const failure = text === "" ? undefined : await this.#write(Buffer.from(text), count);
      if (text === "" || failure !== undefined) {
        await this.#closeSegment();
        this.#next += count;
      }
      for (const { settle } of entries) {
        settle(failure);
      }
      this.#onWritten();
    }
    this.#isWriting = false;
  }

  async #write(lines: Buffer, count: number): Promise<unknown> {
    try {
      if (this.#open !== undefined && this.#open.bytes >= this.#options.segmentBytes) {
        await this.#closeSegment();
      }
      this.#open ??= this.#directory.segment(this.#next);
      this.#file ??= await open(this.#open.path, "a", 0o600);
      await this.#file.appendFile(lines);
      if (this.#options.flush) {
        await this.#file.datasync();
      }
    } catch (error) {
      // Half a line would spoil what stands before it.
      await this.#file?.truncate(this.#open?.bytes ?? 0).catch(() => {});
      return error ?? new Error("writing failed");
    }
    if (this.#open.lines === 0) {
      this.#segments.push(this.#open);
    }
    this.#open.bytes += lines.length;
    this.#open.lines += count;
    this.#next += count;
    return undefined;
  }

  async #closeSegment(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    this.#open = undefined;
    await file?.close().catch(() => {});
  }

  /** Whether a segment may still grow. */
  isOpen(segment: Segment): boolean {
    return segment === this.#open;
  }

  async close(): Promise<void> {
    await this.#idle;
    await this.#closeSegment();
  }
}
