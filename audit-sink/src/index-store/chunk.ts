import type { EventField } from "./event-fields.js";

/**
 * Consecutive events of the log, laid out in columns: row r is the event at `firstPosition + r`. What a search looks at
 * is apart from the events themselves, so that a few kilobytes tell whether a chunk holds anything of interest.
 */
export interface Chunk {
  /** Position in the log of the first event. */
  readonly firstPosition: number;
  readonly count: number;
  /** Microseconds since 1970, of the earliest and the latest event. */
  readonly minTimeUs: number;
  readonly maxTimeUs: number;
  /** Size on disk in bytes; of a chunk in memory, the size that it would have there. */
  readonly bytes: number;
  /** True if retention has deleted the chunk while it was in use. No other member may be used then. */
  readonly isGone: boolean;
  /** Microseconds since 1970, by row. */
  times(): Float64Array;
  column(field: EventField): Column;
  /** Hash of the audit ID, by row. */
  auditIdHashes(): Uint32Array;
  /** Bytes of the event as it was sent, by row. */
  sizes(): Uint32Array;
  /** The event as JSON. */
  eventAt(row: number): Buffer;
}

/** One field of all rows: numbers into a list of the different texts. Read from disk as it is asked for. */
export interface Column {
  /** Returns the id of each row's value. */
  ids(): Uint16Array;
  /** Returns the hash of each id's text. Cheaper than `values`, so look here first. */
  hashes(): Uint32Array;
  /** Returns the text of each id. */
  values(): readonly string[];
}

/** Hash by which texts are looked for (FNV-1a over UTF-16 units). Equal hashes are to be verified. */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}
