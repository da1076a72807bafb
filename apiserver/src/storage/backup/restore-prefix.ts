import { BackupError } from "../../errors/errors.js";
import type { Store } from "../store.js";
import type { BackupRecord } from "./backup-format.js";
import { readStore } from "./read-store.js";
import { type RestoredRecords, restoreRecords } from "./restore-records.js";

/** The part of a shared store that is to hold what is restored. */
export interface RestorePrefix {
  readonly store: Store;
  /** All keys start with it. No key of the store may, unless they are to be replaced. */
  readonly prefix: string;
  /** True to delete the keys that are there. */
  readonly replace: boolean;
  /** The revision that the store must have reached before the first record is written. */
  readonly leastRevision: number;
  readonly advance?: (records: number) => void;
  /** Called with sentences for people. */
  readonly note?: (sentence: string) => void;
}

/** Keys are deleted, and revisions written, so many at a time. */
const concurrency = 128;

/**
 * Writes records into a part of a store that others use, too, and forgets the history before, so that clients with old
 * resource versions list again. A key beside the prefix says that this has not ended; where it is found, what an earlier
 * try has left is deleted. Throws BackupError.
 */
export async function restorePrefix(
  options: RestorePrefix,
  records: AsyncIterable<BackupRecord>,
): Promise<RestoredRecords> {
  const { store, prefix, note = () => {}, advance = () => {} } = options;
  await checkPrefix(options);
  if (await hasUnfinishedRestore(store, prefix)) {
    note(`an earlier restore into ${prefix} has not ended; what it has left is deleted, and this one starts again`);
  }
  await setMarker(store, prefix);
  await deleteAll(store, prefix);
  const before = await store.currentRevision();
  const restored = await restoreRecords({ store, prefix, advance }, records);
  await store.compact(before);
  await deleteAll(store, markerOf(prefix));
  return restored;
}

/** Throws BackupError when a part of a store cannot be restored to: it has keys, or revisions have not come so far. */
export async function checkPrefix({
  store,
  prefix,
  replace,
  leastRevision,
}: Pick<RestorePrefix, "store" | "prefix" | "replace" | "leastRevision">): Promise<void> {
  const { kvs, revision } = await store.range({ prefix, limit: 1 });
  if (!replace && kvs.length > 0 && !(await hasUnfinishedRestore(store, prefix))) {
    throw new BackupError(`there are keys under ${prefix} already; restore into an empty prefix, or replace them`);
  }
  if (revision < leastRevision) {
    throw new BackupError(
      `the store is at revision ${revision}, and clients have seen revisions up to ${leastRevision}: they would meet versions twice`,
    );
  }
}

/**
 * Writes keys beside the prefix until a store has reached a revision: one write makes one revision, which is all that the
 * API of etcd offers. The keys go with the restore that follows. `advance` gets the number of revisions since the last call.
 */
export async function reachRevision(
  { store, prefix, leastRevision }: Pick<RestorePrefix, "store" | "prefix" | "leastRevision">,
  advance: (revisions: number) => void,
): Promise<void> {
  const writers = Array.from({ length: concurrency }, (_, writer) => `${markerOf(prefix)}/${writer}`);
  while ((await store.currentRevision()) < leastRevision) {
    const missing = leastRevision - (await store.currentRevision());
    await inParallel(writers.slice(0, missing), async (key) => {
      let modRevision = (await store.get(key)).kv?.modRevision ?? 0;
      for (let turn = 0; turn < Math.min(1000, Math.max(1, Math.floor(missing / concurrency))); turn++) {
        const result = await store.put(key, oneByte, { expectedRevision: modRevision });
        modRevision = result.succeeded ? result.revision : (result.current?.modRevision ?? 0);
        advance(1);
      }
    });
  }
}

/** Reports whether a restore into a part of a store has begun and not ended. */
export async function hasUnfinishedRestore(store: Store, prefix: string): Promise<boolean> {
  return (await store.get(markerOf(prefix))).kv !== undefined;
}

/** The key that is there while a restore goes on. No server reads it as an object. */
function markerOf(prefix: string): string {
  return `gatehouse/unfinished-restore${prefix}`;
}

async function setMarker(store: Store, prefix: string): Promise<void> {
  const key = markerOf(prefix);
  const { kv } = await store.get(key);
  await store.put(key, Buffer.from(new Date().toISOString()), { expectedRevision: kv?.modRevision ?? 0 });
}

async function deleteAll(store: Store, prefix: string): Promise<void> {
  const revision = await store.currentRevision();
  for await (const { kvs } of readStore(store, { prefix, revision })) {
    await inParallel(kvs, async ({ key, modRevision }) => {
      const result = await store.delete(key, { expectedRevision: modRevision });
      if (!result.succeeded && result.current !== undefined) {
        throw new BackupError(`${JSON.stringify(key)} was written meanwhile; stop all servers that use ${prefix}`);
      }
    });
  }
}

const oneByte = Buffer.of(0);

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += concurrency) {
    await Promise.all(items.slice(start, start + concurrency).map(work));
  }
}
