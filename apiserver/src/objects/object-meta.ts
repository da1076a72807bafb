import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";

/** ObjectMeta as the handlers use it: the object's own `metadata`, by reference. */
export interface ObjectMeta extends JsonObject {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string | null;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
}

/** Returns the metadata of a decoded object; made when missing, so that callers may write to it. */
export function metaOf(object: JsonObject): ObjectMeta {
  const metadata = object["metadata"];
  if (isJsonObject(metadata)) {
    return metadata as ObjectMeta;
  }
  const fresh: ObjectMeta = {};
  object["metadata"] = fresh;
  return fresh;
}

/** Copies system-owned members from one object's metadata to another's; members absent there become absent here. */
export function copyMembers(from: JsonObject, to: JsonObject, names: readonly string[]): void {
  for (const name of names) {
    const value = from[name];
    if (value === undefined) {
      delete to[name];
    } else {
      to[name] = value;
    }
  }
}

/**
 * Removes the lists of an object's metadata that are empty. Decoded objects have none, since an empty list would be a field
 * that somebody manages.
 */
export function removeEmptyLists(object: JsonObject): void {
  const meta = metaOf(object);
  for (const member of ["finalizers", "ownerReferences"]) {
    const list = meta[member];
    if (Array.isArray(list) && list.length === 0) {
      delete meta[member];
    }
  }
}

/** Returns a time in RFC 3339 with a resolution of seconds, as meta/v1 Time has. */
export function timestamp(nowMs: number): string {
  const second = Math.floor(nowMs / 1000);
  if (second !== lastSecond) {
    lastText = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
    lastSecond = second;
  }
  return lastText;
}

// Thousands of objects are created in one second, and to write a time costs as much as to check their metadata.
let lastSecond = Number.NaN;
let lastText = "";
