import type { RetentionConfig } from "../config/audit-sink-config.js";
import type { AuditLog } from "./audit-log.js";

/** What may be deleted. */
export interface RetentionBounds {
  /** Of events that everybody who reads the log has had. */
  readonly retention: RetentionConfig;
  /** Of events that somebody has still to read. */
  readonly undelivered: RetentionConfig;
}

/** What was deleted. */
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
