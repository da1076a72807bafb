import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";

/** Returns an object of members, without those that are undefined; `{}` in the place of an absent struct. */
export function present(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const object: JsonObject = {};
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined) {
      object[name] = value;
    }
  }
  return object;
}

/** Returns a member, or undefined if it has its zero value (Go `omitempty`). */
export function unlessZero(value: JsonValue | undefined): JsonValue | undefined {
  return value === null || value === 0 || value === 0n || value === "" || value === false ? undefined : value;
}

/** Returns a struct that is always written. */
export function struct(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/**
 * Returns the metadata of an object with other annotations, without the member if there are none; members and keys in
 * wire order.
 */
export function metadataWith(object: JsonObject, annotations: JsonObject): JsonObject {
  const {
    annotations: _annotations,
    ownerReferences,
    finalizers,
    managedFields,
    ...first
  } = struct(object["metadata"]);
  const sorted = Object.entries(annotations).sort(([a], [b]) => (a < b ? -1 : 1));
  const kept = sorted.length === 0 ? undefined : Object.fromEntries(sorted);
  return present({ ...first, annotations: kept, ownerReferences, finalizers, managedFields });
}
