import { lockDirectory, makeFolder } from "@gatehouse/component-base/files";
import { type Logger, silentLogger } from "@gatehouse/component-base/logs";
import { AcknowledgedMark, readMark } from "./acknowledged-mark.js";
import { countOf, encodeFrame, placeFrame } from "./frame.js";
import type { LogDamage } from "./last-segment.js";
import { LogWriteError, type NewBatch } from "./log-batch.js";
import { readLog } from "./log-reader.js";
import { type ClosedSegment, type OpenSegment, type RecoveredLog, recoverLog } from "./recover-log.js";
import { chainStart, createSegment, removeSegment, segmentHeadBytes } from "./segment.js";
import { writeWhole } from "./write-whole.js";

/** Folder of the log and limits of its files. */
export interface AuditLogOptions {
  readonly directory: string;
  /** Size after which a segment is closed and the next one begun. */
  readonly segmentBytes: number;
  /** Age after which the same happens, in milliseconds: what is old can be deleted in whole segments. Default one day. */
  readonly segmentAgeMs?: number;
  /** Logger of the log. Default: nothing is logged. */
  readonly logger?: Logger;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

const dayMs = 24 * 3600 * 1000;

interface Waiting {
  readonly frame: Buffer;
  readonly done: (position: number) => void;
  readonly failed: (error: LogWriteError) => void;
}

/**
 * Opens the log in a folder, which is made if need be. Cuts off a write that a crash has left unfinished, but nothing that
 * was acknowledged: see `damages`. Rejects with DirectoryInUseError while another process has the folder open.
 */
export async function openAuditLog(options: AuditLogOptions): Promise<AuditLog> {
  const { directory, logger = silentLogger, now = Date.now } = options;
  await makeFolder(directory, 0o700);
  const lock = await lockDirectory(directory);
  try {
    const known = await readMark(directory);
    const recovered = await recoverLog({ directory, mark: known, createdTimestamp: now(), logger });
    const { closed, last } = recovered;
    if (known === "damaged" || (known === "missing" && last !== undefined)) {
      logger.error("the record of what was acknowledged cannot be read, and is made anew", { directory, mark: known });
    }
    const mark = await AcknowledgedMark.open(directory, known, {
      first: typeof known === "string" ? ((closed[0] ?? last)?.firstPosition ?? 0) : known.first,
      position: last?.endPosition ?? 0,
      chain: last?.endChain ?? chainStart,
    });
    return new AuditLog(options, recovered, mark, lock);
  } catch (error) {
    await lock[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * The durable log: batches of events, each event with a position of its own, in files that are only added to. Whoever
 * appends waits for the disk, and all who wait share one flush. One process writes; any number of readers follow.
 */
export class AuditLog implements AsyncDisposable {
  readonly #options: AuditLogOptions;
  readonly #lock: AsyncDisposable;
  readonly #mark: AcknowledgedMark;
  readonly #closed: ClosedSegment[];
  #last: OpenSegment | undefined;
  #waiting: Waiting[] = [];
  #pendingBytes = 0;
  #flushing: Promise<void> | undefined;
  /** True if a failed write may have left bytes behind the durable end. */
  #isDirty = false;
  #isOpen = true;
  readonly #onChange = new Set<() => void>();

  /** Damage of what was acknowledged, found when the log was opened. */
  readonly damages: readonly LogDamage[];

  /** Use `openAuditLog`. */
  constructor(options: AuditLogOptions, recovered: RecoveredLog, mark: AcknowledgedMark, lock: AsyncDisposable) {
    this.#lock = lock;
    this.#mark = mark;
    this.#options = options;
    this.#closed = recovered.closed;
    this.#last = recovered.last;
    this.damages = recovered.damages;
  }

  /** Position of the oldest event that is kept; that of the next one when there is none. */
  get firstPosition(): number {
    return (this.#closed[0] ?? this.#last)?.firstPosition ?? 0;
  }

  /** Position after the last event that is durable. */
  get endPosition(): number {
    return this.#last?.endPosition ?? 0;
  }

  /** The chain after the last event that is durable. */
  get chain(): Buffer {
    return this.#last?.endChain ?? chainStart;
  }

  /** Bytes on disk. */
  get bytes(): number {
    return this.#closed.reduce((sum, { bytes }) => sum + bytes, this.#last?.bytes ?? 0);
  }

  /** Bytes of batches that wait for the disk. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Segments that nothing is added to any more, oldest first. */
  get closedSegments(): readonly ClosedSegment[] {
    return this.#closed;
  }

  /** The segment at the end; undefined before the first event. */
  get lastSegment(): Readonly<OpenSegment> | undefined {
    return this.#last;
  }

  get directory(): string {
    return this.#options.directory;
  }

  /**
   * Keeps a batch: resolves to the position of its first event when all of it is on disk. Rejects with LogWriteError
   * when it cannot be, and then nothing of it is kept. Its bytes are copied at once.
   */
  append(batch: NewBatch): Promise<number> {
    if (!this.#isOpen) {
      return Promise.reject(new LogWriteError(new Error("the log is closed")));
    }
    const frame = encodeFrame(batch);
    this.#pendingBytes += frame.length;
    return new Promise((done, failed) => {
      this.#waiting.push({ frame, done, failed });
      this.#flushing ??= this.#flushAll();
    });
  }

  /**
   * The batches from a position on, in order, and those to come, until `signal` aborts. If the event at the position is
   * no longer kept, begins with the oldest one that is; a first batch that begins before the position comes without the
   * events before it. Throws RangeError for a position that the log has not reached, and LogDamagedError where a file
   * cannot be read.
   */
  readFrom(position: number, signal: AbortSignal): ReturnType<typeof readLog> {
    return readLog(this, position, signal);
  }

  /** Calls `listener` whenever there is more to read, or the log closes, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#onChange.add(listener);
    return () => this.#onChange.delete(listener);
  }

  /** Deletes the oldest segment. The last one stays: the log goes on from its end. */
  async deleteOldest(): Promise<void> {
    const [oldest] = this.#closed;
    if (oldest !== undefined) {
      await this.#mark.release(oldest.endPosition);
      this.#closed.shift();
      await removeSegment(this.directory, oldest.firstPosition);
    }
  }

  /** Waits for what is being written, takes nothing more, and lets readers end. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOpen) {
      return;
    }
    this.#isOpen = false;
    await this.#flushing;
    await this.#last?.file.close();
    await this.#mark[Symbol.asyncDispose]();
    await this.#lock[Symbol.asyncDispose]();
    this.#tellOfChange();
  }

  async #flushAll(): Promise<void> {
    // Those who come in the same turn share the first flush, too.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      await this.#flush(group);
    }
    this.#flushing = undefined;
  }

  async #flush(group: readonly Waiting[]): Promise<void> {
    try {
      const segment = await this.#segmentToWrite();
      const frames = group.map(({ frame }) => frame);
      const starts: number[] = [];
      let { bytes, endPosition, endChain } = segment;
      for (const frame of frames) {
        starts.push(endPosition);
        endChain = placeFrame(frame, endPosition, endChain);
        endPosition += countOf(frame);
        bytes += frame.length;
      }
      await writeWhole(segment.file, frames, segment.bytes);
      await segment.file.datasync();
      await this.#mark.acknowledge({ position: endPosition, chain: endChain });
      Object.assign(segment, { bytes, endPosition, endChain });
      this.#release(group);
      group.forEach(({ done }, index) => {
        done(starts[index] as number);
      });
      this.#tellOfChange();
    } catch (error) {
      this.#isDirty = true;
      this.#release(group);
      const failure = new LogWriteError(error);
      for (const { failed } of group) {
        failed(failure);
      }
    }
  }

  /** The segment at the end, clean, and a new one if that is full. */
  async #segmentToWrite(): Promise<OpenSegment> {
    const last = this.#last;
    if (this.#isDirty && last !== undefined) {
      await last.file.truncate(last.bytes);
    }
    this.#isDirty = false;
    const { segmentBytes, segmentAgeMs = dayMs, now = Date.now } = this.#options;
    const createdTimestamp = now();
    if (
      last !== undefined &&
      (last.bytes === segmentHeadBytes ||
        (last.bytes < segmentBytes && createdTimestamp - last.createdTimestamp < segmentAgeMs))
    ) {
      return last;
    }
    const head = {
      firstPosition: this.endPosition,
      createdTimestamp,
      chain: this.chain,
    };
    const file = await createSegment(this.directory, head);
    if (last !== undefined) {
      const { firstPosition, bytes, endPosition } = last;
      this.#closed.push({ firstPosition, bytes, endPosition, endedTimestamp: createdTimestamp });
      await last.file.close();
    }
    this.#last = {
      ...head,
      file,
      bytes: segmentHeadBytes,
      endPosition: head.firstPosition,
      endChain: head.chain,
    };
    return this.#last;
  }

  #release(group: readonly Waiting[]): void {
    for (const { frame } of group) {
      this.#pendingBytes -= frame.length;
    }
  }

  #tellOfChange(): void {
    for (const listener of [...this.#onChange]) {
      listener();
    }
  }
}
