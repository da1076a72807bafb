import type { JsonArray, JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { isSameDocument } from "@gatehouse/envelopes/json-patch";
import { alignLists } from "./align-lists.js";
import { plainJson } from "./plain-json.js";

/** One step of a JSON Patch (RFC 6902) as this toolkit writes it. */
export type PatchOperation =
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: JsonValue }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly from: string; readonly path: string };

/**
 * Returns the operations that turn `from` into `to`, and none for equal parts. Items of lists that are equal, or have
 * the same name, are recognised when others are added or removed. Members that are `undefined` count as absent. Throws
 * TypeError, with its path, for a value in `to` that JSON cannot carry. Changes neither.
 */
export function createJsonPatch(from: JsonValue, to: JsonValue): PatchOperation[] {
  const operations: PatchOperation[] = [];
  compare(from, to, "", operations);
  return operations;
}

function compare(from: JsonValue, to: JsonValue, path: string, operations: PatchOperation[]): void {
  if (from === to) {
    return;
  }
  if (Array.isArray(from) && Array.isArray(to)) {
    compareLists(from, to, path, operations);
  } else if (isPlainObject(from) && isPlainObject(to)) {
    compareObjects(from, to, path, operations);
  } else {
    const value = plainJson(to, path);
    if (!isSameDocument(from, value)) {
      operations.push({ op: "replace", path, value });
    }
  }
}

function compareObjects(from: JsonObject, to: JsonObject, path: string, operations: PatchOperation[]): void {
  for (const key of Object.keys(from)) {
    const before = from[key];
    const after = Object.hasOwn(to, key) ? to[key] : undefined;
    if (before === undefined) {
      continue;
    }
    if (after === undefined) {
      operations.push({ op: "remove", path: stepInto(path, key) });
    } else {
      compare(before, after, stepInto(path, key), operations);
    }
  }
  for (const key of Object.keys(to)) {
    const after = to[key];
    if (after !== undefined && (!Object.hasOwn(from, key) || from[key] === undefined)) {
      const at = stepInto(path, key);
      operations.push({ op: "add", path: at, value: plainJson(after, at) });
    }
  }
}

/**
 * Appends the operations for a list, from front to back, so that each index counts the items after the operations
 * before it.
 */
function compareLists(from: JsonArray, to: JsonArray, path: string, operations: PatchOperation[]): void {
  let index = 0;
  for (const step of alignLists(from, to)) {
    const at = `${path}/${index}`;
    switch (step.kind) {
      case "keep":
        compare(from[step.from] ?? null, itemAt(to, step.to, at), at, operations);
        index++;
        break;
      case "add":
        operations.push({ op: "add", path: at, value: plainJson(itemAt(to, step.to, at), at) });
        index++;
        break;
      case "remove":
        operations.push({ op: "remove", path: at });
        break;
    }
  }
}

/** Returns an item. Throws TypeError for a hole or `undefined`, which JSON would turn into null. */
function itemAt(list: JsonArray, index: number, path: string): JsonValue {
  const item = list[index];
  if (item === undefined) {
    throw new TypeError(`${path} is undefined, which no list in JSON can hold`);
  }
  return item;
}

function isPlainObject(value: JsonValue): value is JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return false;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function stepInto(path: string, key: string): string {
  return `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
