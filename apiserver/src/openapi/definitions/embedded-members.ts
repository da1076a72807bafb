import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import type { Dialect } from "../dialect.js";

/**
 * Returns a custom kind's schema in which every `x-kubernetes-embedded-resource` has the members of all objects:
 * `members`, of which apiVersion and kind are required.
 */
export function withEmbeddedMembers(schema: JsonObject, dialect: Dialect, members: JsonObject): JsonObject {
  const nested = (value: JsonValue): JsonValue =>
    isJsonObject(value) ? withEmbeddedMembers(value, dialect, members) : value;
  const result = { ...schema };
  const { properties, items, additionalProperties } = schema;
  if (isJsonObject(properties)) {
    result["properties"] = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, nested(property ?? {})]),
    );
  }
  if (isJsonObject(items)) {
    result["items"] = nested(items);
  }
  if (isJsonObject(additionalProperties)) {
    result["additionalProperties"] = nested(additionalProperties);
  }
  // By version 2 clients would refuse what else an open object holds.
  const isOpen = dialect.version === 2 && schema["x-kubernetes-preserve-unknown-fields"] === true;
  return schema["x-kubernetes-embedded-resource"] === true && !isOpen ? embedded(result, members) : result;
}

function embedded(schema: JsonObject, members: JsonObject): JsonObject {
  const stated = Array.isArray(schema["required"]) ? schema["required"] : [];
  const missing = ["kind", "apiVersion"].filter((name) => !stated.includes(name));
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  return { ...schema, required: [...stated, ...missing], properties: { ...properties, ...members } };
}
