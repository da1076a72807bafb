import { StepMeter, TimeSlice } from "@gatehouse/envelopes/scheduling";
import type { Transaction } from "lmdb";
import { RevisionCompactedError, RevisionInFutureError, StoreDamagedError } from "../../errors/errors.js";
import type { KeyValue, RangeOptions, RangeResult } from "../store.js";
import { isWhole } from "./checksum.js";
import { historyKeyLength, prefixEnd, readInteger, type StoreState } from "./layout.js";
import type { Reader } from "./reader.js";

/** The number of keys that are read in one step. */
const keysPerStep = 64;

/** Throws when the store does not have (or no longer, or not yet) the state as of `revision`. */
export function checkRevision(state: StoreState, revision: number): void {
  if (revision > state.revision) {
    throw new RevisionInFutureError(state.revision);
  }
  if (revision < state.compactRevision) {
    throw new RevisionCompactedError(state.compactRevision);
  }
}

/**
 * Reads a range; `reader` must stand at one moment, given by `transaction`. Throws RevisionInFutureError,
 * RevisionCompactedError, and StoreDamagedError where damage hides which keys there are.
 */
export async function readRange(reader: Reader, transaction: Transaction, options: RangeOptions): Promise<RangeResult> {
  try {
    return await readAt(reader, transaction, options);
  } catch (error) {
    throw reader.thrown(error);
  }
}

async function readAt(reader: Reader, transaction: Transaction, options: RangeOptions): Promise<RangeResult> {
  const state = reader.state();
  const revision = options.revision ?? state.revision;
  checkRevision(state, revision);
  const bounds = rangeBounds(options);
  if (revision === state.revision) {
    return readCurrent(reader, transaction, bounds, options.limit ?? Number.POSITIVE_INFINITY, revision);
  }
  return readHistoric(reader, transaction, bounds, options.limit ?? Number.POSITIVE_INFINITY, revision);
}

interface Bounds {
  readonly start: Buffer;
  readonly end?: Buffer;
}

function rangeBounds({ prefix, startKey }: RangeOptions): Bounds {
  const prefixBytes = Buffer.from(prefix);
  const startBytes = Buffer.from(startKey ?? "");
  const start = Buffer.compare(startBytes, prefixBytes) > 0 ? startBytes : prefixBytes;
  const end = prefixEnd(prefixBytes);
  // LMDB wants a start, and no key is smaller than this one.
  return { start: start.length > 0 ? start : Buffer.of(0), ...(end === undefined ? {} : { end }) };
}

function isEmpty({ start, end }: Bounds): boolean {
  return end !== undefined && Buffer.compare(start, end) >= 0;
}

async function readCurrent(
  reader: Reader,
  transaction: Transaction,
  bounds: Bounds,
  limit: number,
  revision: number,
): Promise<RangeResult> {
  const found = new FoundKeys();
  if (isEmpty(bounds)) {
    return { revision, kvs: found.kvs, damaged: found.damaged, more: false };
  }
  const slice = new TimeSlice();
  const meter = new StepMeter(keysPerStep);
  const { keys } = reader.tables;
  for (const { key, value } of keys.getRange({ ...bounds, transaction })) {
    if (found.count >= limit) {
      return { revision, kvs: found.kvs, damaged: found.damaged, more: true };
    }
    found.add(key, (text) => reader.keyValueOf(text, reader.headOf(key, value)));
    if (meter.count()) {
      await slice.yield();
    }
  }
  return { revision, kvs: found.kvs, damaged: found.damaged, more: false };
}

/** The keys of a range, whole and damaged. */
class FoundKeys {
  readonly kvs: KeyValue[] = [];
  readonly damaged: StoreDamagedError[] = [];

  get count(): number {
    return this.kvs.length + this.damaged.length;
  }

  add(key: Buffer, read: (key: string) => KeyValue): void {
    const text = key.toString();
    try {
      this.kvs.push(read(text));
    } catch (error) {
      if (!(error instanceof StoreDamagedError) || !Buffer.from(text).equals(key)) {
        throw error; // the key itself is garbled: what else is not in its place cannot be told
      }
      this.damaged.push(error);
    }
  }
}

/** A key as it was, before its value is read. */
interface Version {
  readonly key: Buffer;
  readonly modRevision: number;
  /** The damage that leaves it open whether the key had this version; undefined when that is known. */
  readonly damage: StoreDamagedError | undefined;
}

/** Reads a range as of an older revision: a key is either unchanged since, or its version of then is in the history. */
async function readHistoric(
  reader: Reader,
  transaction: Transaction,
  bounds: Bounds,
  limit: number,
  revision: number,
): Promise<RangeResult> {
  const found = new FoundKeys();
  if (isEmpty(bounds)) {
    return { revision, kvs: found.kvs, damaged: found.damaged, more: false };
  }
  const slice = new TimeSlice();
  const meter = new StepMeter(keysPerStep);
  const superseded = await readSuperseded(reader, transaction, bounds, revision, slice);
  let next = 0;
  let more = false;
  const take = (key: Buffer, versionOf: (text: string) => KeyValue) => {
    if (found.count < limit) {
      found.add(key, versionOf);
    } else {
      more = true;
    }
  };
  const takeSuperseded = ({ key, modRevision, damage }: Version) =>
    take(key, (text) => {
      if (damage !== undefined) {
        throw damage;
      }
      return reader.keyValue(text, modRevision);
    });
  for (const { key, value } of reader.tables.keys.getRange({ ...bounds, transaction })) {
    for (; next < superseded.length && Buffer.compare((superseded[next] as Version).key, key) < 0; next++) {
      takeSuperseded(superseded[next] as Version);
    }
    // A damaged head may have been there at that time: that is for `take` to find out, by looking again.
    if (!isWhole(value, 0) || readInteger(value, 0) <= revision) {
      const head = Buffer.from(value);
      take(key, (text) => reader.keyValueOf(text, reader.headOf(key, head)));
    }
    if (more) {
      break;
    }
    if (meter.count()) {
      await slice.yield();
    }
  }
  for (; next < superseded.length && !more; next++) {
    takeSuperseded(superseded[next] as Version);
  }
  return { revision, kvs: found.kvs, damaged: found.damaged, more };
}

/** Returns the versions that were live at `revision` and have been superseded since, in key order. */
async function readSuperseded(
  reader: Reader,
  transaction: Transaction,
  bounds: Bounds,
  revision: number,
  slice: TimeSlice,
): Promise<Version[]> {
  const versions: Version[] = [];
  const meter = new StepMeter(keysPerStep);
  for (const { key: historyKey, value } of reader.tables.history.getRange({ ...bounds, transaction })) {
    const keyLength = historyKeyLength(historyKey);
    const modRevision = readInteger(historyKey, keyLength + 1);
    const key = historyKey.subarray(0, keyLength);
    if (modRevision <= revision && Buffer.compare(key, bounds.start) >= 0) {
      const version = supersededAfter(reader, historyKey, value, revision);
      if (version !== false) {
        versions.push({ key, modRevision, damage: version === true ? undefined : version });
      }
    }
    if (meter.count()) {
      await slice.yield();
    }
  }
  // History is in key order already, save for keys that contain zero bytes.
  return versions.sort((a, b) => Buffer.compare(a.key, b.key));
}

/** Reports whether a version was superseded after `revision`; returns the damage when that is unknown. */
function supersededAfter(
  reader: Reader,
  historyKey: Buffer,
  value: Buffer,
  revision: number,
): boolean | StoreDamagedError {
  try {
    return reader.supersededOf(historyKey, value) > revision;
  } catch (error) {
    if (error instanceof StoreDamagedError) {
      return error;
    }
    throw error;
  }
}
