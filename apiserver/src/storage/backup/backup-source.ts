import type { BackupRecord, DamagedSourceKey } from "./backup-format.js";

/** A source from which a store can be restored: a chain of backups, a snapshot of etcd. */
export interface BackupSource {
  /** The description for people: file names. */
  readonly name: string;
  /** The oldest and the newest revision that can be restored. */
  readonly oldestRevision: number;
  readonly newestRevision: number;
  /** The keys that are missing, since they could not be read when the backup was taken. */
  readonly damaged: readonly DamagedSourceKey[];
  readonly damagedKeys: number;
  /**
   * Yields a put for each key that lived at `revision`, in any order, each key once. The iteration throws BackupError when
   * the source turns out to be damaged; only its end says that everything was whole.
   */
  liveRecords(revision: number): AsyncIterable<BackupRecord>;
}
