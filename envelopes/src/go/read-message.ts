import { decodeJson } from "../codec/decode-json.js";
import { DecodeError } from "../errors.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json.js";
import type { ObjectSchema, Schema } from "../schema/schema.js";
import { toLower } from "./to-lower.js";

/**
 * Returns a struct as Go's encoding/json reads it from a JSON value: unlike in bodies of requests, names of members are
 * taken in any case. `null` is the struct without members. Undefined when a value is of another type than its member.
 */
export function readGoMessage(schema: ObjectSchema, value: JsonValue): JsonObject | undefined {
  try {
    return decodeJson(schema, withDeclaredNames(schema, value ?? {})).object;
  } catch (error) {
    if (error instanceof DecodeError) {
      return undefined;
    }
    throw error;
  }
}

/** Returns a value with the names that its schema declares; a name in the right case does not yield to others. */
function withDeclaredNames(schema: Schema, value: JsonValue): JsonValue {
  if (schema.type === "list" && Array.isArray(value)) {
    return value.map((item) => withDeclaredNames(schema.items, item));
  }
  if (schema.type !== "object" || !isJsonObject(value)) {
    return value;
  }
  const declared = new Map([...schema.properties.keys()].map((name) => [toLower(name), name]));
  const members = Object.entries(value).flatMap(([key, member]) => {
    const name = declared.get(toLower(key));
    const field = name === undefined ? undefined : schema.properties.get(name);
    const isTaken = name !== undefined && name !== key && Object.hasOwn(value, name);
    return name === undefined || field === undefined || isTaken
      ? []
      : [[name, withDeclaredNames(field.schema, member ?? null)] as const];
  });
  return Object.fromEntries(members);
}
