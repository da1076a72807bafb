import type { Completeness } from "./completeness/completeness.js";
import type { DuplicateFilter } from "./intake/duplicate-filter.js";
import type { AuditLog } from "./log/audit-log.js";
import { LogDamagedError } from "./log/log-batch.js";

/** Who remembers what, and how much. */
export interface RecallOptions {
  readonly log: AuditLog;
  readonly duplicates: DuplicateFilter;
  readonly completeness: Completeness;
  /** Events that the filter remembers at least. */
  readonly window: number;
}

/** Reads the end of the log again, so that the sink knows after a restart what it knew before. */
export async function recallEvents({ log, duplicates, completeness, window }: RecallOptions): Promise<void> {
  const end = log.endPosition;
  const filterFrom = Math.max(0, end - window);
  let from = Math.min(filterFrom, completeness.replayFrom, end);
  while (from < end) {
    from = await recallFrom(from);
  }

  async function recallFrom(start: number): Promise<number> {
    const stop = new AbortController();
    let position = start;
    try {
      for await (const batch of log.readFrom(start, stop.signal)) {
        for (const { digest } of batch.events) {
          duplicates.add(batch.sender, digest);
        }
        completeness.replay(batch);
        position = batch.position + batch.events.length;
        if (position >= end) {
          stop.abort();
        }
      }
      return end;
    } catch (error) {
      if (error instanceof LogDamagedError) {
        // Pipelines tell of it.
        return Math.max(error.resumeAt, position);
      }
      throw error;
    }
  }
}
