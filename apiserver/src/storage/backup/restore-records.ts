import { BackupError } from "../../errors/errors.js";
import type { Store } from "../store.js";
import type { BackupRecord } from "./backup-format.js";
import { ContentDigest } from "./content-digest.js";
import { readStore } from "./read-store.js";

/** Writes are made so many at a time, or as many as come to so many bytes. */
const batchRecords = 512;
const batchBytes = 8 * 2 ** 20;

/** The result of writing records into a store. */
export interface RestoredRecords {
  readonly keys: number;
  /** Number of keys that were left out because they have expired since. */
  readonly expiredKeys: number;
}

/** The store that records are written to. */
export interface RestoreTarget {
  readonly store: Store;
  /** Keys that do not start with it are not there before, and are not looked at. */
  readonly prefix: string;
  readonly now?: () => number;
  /** Called with the number of records that have been written, or read back. */
  readonly advance?: (records: number) => void;
}

/**
 * Writes records into a store that has none of their keys, reads everything back and compares it. A key that expires keeps
 * its time; one whose time has passed is left out. Throws BackupError.
 */
export async function restoreRecords(
  { store, prefix, now = Date.now, advance = () => {} }: RestoreTarget,
  records: AsyncIterable<BackupRecord>,
): Promise<RestoredRecords> {
  const written = new ContentDigest();
  const expiringKeys = new Set<string>();
  let keys = 0;
  let expiredKeys = 0;
  for await (const batch of batchesOf(records)) {
    const live = batch.filter(({ expiresAtMs }) => expiresAtMs === 0 || expiresAtMs > now());
    await Promise.all(live.map((record) => restoreRecord(store, record, now)));
    for (const { key, value, expiresAtMs } of live) {
      if (expiresAtMs === 0) {
        written.add(key, value);
      } else {
        expiringKeys.add(key); // it may expire before it is read back
      }
    }
    keys += live.length;
    expiredKeys += batch.length - live.length;
    advance(batch.length);
  }
  const readBack = await digestOf(store, prefix, (key) => !expiringKeys.has(key), advance);
  if (!written.equals(readBack)) {
    throw new BackupError(
      `what is read back is not what was written (keys written: ${written.keys}, keys found: ${readBack.keys})`,
    );
  }
  return { keys, expiredKeys };
}

async function restoreRecord(store: Store, record: BackupRecord, now: () => number): Promise<void> {
  const { key, value, expiresAtMs } = record;
  const lifetime = expiresAtMs === 0 ? {} : { ttlSeconds: Math.max(0.001, (expiresAtMs - now()) / 1000) };
  const result = await store.put(key, value, { expectedRevision: 0, ...lifetime });
  if (!result.succeeded) {
    throw new BackupError(`the key ${JSON.stringify(key)} is there already: something else writes to the store`);
  }
}

async function* batchesOf(records: AsyncIterable<BackupRecord>): AsyncGenerator<readonly BackupRecord[]> {
  let batch: BackupRecord[] = [];
  let bytes = 0;
  for await (const record of records) {
    batch.push(record);
    bytes += record.value.length;
    if (batch.length >= batchRecords || bytes >= batchBytes) {
      yield batch;
      batch = [];
      bytes = 0;
    }
  }
  if (batch.length > 0) {
    yield batch;
  }
}

async function digestOf(
  store: Store,
  prefix: string,
  isWanted: (key: string) => boolean,
  advance: (records: number) => void,
): Promise<ContentDigest> {
  const digest = new ContentDigest();
  const revision = await store.currentRevision();
  for await (const { kvs, damaged } of readStore(store, { prefix, revision })) {
    if (damaged[0] !== undefined) {
      throw new BackupError(`what was written cannot be read back: ${damaged[0].message}`);
    }
    for (const { key, value } of kvs) {
      if (isWanted(key)) {
        digest.add(key, value);
      }
    }
    advance(kvs.length);
  }
  return digest;
}
