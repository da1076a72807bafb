import { RevisionCompactedError, RevisionInFutureError } from "../../errors/errors.js";
import type { HistoricChange, KeyHistory } from "../keyspace.js";
import { crc32c } from "./crc32c.js";
import { versionKey, versionValue } from "./version-key.js";

/** The name of etcd's bucket of versions, with which the hash begins. */
const bucketName = Buffer.from("key");

/** The hash of a history, as the answer has it. */
export interface HistoryHash {
  readonly hash: number;
  readonly compactRevision: number;
  /** The revision up to which changes count. */
  readonly hashRevision: number;
  readonly newestRevision: number;
}

/**
 * Computes the hash of all changes up to a revision (0: the newest) as a member of etcd does, so that two stores with the
 * same history have the same. Versions up to the compact revision count if they are live at `revision`; if no key is live
 * there, those that are live at the compact revision do. Throws RevisionCompactedError and RevisionInFutureError.
 */
export async function hashOfHistory(history: KeyHistory, wanted: number): Promise<HistoryHash> {
  const { revision: newestRevision, compactRevision } = history;
  if (wanted > 0 && wanted < compactRevision) {
    throw new RevisionCompactedError(compactRevision);
  }
  if (wanted > newestRevision) {
    throw new RevisionInFutureError(newestRevision);
  }
  const revision = wanted > 0 ? wanted : newestRevision;
  const isLive = (change: HistoricChange): boolean =>
    change.value !== undefined && history.supersededBy(change) > revision;
  let hasLive = false;
  let hash = crc32c(bucketName);
  let hashWithoutLive = hash;
  const answer = (): HistoryHash => ({
    hash: hasLive ? hash : hashWithoutLive,
    compactRevision,
    hashRevision: revision,
    newestRevision,
  });
  for await (const batch of history.changes()) {
    for (const change of batch) {
      if (change.revision > revision) {
        return answer();
      }
      const isNew = change.revision > compactRevision;
      const counts = isNew || isLive(change);
      hasLive ||= isNew ? isLive(change) : counts;
      if (counts) {
        hash = add(hash, change);
      }
      if (!hasLive) {
        hashWithoutLive = add(hashWithoutLive, change);
      }
    }
  }
  return answer();
}

function add(hash: number, change: HistoricChange): number {
  return crc32c(versionValue(change), crc32c(versionKey(change), hash));
}
