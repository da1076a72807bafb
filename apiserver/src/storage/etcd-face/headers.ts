import type { EtcdKeyValue, ResponseHeader } from "../etcd/api/index.js";
import type { KeyVersion } from "../keyspace.js";

/** The identity of the store as clients of etcd see it: a cluster of one member, which leads. */
export interface Identity {
  readonly clusterId: bigint;
  readonly memberId: bigint;
}

/** The number of elections that the answers tell; a single member needs one. */
const raftTerm = 1n;

/** Makes the header of an answer. */
export function headerOf({ clusterId, memberId }: Identity, revision: number): ResponseHeader {
  return { clusterId, memberId, revision, raftTerm };
}

/** Makes the header of an answer inside of a transaction, which has a revision only. */
export function innerHeader(revision: number): ResponseHeader {
  return { clusterId: 0n, memberId: 0n, revision, raftTerm: 0n };
}

const noBytes = Buffer.alloc(0);

/** Returns a key with its value as etcd sends it. */
export function keyValueOf({ key, value, createRevision, modRevision, version, lease }: KeyVersion): EtcdKeyValue {
  return { key: Buffer.from(key), createRevision, modRevision, version, value, lease };
}

/** Returns a key without its value. */
export function keyOnlyOf(kv: KeyVersion): EtcdKeyValue {
  return keyValueOf({ ...kv, value: noBytes });
}
