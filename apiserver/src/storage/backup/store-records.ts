import { BackupError } from "../../errors/errors.js";
import type { BackupRecord, DamagedSourceKey } from "./backup-format.js";
import type { StoreState } from "./compare-stores.js";
import { readStore } from "./read-store.js";
import { changesBetween } from "./take-backup.js";

/** The keys of a store, counted. */
export interface StoreCount {
  readonly keys: number;
  readonly bytes: number;
  readonly damaged: readonly DamagedSourceKey[];
}

/** Options of a count. */
export interface CountOptions {
  readonly advance?: (keys: number) => void;
  /** Reports whether a value is one that a server writes. Default: all are. */
  readonly isWhole?: (value: Buffer) => boolean;
}

/** Reads all keys of a store as of a revision, and names those that cannot be read, or are nothing that a server writes. */
export async function countStore(
  { store, prefix, revision }: StoreState,
  { advance = () => {}, isWhole = () => true }: CountOptions = {},
): Promise<StoreCount> {
  let keys = 0;
  let bytes = 0;
  const found: DamagedSourceKey[] = [];
  for await (const { kvs, damaged } of readStore(store, { prefix, revision })) {
    for (const { key, value } of kvs) {
      if (isWhole(value)) {
        keys++;
        bytes += Buffer.byteLength(key) + value.length;
      } else {
        found.push({ key, detail: `the value of ${JSON.stringify(key)} is neither JSON nor protobuf nor encrypted` });
      }
    }
    found.push(...damaged.map((error) => ({ key: error.key ?? "", detail: error.message })));
    advance(kvs.length);
  }
  return { keys, bytes, damaged: found };
}

/** Yields the keys of a store as of a revision. Throws the damage of the first key that is damaged. */
export async function* recordsOfStore({ store, prefix, revision }: StoreState): AsyncGenerator<BackupRecord> {
  for await (const { kvs, damaged } of readStore(store, { prefix, revision })) {
    if (damaged[0] !== undefined) {
      throw damaged[0];
    }
    for (const { key, value, createRevision, modRevision, expiresAtMs = 0 } of kvs) {
      yield { isPut: true, key, revision: modRevision, createRevision, expiresAtMs, value };
    }
  }
}

/** Throws BackupError when a store has been written to after the revision that was copied. Expired keys do not count. */
export async function checkUnchanged({ store, prefix, revision }: StoreState): Promise<void> {
  const now = await store.currentRevision();
  for await (const event of changesBetween(store, prefix, revision, now)) {
    if (event.type === "put" || event.previous.expiresAtMs === undefined) {
      throw new BackupError(
        `${JSON.stringify(event.key)} was written while the store was copied; stop all servers that use the source, and run this again`,
      );
    }
  }
}
