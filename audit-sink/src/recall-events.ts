import type { Completeness } from "./completeness/completeness.js";
import type { DuplicateFilter } from "./intake/duplicate-filter.js";
import type { AuditLog } from "./log/audit-log.js";
import { readIndexes } from "./log/read-indexes.js";
import type { SinkLog } from "./sink-log.js";

/** The parts that are filled from the log, and how much is read. */
export interface RecallOptions {
  readonly log: AuditLog;
  readonly duplicates: DuplicateFilter;
  readonly completeness: Completeness;
  /** Events that the filter remembers at least. */
  readonly window: number;
  readonly sinkLog: SinkLog;
}

/** Number of batches after which excess sources are reported and forgotten. */
const batchesInARow = 1000;

/** Reads the end of the log again, so that the sink knows after a restart what it knew before. */
export async function recallEvents({ log, duplicates, completeness, window, sinkLog }: RecallOptions): Promise<void> {
  const { replayFrom } = completeness;
  const from = Math.min(log.endPosition - window, replayFrom);
  let batches = 0;
  for await (const batch of readIndexes(log, from)) {
    for (const { digest } of batch.events) {
      duplicates.add(batch.sender, digest);
    }
    if (batch.position + batch.events.length > replayFrom) {
      completeness.replay(batch);
    }
    batches++;
    if (batches % batchesInARow === 0) {
      // What a full disk does not take now is reported by the upkeep, and remembered until then.
      await completeness.report().catch((error: Error) => sinkLog.upkeepFailed(error));
    }
  }
}
