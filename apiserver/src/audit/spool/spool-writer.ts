import { type FileHandle, open } from "node:fs/promises";
import { pause } from "@gatehouse/component-base/time";
import type { Segment, SpoolDirectory } from "./spool-directory.js";

/**
 * The outcome for lines. `written`: they are in the file. `kept`: the file could not take them yet, and they are
 * written as soon as it can. `lost`: they were given up.
 */
export type Appended = "written" | "kept" | "lost";

/** Lines to be written, or the numbers of events that are not. */
interface Entry {
  readonly lines: string;
  count: number;
  /** Resolves the append. Calls after the first have no effect. */
  readonly settle: (outcome: Appended) => void;
  /** True if the append may resolve when the lines are kept, not only when they are written. */
  readonly mayBeKept: boolean;
}

/** A listener for a disk that fails to take writes, and for lost events. */
export interface SpoolWriterReport {
  /** Called at each try that fails. */
  failed(error: Error): void;
  lost(count: number, error: Error): void;
}

/** Limits of segments, and the time until writes are durable. */
export interface SpoolWriterOptions {
  readonly segmentBytes: number;
  /**
   * Milliseconds after which what was written survives the loss of power, and not only the end of the process; 0: before
   * anybody goes on.
   */
  readonly flushAfterMs: number;
  readonly report: SpoolWriterReport;
  /** The signal after which events that cannot be written are given up. */
  readonly signal: AbortSignal;
}

/** The first and the last delay between two tries to write, in milliseconds; each is twice the one before. */
const firstRetryMs = 50;
const maxRetryMs = 1000;

/** Bytes of one write: a backlog is written in pieces, so that none of them holds up the event loop. */
const maxWriteBytes = 2 * 1024 * 1024;

/**
 * Appends events to the last segment of a spool. Those that come while a write is under way share the next one. A write
 * that fails, as on a full disk, is tried again until it succeeds, and what comes meanwhile waits behind it. An event that
 * is not to be written keeps its number, so that it shows as a gap; a new segment begins behind each gap.
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
  #failure: Error | undefined;
  #idle: Promise<void> = Promise.resolve();
  #file: FileHandle | undefined;
  #open: Segment | undefined;
  #flushTimer: NodeJS.Timeout | undefined;

  /** Prepares a writer. `segments` is shared with the reader: added here, removed there. */
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

  /** The number of the next event that is written. */
  get next(): number {
    return this.#next;
  }

  /** The error of the last try to write; undefined if it succeeded. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Bytes that wait to be written. */
  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /** Appends lines, `count` of them. Resolves to "kept" only if that is allowed, and then they may still be given up. */
  append(lines: string, count: number, mayBeKept: boolean): Promise<Appended> {
    this.#queuedBytes += lines.length;
    return new Promise((settle) => {
      this.#enqueue({ lines, count, mayBeKept, settle });
      if (mayBeKept && this.#failure !== undefined) {
        settle("kept");
      }
    });
  }

  /**
   * Assigns numbers to events that are not written. Resolves when these will not be given again; at once while writing
   * fails.
   */
  skip(count: number): Promise<void> {
    const last = this.#queue.at(-1);
    if (this.#failure !== undefined && last?.lines === "") {
      last.count += count;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      if (this.#failure !== undefined) {
        resolve();
      }
      this.#enqueue({ lines: "", count, mayBeKept: false, settle: () => resolve() });
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
      const entries = this.#takeAlike(isGap);
      const count = entries.reduce((sum, entry) => sum + entry.count, 0);
      const isWritten = !isGap && (await this.#writeUntilTaken(entries, count));
      if (!isWritten) {
        await this.#leaveGap(count);
      }
      for (const { settle } of entries) {
        settle(isWritten ? "written" : "lost");
      }
      this.#onWritten();
    }
    this.#isWriting = false;
  }

  /** Takes from the front of the queue entries that are all gaps, or all lines: not many more than may be written at once. */
  #takeAlike(isGap: boolean): readonly Entry[] {
    let bytes = 0;
    const end = this.#queue.findIndex(({ lines }) => {
      const isOther = (lines === "") !== isGap || bytes >= maxWriteBytes;
      bytes += lines.length;
      return isOther;
    });
    return this.#queue.splice(0, end < 0 ? this.#queue.length : end);
  }

  /** Tries until the file has the lines. Returns false if they were given up. */
  async #writeUntilTaken(entries: readonly Entry[], count: number): Promise<boolean> {
    const { report, signal } = this.#options;
    const text = entries.map(({ lines }) => lines).join("");
    const bytes = Buffer.from(text);
    for (let retryMs = firstRetryMs; ; retryMs = Math.min(retryMs * 2, maxRetryMs)) {
      this.#failure = await this.#write(bytes, count);
      if (this.#failure === undefined || signal.aborted) {
        break;
      }
      report.failed(this.#failure);
      for (const entry of [...entries, ...this.#queue]) {
        if (entry.mayBeKept) {
          entry.settle("kept");
        }
      }
      await pause(retryMs, signal);
    }
    this.#queuedBytes -= text.length;
    if (this.#failure !== undefined) {
      report.lost(count, this.#failure);
    }
    return this.#failure === undefined;
  }

  async #write(lines: Buffer, count: number): Promise<Error | undefined> {
    const { segmentBytes, flushAfterMs } = this.#options;
    try {
      if (this.#open !== undefined && this.#open.bytes >= segmentBytes) {
        await this.#closeSegment();
      }
      const { file, segment } = await this.#openSegment();
      if (this.#failure !== undefined) {
        // Half a line would spoil what stands before it, and what comes after.
        await file.truncate(segment.bytes);
      }
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
      // Opened again by the next try: the file system may have been mounted anew.
      await this.#file?.close().catch(() => {});
      this.#file = undefined;
      return error instanceof Error ? error : new Error(String(error));
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
   * Leaves numbers without events. An empty segment behind the gap keeps them from being given again after a crash; if
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

  /** Reports whether a segment may still grow. */
  isOpen(segment: Segment): boolean {
    return segment === this.#open;
  }

  /** Writes what waits, for as long as that has not been given up. */
  async close(): Promise<void> {
    await this.#idle;
    await this.#closeSegment();
  }
}
