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
const typeFormats: ReadonlySet<JsonValue> = new Set([
  "int32",
  "int64",
  "double",
  "date-time",
  "byte",
  "duration",
  "quantity",
]);

/** Reports whether an OpenAPI schema states, at any level, rules beyond the types of values. */
export function statesRules(schema: JsonObject): boolean {
  for (const [keyword, value] of Object.entries(schema)) {
    const isStructure =
      keyword === "format" ? typeFormats.has(value as JsonValue) : isType(keyword, value as JsonValue);
    if (!isStructure) {
      return true;
    }
  }
  const { properties, items, additionalProperties } = schema;
  const below = [...(isJsonObject(properties) ? Object.values(properties) : []), items, additionalProperties];
  return below.some((node) => isJsonObject(node) && statesRules(node));
}

function isType(keyword: string, value: JsonValue): boolean {
  // An atomic list may hold anything; items of sets and maps are unique.
  return structure.has(keyword) || (keyword === "x-kubernetes-list-type" && value === "atomic");
}
