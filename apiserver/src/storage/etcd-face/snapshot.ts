import { WireWriter } from "@gatehouse/envelopes/codec";
import { type BoltBucket, type BoltPlan, planBoltFile } from "../bolt/index.js";
import type { HistoricChange, KeyHistory } from "../keyspace.js";
import type { Identity } from "./headers.js";
import { clusterVersion } from "./spoken-version.js";
import { versionKey, versionValue } from "./version-key.js";

/** The history to write, the identity of the store, and the time. */
export interface SnapshotParts {
  readonly history: KeyHistory;
  readonly identity: Identity;
  readonly nowMs: number;
}

/** Buckets of etcd's file that a store without members, users and alarms has, too. */
const emptyBuckets = ["alarm", "auth", "authRoles", "authUsers", "members", "members_removed"];

/** Keys that the API server has given a time to live share a lease when they expire in the same minute. */
const minuteMs = 60_000;
/** The upper half of the numbers of those leases: `gate`. The lower half is the minute. */
const minuteLeases = 0x67617465n << 32n;

/** Plans the file that etcd would have for a history. Throws StoreDamagedError. */
export async function planSnapshot(parts: SnapshotParts): Promise<BoltPlan> {
  return await planBoltFile(await snapshotBuckets(parts));
}

/** Returns the buckets of that file. Throws StoreDamagedError, as reading their entries does. */
export async function snapshotBuckets(parts: SnapshotParts): Promise<BoltBucket[]> {
  const { history } = parts;
  const minutes = new Set<number>();
  for await (const batch of history.changes()) {
    for (const { lease, expiresAtMs } of batch) {
      if (lease === 0n && expiresAtMs > 0) {
        minutes.add(minuteOf(expiresAtMs));
      }
    }
  }
  const leases = await leaseEntries(parts, minutes);
  return [
    ...emptyBuckets.map((name) => bucketOf(name, [])),
    bucketOf("cluster", [{ key: Buffer.from("clusterVersion"), value: Buffer.from(clusterVersion) }]),
    { name: "key", entries: () => versionEntries(history) },
    bucketOf("lease", leases),
    bucketOf("meta", metaEntries(parts)),
  ];
}

interface Entry {
  readonly key: Buffer;
  readonly value: Buffer;
}

function bucketOf(name: string, entries: readonly Entry[]): BoltBucket {
  const sorted = entries.toSorted((a, b) => Buffer.compare(a.key, b.key));
  return { name, entries: () => [sorted] };
}

async function* versionEntries(history: KeyHistory): AsyncGenerator<readonly Entry[]> {
  let last = 0;
  for await (const batch of history.changes()) {
    last = batch.at(-1)?.revision ?? last;
    yield batch.map((change) => ({ key: versionKey(change), value: versionValue(change, leaseOf(change)) }));
  }
  if (last < history.revision) {
    // The newest revision has left nothing; an entry without a key takes etcd there, as after a restore by etcdutl.
    const key = versionKey({ revision: history.revision, place: 0, value: noBytes });
    yield [{ key, value: noBytes }];
  }
}

const noBytes = Buffer.alloc(0);

function minuteOf(expiresAtMs: number): number {
  return Math.ceil(expiresAtMs / minuteMs);
}

function leaseOf({ lease, expiresAtMs }: HistoricChange): bigint {
  return lease === 0n && expiresAtMs > 0 ? minuteLeases + BigInt(minuteOf(expiresAtMs)) : lease;
}

async function leaseEntries({ history, nowMs }: SnapshotParts, minutes: ReadonlySet<number>): Promise<Entry[]> {
  const granted = (await history.leases()).map(({ lease, ttlSeconds }) => leaseEntry(lease, ttlSeconds));
  const ofMinutes = [...minutes].map((minute) =>
    leaseEntry(minuteLeases + BigInt(minute), Math.max(1, Math.ceil((minute * minuteMs - nowMs) / 1000))),
  );
  return [...granted, ...ofMinutes];
}

function leaseEntry(lease: bigint, ttlSeconds: number): Entry {
  const key = Buffer.alloc(8);
  key.writeBigUInt64BE(lease);
  const writer = new WireWriter(24);
  writer.varint(ttlSeconds);
  writer.byte(0x10); // field 2, a number
  writer.varint64(lease);
  writer.byte(0x08); // field 1, a number
  return { key, value: writer.finish() };
}

function metaEntries({ history: { revision, compactRevision }, identity: { memberId } }: SnapshotParts): Entry[] {
  const entry = (key: string, value: Buffer | string): Entry => ({ key: Buffer.from(key), value: Buffer.from(value) });
  const compacted = versionKey({ revision: compactRevision, place: 0, value: noBytes });
  return [
    entry("consistent_index", bigEndian(BigInt(revision))),
    entry("term", bigEndian(1n)),
    entry("confState", `{"voters":[${memberId}],"auto_leave":false}`),
    ...(compactRevision > 0 ? [entry("scheduledCompactRev", compacted), entry("finishedCompactRev", compacted)] : []),
  ];
}

function bigEndian(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}
