import { StepMeter, type Steps, TimeSlice } from "@gatehouse/envelopes/scheduling";
import { RevisionCompactedError, RevisionInFutureError, StoreDamagedError } from "../../errors/errors.js";
import type { KeyInterval, KeysFound, KeyVersion } from "../keyspace.js";
import type { RangeOptions, RangeResult } from "../store.js";
import { isWhole } from "./checksum.js";
import { intervalOfPrefix, isEmpty, isWithin } from "./key-interval.js";
import { decodeKeyHead, historyKeyLength, type KeyHead, readInteger, type StoreState } from "./layout.js";
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

/** The keys to read: of an interval, at most `limit`, at `revision` or now. */
interface RangeWanted {
  readonly keys: KeyInterval;
  readonly limit: number;
  readonly revision?: number | undefined;
  /** True to count the keys beyond the limit as well. */
  readonly countsAll: boolean;
}

/** The keys of a range, whole and damaged, and how many there are beyond the limit, at least. */
export interface RangeFound<T> {
  readonly state: StoreState;
  readonly kvs: readonly T[];
  readonly damaged: readonly StoreDamagedError[];
  readonly beyond: number;
}

/** The part of a key's head that a read of the key needs. */
type KeyAt = Pick<KeyHead, "modRevision" | "expiresAtMs">;

/** A function that reads the value of one version of a key. */
type ReadVersion<T> = (key: string, at: KeyAt) => T;

/**
 * Reads the range of `Store.range`; `reader` must stand at one moment. Throws RevisionInFutureError,
 * RevisionCompactedError, and StoreDamagedError where damage hides which keys there are.
 */
export async function readRange(reader: Reader, options: RangeOptions): Promise<RangeResult> {
  const { limit = Number.POSITIVE_INFINITY, revision, withExpiry = false } = options;
  const wanted = { keys: intervalOf(options), limit, revision, countsAll: false };
  const steps = readSteps(reader, wanted, (key, at) =>
    withExpiry ? reader.keyValueWithExpiry(key, at) : reader.keyValueOf(key, at),
  );
  const { state, kvs, damaged, beyond } = await runInSlices(steps);
  return { revision: revision ?? state.revision, kvs, damaged, more: beyond > 0 };
}

/**
 * Reads a range in steps; `reader` must stand at one moment. `now` is the state of that moment, by default the stored one.
 * Throws what readRange throws.
 */
export function* readSteps<T>(
  reader: Reader,
  wanted: RangeWanted,
  read: ReadVersion<T>,
  now?: StoreState,
): Steps<RangeFound<T>> {
  try {
    const state = now ?? reader.state();
    const revision = wanted.revision ?? state.revision;
    checkRevision(state, revision);
    const found = new FoundKeys<T>(wanted, read);
    if (!isEmpty(wanted.keys)) {
      // LMDB wants a start, and no key is smaller than this one.
      const { start, end } = wanted.keys;
      const keys = { start: start.length > 0 ? start : Buffer.of(0), ...(end === undefined ? {} : { end }) };
      yield* revision === state.revision
        ? readCurrent(reader, keys, found)
        : readHistoric(reader, keys, revision, found);
    }
    return { state, kvs: found.kvs, damaged: found.damaged, beyond: found.beyond };
  } catch (error) {
    throw reader.thrown(error);
  }
}

/** Returns the keys of a range for those who want all or nothing. Throws the first damage. */
export function foundKeys({ state, kvs, damaged, beyond }: RangeFound<KeyVersion>): KeysFound {
  const [damage] = damaged;
  if (damage !== undefined) {
    throw damage;
  }
  return { newestRevision: state.revision, kvs, count: kvs.length + beyond };
}

/** Runs steps, and lets other work run between them when it is time for that. */
export async function runInSlices<T>(steps: Steps<T>): Promise<T> {
  const slice = new TimeSlice();
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      return step.value;
    }
    await slice.yield();
  }
}

function intervalOf({ prefix, startKey }: RangeOptions): KeyInterval {
  const keys = intervalOfPrefix(Buffer.from(prefix));
  const start = Buffer.from(startKey ?? "");
  return Buffer.compare(start, keys.start) > 0 ? { ...keys, start } : keys;
}

function* readCurrent<T>(reader: Reader, keys: KeyInterval, found: FoundKeys<T>): Steps {
  const meter = new StepMeter(keysPerStep);
  for (const { key, value } of reader.entries("keys", keys)) {
    found.add(key, () => reader.headOf(key, value));
    if (found.isComplete) {
      return;
    }
    if (meter.count()) {
      yield;
    }
  }
}

/** The keys of a range, whole and damaged. */
class FoundKeys<T> {
  readonly kvs: T[] = [];
  readonly damaged: StoreDamagedError[] = [];
  /** Number of keys that the limit leaves out, as far as they were counted. */
  beyond = 0;
  readonly #limit: number;
  readonly #countsAll: boolean;
  readonly #read: ReadVersion<T>;

  constructor({ limit, countsAll }: RangeWanted, read: ReadVersion<T>) {
    this.#limit = limit;
    this.#countsAll = countsAll;
    this.#read = read;
  }

  /** The number of keys that may still make a difference before `isComplete`. */
  get room(): number {
    return this.#countsAll ? Number.POSITIVE_INFINITY : this.#limit - this.kvs.length - this.damaged.length;
  }

  /** True if no further key makes a difference. */
  get isComplete(): boolean {
    return this.beyond > 0 && !this.#countsAll;
  }

  add(key: Buffer, place: () => KeyAt): void {
    if (this.kvs.length + this.damaged.length >= this.#limit) {
      this.beyond++;
      return;
    }
    const text = key.toString();
    try {
      this.kvs.push(this.#read(text, place()));
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

/** Bounds of the number of keys whose heads are read before the history of the interval that they span. */
const stretch = { leastKeys: 64, mostKeys: 1024 };

/**
 * Reads a range as of an older revision: a key is either unchanged since, or its version of then is in the history. Goes
 * from stretch to stretch of the keys, so that a page of a list reads neither a key twice nor the history of the pages
 * after it.
 */
function* readHistoric<T>(reader: Reader, keys: KeyInterval, revision: number, found: FoundKeys<T>): Steps {
  let start: Buffer | undefined = keys.start;
  while (start !== undefined && !found.isComplete) {
    const wanted = Math.min(stretch.mostKeys, Math.max(stretch.leastKeys, found.room + 1));
    const heads: HeadOfKey[] = yield* readHeads(reader, { ...keys, start }, wanted);
    const last = heads.length < wanted ? undefined : heads[heads.length - 1];
    const next: Buffer | undefined = last && Buffer.concat([last.key, Buffer.of(0)]);
    const interval = next === undefined ? { ...keys, start } : { start, end: next };
    yield* addStretch(reader, heads, yield* readSuperseded(reader, interval, revision), revision, found);
    start = next;
  }
}

/** A key and its head. */
interface HeadOfKey {
  readonly key: Buffer;
  /** The head of the key; undefined when it is damaged. */
  readonly head: KeyHead | undefined;
}

/** Returns the heads of the first `wanted` keys of an interval. */
function* readHeads(reader: Reader, keys: KeyInterval, wanted: number): Steps<HeadOfKey[]> {
  const heads: HeadOfKey[] = [];
  const meter = new StepMeter(keysPerStep);
  for (const { key, value } of reader.entries("keys", keys)) {
    heads.push({ key, head: isWhole(value, 0) ? decodeKeyHead(value) : undefined });
    if (heads.length === wanted) {
      break;
    }
    if (meter.count()) {
      yield;
    }
  }
  return heads;
}

/** Adds the keys that were there at `revision`, from the heads of a stretch and the superseded versions in it. */
function* addStretch<T>(
  reader: Reader,
  heads: readonly HeadOfKey[],
  superseded: readonly Version[],
  revision: number,
  found: FoundKeys<T>,
): Steps {
  const meter = new StepMeter(keysPerStep);
  let next = 0;
  const takeSuperseded = ({ key, modRevision, damage }: Version) =>
    found.add(key, () => {
      if (damage !== undefined) {
        throw damage;
      }
      return { modRevision, expiresAtMs: 0 };
    });
  for (const { key, head } of heads) {
    for (; next < superseded.length && Buffer.compare((superseded[next] as Version).key, key) < 0; next++) {
      takeSuperseded(superseded[next] as Version);
    }
    // A key with a damaged head may have been there at that time.
    if (head === undefined || head.modRevision <= revision) {
      found.add(key, () => head ?? reader.refuseHead(key));
    }
    if (found.isComplete) {
      return;
    }
    if (meter.count()) {
      yield;
    }
  }
  for (; next < superseded.length && !found.isComplete; next++) {
    takeSuperseded(superseded[next] as Version);
  }
}

/** Returns the versions that were live at `revision` and have been superseded since, in key order. */
function* readSuperseded(reader: Reader, keys: KeyInterval, revision: number): Steps<Version[]> {
  const versions: Version[] = [];
  const meter = new StepMeter(keysPerStep);
  for (const { key: historyKey, value } of reader.entries("history", historyOf(keys))) {
    const keyLength = historyKeyLength(historyKey);
    const modRevision = readInteger(historyKey, keyLength + 1);
    const key = historyKey.subarray(0, keyLength);
    if (modRevision <= revision && isWithin(keys, key, 0, keyLength)) {
      const version = supersededAfter(reader, historyKey, value, revision);
      if (version !== false) {
        versions.push({ key, modRevision, damage: version === true ? undefined : version });
      }
    }
    if (meter.count()) {
      yield;
    }
  }
  // History is in key order already, save for keys that contain zero bytes.
  return versions.sort((a, b) => Buffer.compare(a.key, b.key));
}

/** Returns an interval of the history that has all versions of the keys of an interval: a zero byte follows each key. */
function historyOf({ start, end }: KeyInterval): KeyInterval {
  if (end === undefined) {
    return { start };
  }
  const zero = end.indexOf(0);
  return { start, end: zero < 0 ? end : Buffer.concat([end.subarray(0, zero), Buffer.of(1)]) };
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
