import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";

/**
 * Returns an object without its managedFields, for audit events; a list without those of its items, a Table without
 * those of the objects in its rows. An object without any is returned as it is, and nothing is changed in place.
 */
export function omitManagedFields(object: JsonObject): JsonObject {
  const { items, rows, kind } = object;
  const bare = withoutOwn(object);
  if (kind === "Table" && Array.isArray(rows)) {
    return replace(bare, "rows", mapChanged(rows, bareRow));
  }
  return Array.isArray(items) ? replace(bare, "items", mapChanged(items, bareItem)) : bare;
}

function withoutOwn(object: JsonObject): JsonObject {
  const { metadata } = object;
  if (!isJsonObject(metadata) || metadata["managedFields"] === undefined) {
    return object;
  }
  const { managedFields: _managedFields, ...rest } = metadata;
  return replace(object, "metadata", rest);
}

function bareItem(item: JsonValue): JsonValue {
  return isJsonObject(item) ? withoutOwn(item) : item;
}

function bareRow(row: JsonValue): JsonValue {
  if (!isJsonObject(row)) {
    return row;
  }
  const { object } = row;
  return isJsonObject(object) ? replace(row, "object", withoutOwn(object)) : row;
}

function replace(object: JsonObject, member: "items" | "metadata" | "object" | "rows", value: JsonValue): JsonObject {
  return object[member] === value ? object : { ...object, [member]: value };
}

function mapChanged(items: JsonValue[], change: (item: JsonValue) => JsonValue): JsonValue[] {
  const changed = items.map(change);
  return changed.some((item, index) => item !== items[index]) ? changed : items;
}
