import { EvaluationError } from "./evaluation-error.js";
import { isIntNumber, type MapValue } from "./type-name.js";
import { BoxedDouble, CelMap, type CelValue, Uint } from "./value.js";
import { countWork } from "./work.js";

/** The work of listing one key of a map. Those with many keys are dictionaries to the engine, which lists them slowly. */
const keyWork = 15;
const dictionaryKeyWork = 250;
const dictionarySize = 1000;

/** A key of a map: the numbers that are equal are one key. */
export type MapKey = string | boolean | number | bigint;

/** Returns the key that finds a value's entry; undefined if no map has such a key. */
export function mapKey(value: CelValue): MapKey | undefined {
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
    const found = mapKey(key);
    return found === undefined ? undefined : map.entries.get(found);
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

/** Returns the key for an entry of a map literal. Throws EvaluationError for values that cannot be keys. */
export function literalKey(value: CelValue): MapKey {
  const key = mapKey(value);
  if (key === undefined) {
    throw new EvaluationError("unsupported key type");
  }
  return key;
}
