import type { EtcdKeyValue } from "../etcd/api/index.js";
import type { HistoricChange } from "../keyspace.js";
import { encodeKeyValue } from "./encode-answers.js";

const versionKeyBytes = 17;
const deletionMark = 0x74;

/** Returns the key under which etcd stores a change: its revision, `_`, its place, and `t` behind that of a deletion. */
export function versionKey({ revision, place, value }: Pick<HistoricChange, "revision" | "place" | "value">): Buffer {
  const key = Buffer.alloc(value === undefined ? versionKeyBytes + 1 : versionKeyBytes);
  key.writeBigUInt64BE(BigInt(revision), 0);
  key.write("_", 8);
  key.writeBigUInt64BE(BigInt(place), 9);
  if (value === undefined) {
    key[versionKeyBytes] = deletionMark;
  }
  return key;
}

/** Returns the value that etcd stores for a change: the version of the key, or the key alone that was deleted. */
export function versionValue(change: HistoricChange, lease: bigint = change.lease): Buffer {
  const { key, value, revision, createRevision, version } = change;
  const kv: Partial<EtcdKeyValue> =
    value === undefined ? { key } : { key, value, createRevision, modRevision: revision, version, lease };
  return encodeKeyValue(kv);
}
