import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";

/** Members that a structural schema cannot have, with the names by which v1.29 calls them. */
const unsupported = [
  ["id", "id"],
  ["$schema", "schema"],
  ["$ref", "$ref"],
  ["patternProperties", "patternProperties"],
  ["dependencies", "dependencies"],
  ["additionalItems", "additionalItems"],
  ["definitions", "definitions"],
] as const;

/**
 * Returns the reason why an openAPIV3Schema has no structural form at all, in v1.29's words; undefined when it has one.
 * It may still break the rules for structural schemas.
 */
export function formProblem(schema: JsonObject): string | undefined {
  for (const [member, name] of unsupported) {
    if (isSaid(schema, member)) {
      return `OpenAPIV3Schema '${name}' is not supported`;
    }
  }
  const { additionalProperties, items } = schema;
  return (
    firstProblem([schema["not"], ...junctors.flatMap((junctor) => listOf(schema[junctor])), additionalProperties]) ??
    extensionProblem(schema) ??
    (Array.isArray(items) && items.length > 0
      ? "OpenAPIV3Schema 'items' must be a schema, but is an array"
      : firstProblem([items, ...(isJsonObject(schema["properties"]) ? Object.values(schema["properties"]) : [])]))
  );
}

/** The lists of schemas by which a schema says more of a value, in the order in which v1.29 looks at them. */
export const junctors = ["allOf", "anyOf", "oneOf"] as const;

function extensionProblem(schema: JsonObject): string | undefined {
  return schema["x-kubernetes-preserve-unknown-fields"] === false
    ? "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined"
    : undefined;
}

function firstProblem(nodes: readonly (JsonValue | undefined)[]): string | undefined {
  for (const node of nodes) {
    const problem = isJsonObject(node) ? formProblem(node) : undefined;
    if (problem !== undefined) {
      return problem;
    }
  }
  return undefined;
}

/** Returns the schemas in a list of schemas. */
export function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Returns the schemas of the members that a schema names. */
export function propertiesOf(schema: JsonObject): readonly (readonly [string, JsonObject])[] {
  const { properties } = schema;
  if (properties === undefined || !isJsonObject(properties)) {
    return noProperties;
  }
  const found: (readonly [string, JsonObject])[] = [];
  for (const name of Object.keys(properties)) {
    const node = properties[name];
    if (node !== undefined && isJsonObject(node)) {
      found.push([name, node]);
    }
  }
  return found;
}

const noProperties: readonly (readonly [string, JsonObject])[] = [];

/** Reports whether a member is set for Go: null, false, an empty text and an empty list are not. */
export function isStated(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === "" || value === false) {
    return false;
  }
  return typeof value !== "object" || (Array.isArray(value) ? value.length > 0 : true);
}

/** Names of members that Go holds by a pointer: `false` and an empty text count as set. */
const heldByPointer = new Set([
  "additionalItems",
  "additionalProperties",
  "default",
  "x-kubernetes-list-type",
  "x-kubernetes-map-type",
]);

/** Reports whether a member of a structural schema is set. */
export function isSaid(schema: JsonObject, member: string): boolean {
  return heldByPointer.has(member) ? isPresent(schema[member]) : isStated(schema[member]);
}

/** Reports whether additional properties or items are set; `false` counts as set. */
export function isPresent(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}
