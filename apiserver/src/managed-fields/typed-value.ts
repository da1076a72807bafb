import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import type { MergeType } from "./merge-type.js";

/** The form in which a value is merged. */
export type Form = "map" | "list" | "scalar";

/**
 * Returns the form of a value among those that its type allows; for null, and for values that do not fit, the first of
 * these.
 */
export function formOf(type: MergeType, value: JsonValue): Form {
  if (Array.isArray(value)) {
    if (type.list !== undefined) {
      return "list";
    }
  } else if (typeof value === "object") {
    if (value !== null && type.map !== undefined) {
      return "map";
    }
  } else if (type.scalar !== undefined) {
    return "scalar";
  }
  return type.map !== undefined ? "map" : type.scalar !== undefined ? "scalar" : "list";
}

/** Returns the members of a value that is taken as a map; none when it is null or something else. */
export function membersOf(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) && !isEmptyObject(value) ? value : undefined;
}

/** Returns the items of a value that is taken as a list; none when it is null or something else. */
export function itemsOf(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value : undefined;
}

/** Returns an own member of an object, never an inherited one: names come from clients. */
export function ownMember(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Reports whether an object has no member. */
export function isEmptyObject(object: JsonObject): boolean {
  for (const key in object) {
    if (object[key] !== undefined) {
      return false;
    }
  }
  return true;
}

/** Returns the names of an object's members in the order of fieldsV1. */
export function sortedNames(object: JsonObject): string[] {
  const names: string[] = [];
  let last = "";
  let isSorted = true;
  for (const name in object) {
    if (object[name] !== undefined) {
      isSorted &&= name >= last;
      last = name;
      names.push(name);
    }
  }
  return isSorted ? names : names.sort();
}

/**
 * Reports whether two values are equal: numbers by their value, and absent differs from null. An integer equals the double that
 * is nearest to it, as in Go: one beyond 64 bits is stored with the digits of a double, and read as an integer again.
 */
export function isSameValue(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) {
    return true;
  }
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => isSameValue(item, b[i]));
  }
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || Array.isArray(b)) {
    return typeof a !== typeof b && isNumber(a) && isNumber(b) && Number(a) === Number(b);
  }
  if (a === undefined || b === undefined) {
    return false;
  }
  let left = 0;
  for (const key in a) {
    if (a[key] !== undefined) {
      left++;
      if (!isSameValue(a[key], ownMember(b, key))) {
        return false;
      }
    }
  }
  for (const key in b) {
    if (b[key] !== undefined) {
      left--;
    }
  }
  return left === 0;
}

function isNumber(value: JsonValue | undefined): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}
