import { decodeJson, setKey, sortMembers } from "@gatehouse/envelopes/codec";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import type { ObjectSchema } from "@gatehouse/envelopes/schema";
import { sortedEntries } from "../managed-fields/managers.js";
import { metaOf } from "../objects/object-meta.js";

/** Sorts all keys of an object of a custom kind, in place, as Go writes maps; only its metadata is typed. */
export function canonicalizeUnstructured(object: JsonObject, metadataSchema: ObjectSchema): void {
  const meta = metaOf(object);
  const entries = sortedEntries(meta["managedFields"]);
  if (entries !== undefined) {
    meta["managedFields"] = undefined;
  }
  const metadata = decodeJson(metadataSchema, meta).object;
  if (entries !== undefined && entries.length > 0) {
    // In its place; what owners have is put there last.
    metadata["managedFields"] = [];
  }
  object["metadata"] = metadata;
  const sorted = sortMembers(object);
  if (sorted !== object) {
    for (const key of Object.keys(object)) {
      delete object[key];
    }
    for (const key of Object.keys(sorted)) {
      setKey(object, key, sorted[key] as JsonValue);
    }
  }
  if (entries !== undefined && entries.length > 0) {
    metaOf(object)["managedFields"] = entries;
  }
}
