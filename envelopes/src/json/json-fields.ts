import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "./json.js";

/**
 * Reading plain JSON objects of kinds whose shape the schema has already checked. A member that is absent, null or of
 * another type reads as the zero value of the type asked for, so that callers need no case for objects written by hand.
 */

const emptyObject: JsonObject = Object.freeze(Object.create(null)) as JsonObject;
const emptyList: JsonArray = Object.freeze([]) as unknown as JsonArray;

/** Returns the value at a path of member names; undefined when a step is missing. */
export function valueAt(object: JsonValue | undefined, ...path: string[]): JsonValue | undefined {
  return follow(object, path);
}

function follow(object: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let value = object;
  // By index: validation reads some hundred members of a pod, most of them by one name.
  for (let step = 0; step < path.length; step++) {
    const name = path[step] as string;
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) {
      return undefined;
    }
    value = value[name];
  }
  return value;
}

/** Reports whether the member is there and not null: what a Go pointer calls "set". */
export function isSet(object: JsonValue | undefined, ...path: string[]): boolean {
  const value = follow(object, path);
  return value !== undefined && value !== null;
}

/** Returns the string at a path, or an empty one. */
export function textAt(object: JsonValue | undefined, ...path: string[]): string {
  const value = follow(object, path);
  return typeof value === "string" ? value : "";
}

/**
 * Returns the integer at a path, or 0. Integers beyond 2^53 stay `bigint`, so that they print with all their digits.
 */
export function integerAt(object: JsonValue | undefined, ...path: string[]): number | bigint {
  const value = follow(object, path);
  return typeof value === "number" || typeof value === "bigint" ? value : 0;
}

/** Returns the boolean at a path; false unless it is there and true. */
export function booleanAt(object: JsonValue | undefined, ...path: string[]): boolean {
  return follow(object, path) === true;
}

/** Returns the object at a path, or an empty frozen one. Only for reading. */
export function objectAt(object: JsonValue | undefined, ...path: string[]): JsonObject {
  const value = follow(object, path);
  return isJsonObject(value) ? value : emptyObject;
}

/** Returns the list at a path, or an empty frozen one. Only for reading. */
export function listAt(object: JsonValue | undefined, ...path: string[]): JsonArray {
  const value = follow(object, path);
  return Array.isArray(value) ? value : emptyList;
}

/** Returns the items of a list of strings; null reads as an empty one, as in Go. */
export function textsAt(object: JsonValue | undefined, ...path: string[]): string[] {
  return listAt(object, ...path).map((item) => (typeof item === "string" ? item : ""));
}

/** Returns the first item of that type in a list of conditions, or of anything else with a `type`. */
export function conditionOfType(conditions: JsonArray, type: string): JsonObject | undefined {
  for (const condition of conditions) {
    if (isJsonObject(condition) && condition["type"] === type) {
      return condition;
    }
  }
  return undefined;
}

/** Returns a string or number as text: quantities, IntOrStrings. Undefined when absent. */
export function scalarAt(object: JsonValue | undefined, ...path: string[]): string | undefined {
  const value = follow(object, path);
  return typeof value === "string" || typeof value === "number" || typeof value === "bigint"
    ? String(value)
    : undefined;
}
