import type { JsonArray, JsonObject, JsonValue } from "../json/json.js";
import { copyMemberNotes } from "./member-notes.js";
import { setKey } from "./object-plan.js";

/**
 * Returns a copy that shares nothing with the original, and has the same notes on empty members. Iterative: free-form
 * JSON may be nested as deep as its parser allows.
 */
export function copyJson(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const root = emptyLike(value);
  const pending: [JsonArray | JsonObject, JsonArray | JsonObject][] = [[value, root]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [from, to] = next;
    if (Array.isArray(from)) {
      for (const item of from) {
        (to as JsonArray).push(copyOf(item, pending));
      }
    } else {
      copyMemberNotes(from, to as JsonObject);
      for (const key of Object.keys(from)) {
        const item = from[key];
        if (item !== undefined) {
          setKey(to as JsonObject, key, copyOf(item, pending));
        }
      }
    }
  }
  return root;
}

function copyOf(item: JsonValue, pending: [JsonArray | JsonObject, JsonArray | JsonObject][]): JsonValue {
  if (typeof item !== "object" || item === null) {
    return item;
  }
  const copy = emptyLike(item);
  pending.push([item, copy]);
  return copy;
}

function emptyLike(value: JsonArray | JsonObject): JsonArray | JsonObject {
  return Array.isArray(value) ? [] : {};
}
