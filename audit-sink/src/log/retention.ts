import type { RetentionConfig } from "../config/audit-sink-config.js";
import type { AuditLog } from "./audit-log.js";

/** Limits beyond which segments are deleted. */
export interface RetentionBounds {
  /** Retention of events that every reader of the log has read. */
  readonly retention: RetentionConfig;
  /** Retention of events that some reader has still to read. */
  readonly undelivered: RetentionConfig;
}

/** Number of deleted segments and events. */
export interface Deletion {
  readonly segments: number;
  readonly events: number;
}

/**
 * Deletes the oldest segments that are beyond a bound. Those with events at or after `neededFrom` are deleted only beyond
 * the bounds of what is undelivered.
 */
export async function applyRetention(
  log: AuditLog,
  bounds: RetentionBounds,
  neededFrom: number,
  now: number = Date.now(),
): Promise<Deletion> {
  let segments = 0;
  let events = 0;
  for (;;) {
    const [oldest] = log.closedSegments;
    if (oldest === undefined) {
      break;
    }
    const isNeeded = oldest.endPosition > neededFrom;
    const { maxAgeMs, maxBytes } = isNeeded ? bounds.undelivered : bounds.retention;
    if (now - oldest.endedTimestamp <= maxAgeMs && log.bytes <= maxBytes) {
      break;
    }
    await log.deleteOldest();
    segments++;
    events += oldest.endPosition - oldest.firstPosition;
  }
  return { segments, events };
}
