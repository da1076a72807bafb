import { isJsonObject, type JsonArray, type JsonObject, type JsonValue, listAt } from "@gatehouse/envelopes/json";

/** Returns the old item that an item of a list takes the place of; undefined if there is none. */
export type FindOldItem = (item: JsonValue) => JsonValue | undefined;

const findNothing: FindOldItem = () => undefined;

/**
 * Returns the search for the old items of a list. Only items of lists that are maps can be told from each other, by their
 * keys.
 */
export function oldItems(schema: JsonObject, old: JsonArray): FindOldItem {
  const keys = listAt(schema, "x-kubernetes-list-map-keys").map(String);
  if (schema["x-kubernetes-list-type"] !== "map" || keys.length === 0 || old.length === 0) {
    return findNothing;
  }
  let byKey: Map<string, JsonValue> | undefined;
  return (item) => {
    byKey ??= itemsByKey(old, keys);
    const key = keyOf(item, keys);
    return key === undefined ? undefined : byKey.get(key);
  };
}

function itemsByKey(items: JsonArray, keys: readonly string[]): Map<string, JsonValue> {
  const byKey = new Map<string, JsonValue>();
  for (const item of items) {
    const key = keyOf(item, keys);
    if (key !== undefined && !byKey.has(key)) {
      byKey.set(key, item);
    }
  }
  return byKey;
}

function keyOf(item: JsonValue, keys: readonly string[]): string | undefined {
  if (!isJsonObject(item)) {
    return undefined;
  }
  let text = "";
  for (const key of keys) {
    const value = Object.hasOwn(item, key) ? item[key] : undefined;
    if (value === undefined || typeof value === "object") {
      return undefined;
    }
    text += typeof value === "string" ? JSON.stringify(value) : `${value},`;
  }
  return text;
}
