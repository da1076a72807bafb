import { isJsonObject, type JsonArray, type JsonObject, type JsonValue, objectAt } from "@gatehouse/envelopes/json";
import type { ForeignSpec } from "../../discovery/served-api.js";

const definitionPrefix = "#/definitions/";
const parameterPrefix = "#/parameters/";

/** Reads a Swagger 2.0 document: its paths below `/apis/`, and what they need. */
export function readForeignSpec(document: JsonObject): ForeignSpec {
  const parameters = objectAt(document, "parameters");
  const paths = new Map<string, JsonObject>();
  for (const [path, item] of Object.entries(objectAt(document, "paths"))) {
    if (path.startsWith("/apis/") && isJsonObject(item)) {
      paths.set(path, inlined(item, parameters) as JsonObject);
    }
  }
  const all = objectAt(document, "definitions");
  return { paths, definitions: reachable(paths.values(), (name) => ownMember(all, name)) };
}

/** Returns the definitions that parts of a document refer to, and those that these refer to. */
export function reachable(
  parts: Iterable<JsonValue>,
  find: (name: string) => JsonObject | undefined,
): ReadonlyMap<string, JsonObject> {
  const names = new Set<string>();
  for (const part of parts) {
    referencesOf(part, names);
  }
  const found = new Map<string, JsonObject>();
  // The set grows while it is walked through.
  for (const name of names) {
    const definition = find(name);
    if (definition !== undefined) {
      found.set(name, definition);
      referencesOf(definition, names);
    }
  }
  return found;
}

/** Adds the names of the definitions that a value refers to. */
export function referencesOf(value: JsonValue | undefined, names: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) {
      referencesOf(item, names);
    }
  } else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (key === "$ref" && typeof member === "string" && member.startsWith(definitionPrefix)) {
        names.add(member.slice(definitionPrefix.length));
      } else {
        referencesOf(member, names);
      }
    }
  }
}

/** Returns a value with references to renamed definitions changed. */
export function renamed<T extends JsonValue>(value: T, names: ReadonlyMap<string, string>): T {
  if (names.size === 0) {
    return value;
  }
  const change = (item: JsonValue): JsonValue => {
    if (Array.isArray(item)) {
      return item.map(change);
    }
    if (!isJsonObject(item)) {
      return item;
    }
    return mapMembers(item, (key, member) => {
      const name =
        key === "$ref" && typeof member === "string" && member.startsWith(definitionPrefix)
          ? names.get(member.slice(definitionPrefix.length))
          : undefined;
      return name === undefined ? change(member) : `${definitionPrefix}${name}`;
    });
  };
  return change(value) as T;
}

function inlined(value: JsonValue, parameters: JsonObject): JsonValue {
  if (Array.isArray(value)) {
    return (value as JsonArray).map((item) => inlined(item, parameters));
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const reference = value["$ref"];
  if (typeof reference === "string" && reference.startsWith(parameterPrefix)) {
    return ownMember(parameters, reference.slice(parameterPrefix.length)) ?? value;
  }
  return mapMembers(value, (_key, member) => inlined(member, parameters));
}

function ownMember(object: JsonObject, name: string): JsonObject | undefined {
  const member = Object.hasOwn(object, name) ? object[name] : undefined;
  return isJsonObject(member) ? member : undefined;
}

function mapMembers(object: JsonObject, change: (key: string, member: JsonValue) => JsonValue): JsonObject {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, member]) => (member === undefined ? [] : [[key, change(key, member)]])),
  );
}
