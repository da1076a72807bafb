import { setKey } from "../codec/object-plan.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json.js";

/*
 * Reading and writing members of JSON objects whose keys a client chose. `object[key]` alone would find `toString` on a
 * prototype, and assigning `__proto__` would change one.
 */

/** Returns the member's value, or undefined when the object has no such member of its own. */
export function member(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Returns a copy of the object itself; the member values are shared with the original. */
export function shallowCopy(object: JsonObject): JsonObject {
  // Object spread defines members, it does not assign them, so `__proto__` stays data.
  return { ...object };
}

/**
 * Sorts the members of an object by name, in place. v1.29's patch libraries keep what they look into in maps, which
 * come out so; errors and the order of warnings show it.
 */
export function sortMembersInPlace(object: JsonObject): void {
  const keys = Object.keys(object);
  if (keys.every((key, index) => index === 0 || (keys[index - 1] as string) < key)) {
    return;
  }
  const values = keys.map((key) => object[key]);
  const places = keys.map((_key, index) => index).sort((a, b) => ((keys[a] as string) < (keys[b] as string) ? -1 : 1));
  for (const key of keys) {
    delete object[key];
  }
  for (const place of places) {
    setKey(object, keys[place] as string, values[place] as JsonValue);
  }
}

/** Returns the value without null members at any depth: in a part that is new, null has nothing to delete. */
export function withoutNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    return value.map(withoutNulls);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const result: JsonObject = {};
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item !== undefined && item !== null) {
      setKey(result, key, withoutNulls(item));
    }
  }
  return result;
}

/** Returns the value without the objects, at any depth, that have this member; undefined when it is one itself. */
export function withoutHolders(value: JsonValue, key: string): JsonValue | undefined {
  if (Array.isArray(value)) {
    return value.map((item) => withoutHolders(item, key)).filter((item) => item !== undefined);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  if (Object.hasOwn(value, key)) {
    return undefined;
  }
  const result: JsonObject = {};
  for (const name of Object.keys(value)) {
    const item = withoutHolders(value[name] ?? null, key);
    if (item !== undefined) {
      setKey(result, name, item);
    }
  }
  return result;
}

/**
 * Reports whether two JSON documents are equal for `test` of a patch: numbers by value, objects whatever the order of
 * their members, and null is not the same as nothing.
 */
export function isSameDocument(a: JsonValue, b: JsonValue): boolean {
  if (a === b) {
    return true;
  }
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) && a.length === b.length && a.every((item, index) => isSameDocument(item, b[index] ?? null))
    );
  }
  if (!isJsonObject(a) || !isJsonObject(b)) {
    return typeof a !== typeof b && isNumeric(a) && isNumeric(b) && a.toString() === b.toString();
  }
  const keys = presentKeys(a);
  if (keys.length !== presentKeys(b).length) {
    return false;
  }
  return keys.every((key) => {
    const other = member(b, key);
    return other !== undefined && isSameDocument(a[key] ?? null, other);
  });
}

function presentKeys(object: JsonObject): string[] {
  return Object.keys(object).filter((key) => object[key] !== undefined);
}

function isNumeric(value: JsonValue): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** Returns the length of the value's JSON text in UTF-8 bytes. */
export function jsonByteLength(value: JsonValue): number {
  if (Array.isArray(value)) {
    return value.reduce<number>((sum, item) => sum + jsonByteLength(item), 2 + Math.max(0, value.length - 1));
  }
  if (isJsonObject(value)) {
    const keys = presentKeys(value);
    return keys.reduce(
      (sum, key) => sum + Buffer.byteLength(JSON.stringify(key)) + 1 + jsonByteLength(value[key] ?? null),
      2 + Math.max(0, keys.length - 1),
    );
  }
  return typeof value === "bigint" ? value.toString().length : Buffer.byteLength(JSON.stringify(value));
}
