import { EvaluationError } from "./evaluation-error.js";
import { isIntNumber, type MapValue } from "./type-name.js";
import { BoxedDouble, CelMap, type CelValue, Duration, Optional, Timestamp, TypeValue, Uint } from "./value.js";
import { countWork } from "./work.js";

/** The work of listing one key of a map. Those with many keys are dictionaries to the engine, which lists them slowly. */
const keyWork = 15;
const dictionaryKeyWork = 250;
const dictionarySize = 1000;

/** The work of looking at one key that is no text, number or boolean. */
const oddKeyWork = 2;

/**
 * A key of a map: the numbers that are equal are one key. Map literals take other values as keys as well, which are found
 * by an equal value, or only by themselves (lists, maps and values that functions look into).
 */
export type MapKey = CelValue;

/** Returns the key that finds the entry of a text, number, boolean or null; undefined for other values. */
export function mapKey(value: CelValue): MapKey | undefined {
  if (value === null) {
    return null;
  }
  switch (typeof value) {
    case "string":
    case "boolean":
    case "bigint":
    case "number":
      return value;
    default:
      if (value instanceof BoxedDouble) {
        return wholeKey(value.value);
      }
      return value instanceof Uint ? integerKey(value.value) : undefined;
  }
}

function wholeKey(value: number): MapKey {
  return isIntNumber(value) && !Number.isSafeInteger(value) ? BigInt(value) : value + 0;
}

function integerKey(value: bigint): MapKey {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

/** Returns the value at a key; undefined if there is none. */
export function entryAt(map: MapValue, key: CelValue): CelValue | undefined {
  if (map instanceof CelMap) {
    return map.entries.get(mapKey(key) ?? oddKey(map.entries, key));
  }
  return typeof key === "string" && Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Returns the keys of a map. */
export function keysOf(map: MapValue): readonly CelValue[] {
  const keys = map instanceof CelMap ? [...map.entries.keys()] : Object.keys(map);
  countWork(keys.length * (keys.length > dictionarySize ? dictionaryKeyWork : keyWork));
  return keys;
}

/** Returns the number of entries of a map. */
export function entryCount(map: MapValue): number {
  return map instanceof CelMap ? map.entries.size : keysOf(map).length;
}

/**
 * Returns the key for an entry of a map literal with these entries. Throws EvaluationError for bytes, for which v1.29 breaks
 * off the request.
 */
export function literalKey(entries: ReadonlyMap<MapKey, CelValue>, value: CelValue): MapKey {
  if (value instanceof Uint8Array) {
    throw new EvaluationError("unsupported key type");
  }
  return mapKey(value) ?? oddKey(entries, value);
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
