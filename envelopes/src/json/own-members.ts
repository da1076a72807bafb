import { isJsonObject, type JsonArray, type JsonObject } from "./json.js";

/** Returns the object member of that name for writing; made when it is missing. */
export function ownObject(parent: JsonObject, name: string): JsonObject {
  const value = Object.hasOwn(parent, name) ? parent[name] : undefined;
  if (isJsonObject(value)) {
    return value;
  }
  const fresh: JsonObject = {};
  parent[name] = fresh;
  return fresh;
}

/** Returns the list member of that name for writing; made when it is missing. */
export function ownList(parent: JsonObject, name: string): JsonArray {
  const value = Object.hasOwn(parent, name) ? parent[name] : undefined;
  if (Array.isArray(value)) {
    return value;
  }
  const fresh: JsonArray = [];
  parent[name] = fresh;
  return fresh;
}
