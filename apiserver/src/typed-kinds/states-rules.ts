import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";

/** The keywords from which the types of a kind are made, and those that describe it. All others are rules for its values. */
const structure: ReadonlySet<string> = new Set([
  "type",
  "properties",
  "items",
  "additionalProperties",
  "required",
  "nullable",
  "default",
  "title",
  "description",
  "externalDocs",
  "example",
  "x-kubernetes-int-or-string",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-map-type",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-patch-strategy",
  "x-kubernetes-patch-merge-key",
]);
/** The formats that are types, which a decoded value always has. */
const typeFormats: ReadonlySet<JsonValue | undefined> = new Set([
  "int32",
  "int64",
  "double",
  "date-time",
  "byte",
  "duration",
  "quantity",
]);

/** Returns the keywords of one level of an OpenAPI schema that limit values beyond their types. */
export function rulesOf(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).filter(([keyword, value]) =>
      keyword === "format" ? !typeFormats.has(value) : !isType(keyword, value),
    ),
  );
}

/** Reports whether an OpenAPI schema states, at any level, rules beyond the types of values. */
export function statesRules(schema: JsonObject): boolean {
  const { properties, items, additionalProperties } = schema;
  const below = [...(isJsonObject(properties) ? Object.values(properties) : []), items, additionalProperties];
  return Object.keys(rulesOf(schema)).length > 0 || below.some((node) => isJsonObject(node) && statesRules(node));
}

function isType(keyword: string, value: JsonValue | undefined): boolean {
  // An atomic list may hold anything; items of sets and maps are unique.
  return structure.has(keyword) || (keyword === "x-kubernetes-list-type" && value === "atomic");
}
