import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";

/** An object from pairs, without the members that are undefined; `{}` in the place of a struct that is absent. */
export function present(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const object: JsonObject = {};
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined) {
      object[name] = value;
    }
  }
  return object;
}

/** A member that is left out when it has its zero value (Go `omitempty`). */
export function unlessZero(value: JsonValue | undefined): JsonValue | undefined {
  return value === null || value === 0 || value === 0n || value === "" || value === false ? undefined : value;
}

/** A struct that is always written. */
export function struct(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The metadata of an object with other annotations, none of them if there are none; members and keys in wire order. */
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
