import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "../json/json.js";
import type { Field, ObjectSchema, Schema } from "../schema/schema.js";
import { setKey } from "./object-plan.js";

/** Details of a JSON text that its parsed value cannot show, by the object or list in which they stood. */
export interface AsWritten {
  /** Earlier values of members given more than once, in order. */
  readonly repeats: ReadonlyMap<JsonObject, ReadonlyMap<string, readonly JsonValue[]>>;
  /** Whole numbers written with a decimal point or an exponent: no integer type of Go takes those. */
  readonly spellings: ReadonlyMap<JsonObject | JsonArray, ReadonlyMap<string | number, string>>;
}

/** A whole number written as `1.0` or `1e2`. It exists only between `restoreWriting` and the decoder of its member. */
export class SpelledNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/**
 * Returns the value as Go's decoder reads it, member by member: it decodes a member given twice into what the first
 * left behind, so that structs and maps are merged and lists item by item. Free-form JSON is left as it is.
 */
export function restoreWriting(schema: ObjectSchema, value: JsonObject, written: AsWritten): JsonObject {
  return restoreObject(schema, value, written);
}

function restore(schema: Schema, value: JsonValue, written: AsWritten): JsonValue {
  switch (schema.type) {
    case "object":
      return isJsonObject(value) ? restoreObject(schema, value, written) : value;
    case "map":
      return isJsonObject(value) ? restoreMap(schema.values, value, written) : value;
    case "list":
      return Array.isArray(value)
        ? value.map((item, index) => restore(schema.items, spelled(schema.items, value, index, item, written), written))
        : value;
    default:
      return value;
  }
}

function restoreObject(schema: ObjectSchema, value: JsonObject, written: AsWritten): JsonObject {
  const out: JsonObject = {};
  const repeats = written.repeats.get(value);
  for (const key of Object.keys(value)) {
    const field = schema.properties.get(key);
    const last = value[key] as JsonValue;
    if (field === undefined) {
      setKey(out, key, last);
      continue;
    }
    let restored = restore(field.schema, spelled(field.schema, value, key, last, written), written);
    const earlier = repeats?.get(key);
    if (earlier !== undefined) {
      const values = [...earlier.map((item) => restore(field.schema, item, written)), restored];
      restored = values.reduce((before, after) => decodeInto(field, before, after));
    }
    setKey(out, key, restored);
  }
  return out;
}

/** Restores a map. Its values are made anew each time, so that the last one counts. */
function restoreMap(values: Schema, map: JsonObject, written: AsWritten): JsonObject {
  const out: JsonObject = {};
  for (const key of Object.keys(map)) {
    setKey(out, key, restore(values, spelled(values, map, key, map[key] as JsonValue, written), written));
  }
  return out;
}

function spelled(
  schema: Schema,
  holder: JsonObject | JsonArray,
  key: string | number,
  value: JsonValue,
  written: AsWritten,
): JsonValue {
  const text = schema.type === "scalar" ? written.spellings.get(holder)?.get(key) : undefined;
  return text === undefined ? value : (new SpelledNumber(text) as unknown as JsonValue);
}

/** Returns the value of a member that has been given `before` and then `after`. */
function decodeInto(field: Pick<Field, "schema" | "pointer">, before: JsonValue, after: JsonValue): JsonValue {
  if (after === null) {
    return canBeUnset(field) ? null : before;
  }
  return mergeInto(field.schema, before, after);
}

function mergeInto(schema: Schema, before: JsonValue, after: JsonValue): JsonValue {
  if (schema.type === "list" && Array.isArray(before) && Array.isArray(after)) {
    const item = { schema: schema.items, pointer: false };
    return after.map((value, index) =>
      index < before.length ? decodeInto(item, before[index] ?? null, value) : value,
    );
  }
  if (!isJsonObject(before) || !isJsonObject(after)) {
    return after;
  }
  if (schema.type === "map") {
    return { ...before, ...after };
  }
  return schema.type === "object" ? mergeObjects(schema, before, after) : after;
}

function mergeObjects(schema: ObjectSchema, before: JsonObject, after: JsonObject): JsonObject {
  const out = { ...before };
  for (const key of Object.keys(after)) {
    const field = schema.properties.get(key);
    const value = after[key] as JsonValue;
    const merges = field !== undefined && Object.hasOwn(before, key);
    setKey(out, key, merges ? decodeInto(field, before[key] as JsonValue, value) : value);
  }
  return out;
}

/** Reports whether null empties a member: pointers, lists, maps and times. For all others null has no effect. */
function canBeUnset({ schema, pointer }: Pick<Field, "schema" | "pointer">): boolean {
  if (pointer || (schema.type !== "object" && schema.type !== "scalar")) {
    return true;
  }
  return schema.type === "scalar" && ["bytes", "time", "microTime", "quantity"].includes(schema.scalar);
}
