import { BackupError, RevisionInFutureError, StoreDamagedError } from "../../errors/errors.js";
import type { Store, StoreEvent } from "../store.js";
import type { BackupRecord, BackupTrailer, DamagedSourceKey } from "./backup-format.js";
import { type BackupFile, openBackup } from "./backup-reader.js";
import { type BackupEnd, type BackupOrigin, BackupWriter } from "./backup-writer.js";
import { forgotten, readStore } from "./read-store.js";

/** The store of a backup, and the file to make. */
export interface BackupOptions {
  readonly store: Store;
  /** Keys that do not start with it are left out. */
  readonly prefix: string;
  readonly path: string;
  /** Called with the number of records that have been added. */
  readonly advance?: (records: number) => void;
  /** Called with sentences for people. */
  readonly note?: (sentence: string) => void;
}

/** Largest number of damaged keys that a trailer names. */
const maxNamedKeys = 1000;

/**
 * Writes every key of a store as of its current revision, and checks the file before it gets its name. Writes to the store
 * go on meanwhile. Keys that the store cannot read are left out and named in the trailer. Throws BackupError.
 */
export async function takeFullBackup(options: BackupOptions): Promise<BackupFile> {
  const revision = await options.store.currentRevision();
  return await writeBackup(options, { kind: "full" }, (writer) => addAllKeys(options, revision, writer));
}

/**
 * Writes every change since the backup `previous` of the same store, and checks the file before it gets its name. Throws
 * BackupError, also when the log of changes does not reach back so far, or cannot be read.
 */
export async function takeIncrement(options: BackupOptions, previous: BackupFile): Promise<BackupFile> {
  const { store } = options;
  const { revision: afterRevision } = previous.trailer;
  const revision = await store.currentRevision();
  try {
    await checkSameStore(store, previous, revision);
    const origin = { kind: "increment", afterRevision, parent: previous.header.id } as const;
    return await writeBackup(options, origin, (writer) => addChanges(options, afterRevision, revision, writer));
  } catch (error) {
    throw forgotten(
      error,
      (oldest) =>
        new BackupError(
          `the changes since ${previous.path} (revision ${afterRevision}) are not kept any more: the log begins at revision ${oldest}; take a full backup, and increments more often than the history is forgotten (--etcd-compaction-interval of the server)`,
          { cause: error },
        ),
    );
  }
}

async function writeBackup(
  { path, note = () => {} }: BackupOptions,
  origin: BackupOrigin,
  add: (writer: BackupWriter) => Promise<BackupEnd>,
): Promise<BackupFile> {
  await using writer = await BackupWriter.create(path, origin, note);
  const trailer: BackupTrailer = await writer.finish(await add(writer));
  await openBackup(writer.unfinishedPath);
  await writer.publish();
  return { path, header: writer.header, trailer };
}

async function addAllKeys(options: BackupOptions, revision: number, writer: BackupWriter): Promise<BackupEnd> {
  const { store, prefix, advance } = options;
  const damaged: DamagedSourceKey[] = [];
  let damagedKeys = 0;
  let lastKey: string | undefined;
  try {
    for await (const page of readStore(store, { prefix, revision })) {
      for (const { key, value, createRevision, modRevision, expiresAtMs = 0 } of page.kvs) {
        await writer.add({ isPut: true, key, revision: modRevision, createRevision, expiresAtMs, value });
        lastKey = modRevision === revision ? key : lastKey;
      }
      damagedKeys += page.damaged.length;
      damaged.push(...page.damaged.slice(0, maxNamedKeys - damaged.length).map(damagedKey));
      advance?.(page.kvs.length);
    }
  } catch (error) {
    throw forgotten(
      error,
      () =>
        new BackupError(
          `the store has forgotten revision ${revision} before all of it was read; try again, or make the server keep its history longer (--etcd-compaction-interval)`,
          { cause: error },
        ),
    );
  }
  const lastChange = lastKey === undefined ? await lastDeletion(options, revision) : { key: lastKey, isPut: true };
  return { revision, damaged, damagedKeys, ...(lastChange === undefined ? {} : { lastChange }) };
}

function damagedKey(error: StoreDamagedError): DamagedSourceKey {
  return { key: error.key ?? "", detail: error.message };
}

/** Returns the change that made `revision`, if it was a deletion and is still kept. */
async function lastDeletion({ store, prefix }: BackupOptions, revision: number): Promise<BackupEnd["lastChange"]> {
  try {
    for await (const event of changesBetween(store, prefix, revision - 1, revision)) {
      if (event !== undefined && event.revision === revision) {
        return { key: event.key, isPut: event.type === "put" };
      }
    }
  } catch {
    // Forgotten or damaged; the backup is whole without.
  }
  return undefined;
}

async function addChanges(
  { store, prefix, advance }: BackupOptions,
  afterRevision: number,
  until: number,
  writer: BackupWriter,
): Promise<BackupEnd> {
  let lastChange: BackupEnd["lastChange"];
  try {
    for await (const event of changesBetween(store, prefix, afterRevision, until)) {
      await writer.add(recordOf(event));
      lastChange = event.revision === until ? { key: event.key, isPut: event.type === "put" } : undefined;
      advance?.(1);
    }
  } catch (error) {
    if (error instanceof StoreDamagedError) {
      throw new BackupError(`the log of changes cannot be read: ${error.message}; take a full backup`, {
        cause: error,
      });
    }
    throw error;
  }
  return { revision: until, damaged: [], damagedKeys: 0, ...(lastChange === undefined ? {} : { lastChange }) };
}

/** Yields the changes after one revision and up to another, which the store has reached. */
export async function* changesBetween(
  store: Store,
  prefix: string,
  afterRevision: number,
  until: number,
): AsyncGenerator<StoreEvent> {
  if (until <= afterRevision) {
    return;
  }
  const stop = new AbortController();
  try {
    for await (const batch of store.watch({ prefix, afterRevision, signal: stop.signal, withExpiry: true })) {
      yield* batch.events.filter(({ revision }) => revision <= until);
      if (batch.revision >= until) {
        return;
      }
    }
  } finally {
    stop.abort();
  }
}

function recordOf(event: StoreEvent): BackupRecord {
  const { key, revision } = event;
  if (event.type === "put") {
    const { createRevision, value, expiresAtMs = 0 } = event;
    return { isPut: true, key, revision, createRevision, expiresAtMs, value };
  }
  return { isPut: false, key, revision, createRevision: 0, expiresAtMs: 0, value: noBytes };
}

const noBytes = Buffer.alloc(0);

/** Throws BackupError when the store is another one than the one that `previous` was taken of. */
async function checkSameStore(store: Store, previous: BackupFile, currentRevision: number): Promise<void> {
  const { revision, lastChange } = previous.trailer;
  const another = (why: string): BackupError =>
    new BackupError(`${previous.path} is no backup of this store, or the store was restored since: ${why}`);
  if (currentRevision < revision) {
    throw another(`the store is at revision ${currentRevision}, before the backup's ${revision}`);
  }
  if (lastChange === undefined) {
    return;
  }
  try {
    const { kv } = await store.get(lastChange.key, { revision });
    if (lastChange.isPut ? kv?.modRevision !== revision : kv !== undefined) {
      throw another(`revision ${revision} of the store is not a change of ${JSON.stringify(lastChange.key)}`);
    }
  } catch (error) {
    if (error instanceof RevisionInFutureError) {
      throw another(`it has not reached revision ${revision}`);
    }
    throw error;
  }
}
