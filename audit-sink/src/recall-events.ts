import type { Completeness } from "./completeness/completeness.js";
import type { DuplicateFilter } from "./intake/duplicate-filter.js";
import type { AuditLog } from "./log/audit-log.js";
import { readIndexes } from "./log/read-indexes.js";

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
  const from = Math.min(log.endPosition - window, completeness.replayFrom);
  for await (const batch of readIndexes(log, from)) {
    for (const { digest } of batch.events) {
      duplicates.add(batch.sender, digest);
    }
    completeness.replay(batch);
  }
}
