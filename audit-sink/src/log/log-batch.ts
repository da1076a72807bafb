import type { Digest } from "./digest.js";

/** One event as it is kept: its JSON as it was sent, on one line. */
export interface KeptEvent {
  readonly bytes: Buffer;
  /** SHA-256 of `bytes`, from `digestOf`. */
  readonly digest: Digest;
  /** Place in the batch in which it was sent, counted from 0: events known from before are left out and leave holes. */
  readonly offset: number;
}

/** Events that came in one request, before they have a place in the log. */
export interface NewBatch {
  /** Name of the sender in the configuration. */
  readonly sender: string;
  /** Name that the sender gives to the process of the events. Absent when it does not number them. */
  readonly source?: string;
  /** Number of the first event of the batch at its source; that of any other is this and its `offset`. */
  readonly sequence?: number;
  /** Number of events in the request, those that were left out included. Absent where `sequence` is. */
  readonly received?: number;
  /** Time of the request, in milliseconds since 1970 by this machine's clock. */
  readonly receivedTimestamp: number;
  /** Events of the batch, at least one. */
  readonly events: readonly KeptEvent[];
}

/** Events as they stand in the log. */
export interface LogBatch extends NewBatch {
  /** Position of the first event; the others follow one by one. The first event of a log has position 0. */
  readonly position: number;
}

/** Metadata of an event, known without reading its JSON. */
export interface EventEntry extends Omit<KeptEvent, "bytes"> {
  /** Length of its JSON in bytes. */
  readonly length: number;
}

/** A batch of the log as its index tells it, without the events themselves. */
export interface BatchIndex extends Omit<LogBatch, "events"> {
  readonly events: readonly EventEntry[];
}

/** A part of the log cannot be read: its file has been damaged. */
export class LogDamagedError extends Error {
  override readonly name = "LogDamagedError";
  /** Position of the first event that cannot be read. */
  readonly position: number;
  /**
   * Position of the first event after it that should be readable: the start of the next segment, or the end of the log.
   */
  readonly resumeAt: number;

  constructor(path: string, offset: number, position: number, resumeAt: number) {
    super(`${path} is damaged at byte ${offset}`);
    this.position = position;
    this.resumeAt = resumeAt;
  }
}

/** The log cannot take events now: the disk is full or fails. Nothing of the batch is kept; the next try may succeed. */
export class LogWriteError extends Error {
  override readonly name = "LogWriteError";
  /** Error code of the operating system: `ENOSPC` when the disk is full. */
  readonly code: string;

  constructor(cause: unknown) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
    super(`the log cannot be written (${code})`, { cause });
    this.code = code;
  }
}
