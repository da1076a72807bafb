import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LmdbStoreOptions, openLmdbStore } from "../lmdb/index.js";
import type { KeyValue, Store } from "../store.js";
import type { BackupRecord } from "./backup-format.js";
import type { BackupSource } from "./backup-source.js";

/** A folder of a test, and the stores that were opened in it. */
export interface TestPlace extends AsyncDisposable {
  readonly folder: string;
  /** Returns the path of a file or folder in it. */
  path(name: string): string;
  /** Opens the store in the folder `data`, or in another one. */
  open(options?: Partial<LmdbStoreOptions>): Promise<Store>;
}

export async function testPlace(): Promise<TestPlace> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-backup-"));
  const stores: Store[] = [];
  return {
    folder,
    path: (name) => join(folder, name),
    async open(options = {}) {
      const store = await openLmdbStore({ directory: join(folder, "data"), sweepIntervalMs: 2 ** 31 - 1, ...options });
      stores.push(store);
      return store;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Writes or deletes a key whatever revision it has; answers the new revision. */
export async function change(
  store: Store,
  key: string,
  value: string | undefined,
  ttlSeconds?: number,
): Promise<number> {
  const expectedRevision = (await store.get(key)).kv?.modRevision ?? 0;
  const lifetime = ttlSeconds === undefined ? {} : { ttlSeconds };
  const result =
    value === undefined
      ? await store.delete(key, { expectedRevision })
      : await store.put(key, Buffer.from(value), { expectedRevision, ...lifetime });
  if (!result.succeeded) {
    throw new Error(`${key} was changed by somebody else`);
  }
  return result.revision;
}

/** Returns in one line all that a backup keeps of a key. */
export function line({ key, value, createRevision, modRevision, expiresAtMs = 0 }: KeyValue): string {
  return `${key} = ${value} ${createRevision}/${modRevision} ${expiresAtMs}`;
}

export function lineOfRecord(record: BackupRecord): string {
  return line({ ...record, modRevision: record.revision });
}

/** Returns the lines of all keys that a source has at a revision, sorted. */
export async function linesAt(source: BackupSource, revision: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const record of source.liveRecords(revision)) {
    lines.push(lineOfRecord(record));
  }
  return lines.sort();
}

/** Returns the lines of all keys of a store, sorted. */
export async function linesOf(store: Store, revision?: number): Promise<string[]> {
  const { kvs } = await store.range({ prefix: "", withExpiry: true, ...(revision === undefined ? {} : { revision }) });
  return kvs.map(line).sort();
}

/** Returns keys and values only: what a restore keeps. */
export function contentOf(lines: readonly string[]): string[] {
  return lines.map((text) => text.replace(/ \d+\/\d+ \d+$/, ""));
}
