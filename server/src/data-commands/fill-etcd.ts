import {
  type BackupRecord,
  checkPrefix,
  type RestoredRecords,
  reachRevision,
  restorePrefix,
} from "@gatehouse/apiserver/storage/backup";
import type { CommandIo } from "@gatehouse/component-base/commands";
import { CommandError } from "@gatehouse/component-base/errors";
import { type ProgressOf, withProgress } from "./command-progress.js";
import type { CommandStore } from "./open-command-store.js";

/** The keys to write into etcd, and how. */
export interface EtcdFilling {
  readonly records: AsyncIterable<BackupRecord>;
  /** The newest revision of the store that the keys come from: clients have seen those up to it. */
  readonly newestRevision: number;
  /** The distance above it at which revisions are to go on; undefined when the user has not said. */
  readonly bump: number | undefined;
  /** True to delete the keys that are there. */
  readonly replace: boolean;
  readonly progress: ProgressOf;
}

/**
 * Fills a prefix of etcd, with progress, after its revisions have gone beyond those that clients have seen. Throws
 * CommandError when etcd has not come so far, and the user has not asked for the writes that it takes; BackupError when
 * there are keys.
 */
export async function fillEtcd(
  { store, prefix, name }: CommandStore,
  { records, newestRevision, bump, replace, progress }: EtcdFilling,
  io: CommandIo,
): Promise<RestoredRecords> {
  const current = await store.currentRevision();
  await checkPrefix({ store, prefix, replace, leastRevision: 0 });
  if (bump === undefined && current < newestRevision) {
    throw new CommandError(
      `${name} is at revision ${current}, and what is copied at ${newestRevision}, so clients would meet versions twice; give --bump-revision, or begin with an etcd whose revisions \`etcdutl snapshot restore --bump-revision --mark-compacted\` has moved on`,
    );
  }
  const leastRevision = newestRevision + (bump ?? 0);
  const revisions = { label: `moving ${name} on to revision ${leastRevision}`, unit: "revisions" };
  await withProgress(io, { ...revisions, total: Math.max(0, leastRevision - current) }, (advance) =>
    reachRevision({ store, prefix, leastRevision }, advance),
  );
  return await withProgress(io, progress, (advance) =>
    restorePrefix({ store, prefix, replace, leastRevision, advance, note: io.printError }, records),
  );
}
