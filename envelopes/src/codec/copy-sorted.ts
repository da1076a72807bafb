import { isInt64 } from "../json/int64.js";
import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "../json/json.js";
import { compareKeys, setKey, sortKeys } from "./object-plan.js";

/**
 * Returns a copy with the keys of all objects in the order of their bytes, as Go writes maps. Parsed JSON is at most
 * 1,000 levels deep, which recursion can follow.
 */
export function copySorted(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) {
    return typeof value === "bigint" && !isInt64(value) ? Number(value) : value;
  }
  if (Array.isArray(value)) {
    return value.map(copySorted);
  }
  const out: JsonObject = {};
  for (const key of sortKeys(Object.keys(value))) {
    const member = value[key];
    if (member !== undefined) {
      setKey(out, key, copySorted(member));
    }
  }
  return out;
}

/** Returns the value with sorted keys; only what has them in another order is copied. */
export function sortMembers<T extends JsonValue>(value: T): T {
  if (Array.isArray(value)) {
    return sortItems(value) as T;
  }
  return isJsonObject(value) ? (sortObject(value) as T) : value;
}

function sortItems(list: JsonArray): JsonArray {
  for (let index = 0; index < list.length; index++) {
    const item = list[index] as JsonValue;
    if (typeof item === "object" && item !== null) {
      list[index] = sortMembers(item);
    }
  }
  return list;
}

function sortObject(object: JsonObject): JsonObject {
  const keys = Object.keys(object);
  for (const key of keys) {
    const member = object[key];
    if (typeof member === "object" && member !== null) {
      const sorted = sortMembers(member);
      if (sorted !== member) {
        setKey(object, key, sorted);
      }
    }
  }
  if (isSorted(keys)) {
    return object;
  }
  const out: JsonObject = {};
  for (const key of sortKeys(keys)) {
    setKey(out, key, object[key] as JsonValue);
  }
  return out;
}

function isSorted(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) {
    if (compareKeys(keys[i - 1] as string, keys[i] as string) > 0) {
      return false;
    }
  }
  return true;
}
