import { isJsonObject, type JsonValue } from "../json/json.js";

/**
 * Reports whether two canonical JSON values mean the same state. Null, absent, empty lists and empty maps all mean
 * "nothing".
 */
export function isSameState(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) {
    return true;
  }
  if (isNothing(a) || isNothing(b)) {
    return isNothing(a) && isNothing(b);
  }
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isSameState(item, b[index]));
  }
  if (isJsonObject(a) && isJsonObject(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      if (!isSameState(a[key], b[key])) {
        return false;
      }
    }
    return true;
  }
  return false;
}

/** Compares like `isSameState` what Go holds by a pointer: an empty object is not the same as none. */
export function isSamePointer(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return (a ?? undefined) === undefined || (b ?? undefined) === undefined
    ? (a ?? undefined) === (b ?? undefined)
    : isSameState(a, b);
}

function isNothing(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) {
    return true;
  }
  return Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;
}
