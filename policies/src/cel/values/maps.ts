import { EvaluationError } from "./evaluation-error.js";
import { doubleValue, numberOf } from "./numbers.js";
import { isDouble, isIntNumber, isNumeric, type MapValue } from "./type-name.js";
import { BoxedDouble, CelMap, type CelValue, Duration, Optional, Timestamp, TypeValue, Uint } from "./value.js";
import { countWork } from "./work.js";

/** The work of listing one key of a map. Those with many keys are dictionaries to the engine, which lists them slowly. */
const keyWork = 15;
const dictionaryKeyWork = 250;
const dictionarySize = 1000;

/** The work of looking at one key that is no text, number or boolean. */
const oddKeyWork = 2;

/**
 * The form in which a map holds a key. Texts, booleans, null, ints and fractions are themselves. Numbers of different types are
 * different keys, also where they are equal: uints and whole doubles are integers beyond the range of ints. Map literals take
 * other values as keys as well, which are found by an equal value, or only by themselves (lists, maps, NaN and values that
 * functions look into).
 */
export type MapKey = CelValue;

/** Amount that is added to a uint to make its key. The sums lie between all ints and the keys of doubles. */
const uintKeys = 2n ** 64n;

/** Amount that is added to a whole double to make its key, or subtracted if it is negative. */
const doubleKeys = 2n ** 65n;

/** Returns the key of a text, number, boolean or null; undefined for other values. */
function mapKey(value: CelValue): MapKey | undefined {
  if (value === null) {
    return null;
  }
  switch (typeof value) {
    case "string":
    case "boolean":
    case "bigint":
      return value;
    case "number":
      return Number.isSafeInteger(value) || !Number.isInteger(value) ? value : unsafeKey(value);
    default:
      if (value instanceof BoxedDouble) {
        return Number.isInteger(value.value) ? doubleKey(value.value) : value;
      }
      return value instanceof Uint ? value.value + uintKeys : undefined;
  }
}

function unsafeKey(value: number): MapKey {
  return isIntNumber(value) ? BigInt(value) : doubleKey(value);
}

function doubleKey(value: number): MapKey {
  return BigInt(value) + (value < 0 ? -doubleKeys : doubleKeys);
}

/** Returns the value whose key this is. */
function keyValue(key: MapKey): CelValue {
  if (typeof key !== "bigint" || (key < uintKeys && key > -doubleKeys)) {
    return key;
  }
  return key < doubleKeys && key > 0n
    ? new Uint(key - uintKeys)
    : doubleValue(Number(key + (key < 0n ? doubleKeys : -doubleKeys)));
}

/**
 * Returns the value at a key; undefined if there is none. An int is found by an equal uint, a uint by an equal int, and both by
 * an equal double, unless there is a key of the number's own type; a double is found by doubles only, as in v1.29.
 */
export function entryAt(map: MapValue, key: CelValue): CelValue | undefined {
  if (map instanceof CelMap) {
    const found = map.entries.get(mapKey(key) ?? oddKey(map.entries, key));
    return found === undefined && isNumeric(key) ? entryOfEqualNumber(map.entries, key) : found;
  }
  return typeof key === "string" && Object.hasOwn(map, key) ? map[key] : undefined;
}

function entryOfEqualNumber(
  entries: ReadonlyMap<MapKey, CelValue>,
  key: number | bigint | BoxedDouble | Uint,
): CelValue | undefined {
  if (isDouble(key)) {
    const number = numberOf(key);
    const whole = Number.isInteger(number) ? BigInt(number) : undefined;
    return whole === undefined ? undefined : (entries.get(intKey(whole)) ?? entries.get(whole + uintKeys));
  }
  return key instanceof Uint ? entries.get(intKey(key.value)) : entries.get(BigInt(key) + uintKeys);
}

function intKey(value: bigint): MapKey {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** Returns the keys of a map. */
export function keysOf(map: MapValue): readonly CelValue[] {
  const keys = map instanceof CelMap ? Array.from(map.entries.keys(), keyValue) : Object.keys(map);
  countWork(listingWork(keys.length));
  return keys;
}

function listingWork(count: number): number {
  return count * (count > dictionarySize ? dictionaryKeyWork : keyWork);
}

/** Returns the number of entries of a map. */
export function entryCount(map: MapValue): number {
  return map instanceof CelMap ? map.entries.size : keysOf(map).length;
}

/**
 * Returns true if a map has so many entries. Counts the work of listing them before it is done, so that the comparison of two
 * large maps at the limit of work lists one of them.
 */
export function hasEntryCount(map: MapValue, count: number): boolean {
  if (map instanceof CelMap) {
    return map.entries.size === count;
  }
  countWork(listingWork(count));
  return Object.keys(map).length === count;
}

/**
 * Returns the key for an entry of a map literal with these entries. Throws EvaluationError for bytes, for which v1.29 breaks
 * off the request.
 */
export function literalKey(entries: ReadonlyMap<MapKey, CelValue>, value: CelValue): MapKey {
  if (value instanceof Uint8Array) {
    throw new EvaluationError("unsupported key type");
  }
  // A NaN is no other NaN, so that each is an entry of its own.
  return Number.isNaN(value) ? new BoxedDouble(Number.NaN) : (mapKey(value) ?? oddKey(entries, value));
}

/** Returns the key among the entries that is the same as a value; the value itself if there is none. */
function oddKey(entries: ReadonlyMap<MapKey, CelValue>, value: CelValue): MapKey {
  if (isKeyByContent(value)) {
    for (const key of entries.keys()) {
      countWork(oddKeyWork);
      if (isSameKey(key, value)) {
        return key;
      }
    }
  }
  return value;
}

function isKeyByContent(value: CelValue): value is Timestamp | Duration | TypeValue | Optional {
  return (
    value instanceof Timestamp || value instanceof Duration || value instanceof TypeValue || value instanceof Optional
  );
}

/** Reports whether two keys are the same. Of optional values, only absent ones are, as in v1.29. */
function isSameKey(key: MapKey, value: Timestamp | Duration | TypeValue | Optional): boolean {
  if (value instanceof Timestamp) {
    return key instanceof Timestamp && key.nanoseconds === value.nanoseconds;
  }
  if (value instanceof Duration) {
    return key instanceof Duration && key.nanoseconds === value.nanoseconds;
  }
  if (value instanceof TypeValue) {
    return key instanceof TypeValue && key.name === value.name;
  }
  return key === value || (key instanceof Optional && key.value === undefined && value.value === undefined);
}
