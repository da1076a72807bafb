import { type FileHandle, open } from "node:fs/promises";
import type { Segment, SpoolDirectory } from "./spool-directory.js";

/** Lines to be written, or the numbers of events that are not. */
interface Entry {
  readonly lines: string;
  readonly count: number;
  readonly settle: (error?: unknown) => void;
}

/** How much is written to one file, and when the disk has it. */
export interface SpoolWriterOptions {
  readonly segmentBytes: number;
  /**
   * Milliseconds after which what was written survives the loss of power, and not only the end of the process; 0: before
   * anybody goes on.
   */
  readonly flushAfterMs: number;
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
  #flushTimer: NodeJS.Timeout | undefined;

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

  /** Events that are not to be written take their numbers. Resolves when these will not be given again. */
  skip(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#enqueue({ lines: "", count, settle: () => resolve() });
    });
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
      const isGap = this.#queue[0]?.lines === "";
      const end = this.#queue.findIndex(({ lines }) => (lines === "") !== isGap);
      const entries = this.#queue.splice(0, end < 0 ? this.#queue.length : end);
      const count = entries.reduce((sum, entry) => sum + entry.count, 0);
      const text = entries.map(({ lines }) => lines).join("");
      this.#queuedBytes -= text.length;
      const failure = isGap ? undefined : await this.#write(Buffer.from(text), count);
      if (isGap || failure !== undefined) {
        await this.#leaveGap(count);
      }
      for (const { settle } of entries) {
        settle(failure);
      }
      this.#onWritten();
    }
    this.#isWriting = false;
  }

  async #write(lines: Buffer, count: number): Promise<unknown> {
    const { segmentBytes, flushAfterMs } = this.#options;
    try {
      if (this.#open !== undefined && this.#open.bytes >= segmentBytes) {
        await this.#closeSegment();
      }
      const { file, segment } = await this.#openSegment();
      await file.appendFile(lines);
      if (flushAfterMs === 0) {
        await file.datasync();
      } else {
        this.#flushTimer ??= setTimeout(() => void this.#flush(), flushAfterMs).unref();
      }
      if (segment.lines === 0) {
        this.#segments.push(segment);
      }
      segment.bytes += lines.length;
      segment.lines += count;
      this.#next += count;
      return undefined;
    } catch (error) {
      // Half a line would spoil what stands before it.
      await this.#file?.truncate(this.#open?.bytes ?? 0).catch(() => {});
      return error ?? new Error("writing failed");
    }
  }

  async #openSegment(): Promise<{ readonly file: FileHandle; readonly segment: Segment }> {
    this.#open ??= this.#directory.segment(this.#next);
    if (this.#file === undefined) {
      this.#file = await open(this.#open.path, "a", 0o600);
      if (this.#options.flushAfterMs === 0) {
        await this.#directory.sync();
      }
    }
    return { file: this.#file, segment: this.#open };
  }

  /**
   * The next numbers go to no event. An empty segment behind the gap keeps them from being given again after a crash; where
   * not even that can be made, the loss shows in the log and the metrics only.
   */
  async #leaveGap(count: number): Promise<void> {
    this.#next += count;
    try {
      if (this.#open?.lines === 0 && this.#file !== undefined) {
        this.#open = await this.#directory.renumber(this.#open, this.#next);
      } else {
        await this.#closeSegment();
        await this.#openSegment();
      }
    } catch {
      await this.#closeSegment();
    }
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#flushTimer);
    if (this.#flushTimer !== undefined) {
      this.#flushTimer = undefined;
      // What fails here was not promised; the next write fails as well, and says so.
      await this.#file?.datasync().catch(() => {});
    }
  }

  async #closeSegment(): Promise<void> {
    await this.#flush();
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
