import { isJsonObject, type JsonObject, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  stringType,
  timestampType,
} from "../../cel/index.js";
import type { DeclaredField, DeclaredType, ScalarDeclaration } from "./declared-type.js";
import { escapedName } from "./escaped-names.js";
import { readerOfList } from "./list-values.js";
import {
  type ReadValue,
  readBytes,
  readDate,
  readDateTime,
  readDuration,
  readMap,
  readNumber,
  readObject,
} from "./read-value.js";

/** Largest body of a request, in bytes: v1.29 takes from it the bounds that a schema does not state. */
export const maxRequestBytes = 3 * 1024 * 1024;

/** Largest text that fits into a request, in bytes. */
const largestText = BigInt(maxRequestBytes - 2);

/**
 * Returns the type of the values that a structural schema allows; undefined where expressions have no access to them,
 * since nothing is known of their form. `isRoot` is true for the root of an object, which has kind, apiVersion, and the
 * names in its metadata whatever the schema states.
 */
export function declareSchema(
  schema: JsonObject,
  isRoot = schema["x-kubernetes-embedded-resource"] === true,
): DeclaredType | undefined {
  if (schema["x-kubernetes-int-or-string"] === true) {
    return scalar(dynType, 1, largestText);
  }
  switch (schema["type"]) {
    case "array":
      return declareList(schema);
    case "object":
      return isJsonObject(schema["additionalProperties"])
        ? declareMap(schema, schema["additionalProperties"])
        : declareObject(isRoot ? withTypeAndNames(schema) : schema);
    case "string":
      return declareText(schema);
    case "boolean":
      return scalar(boolType, 4);
    case "number":
      return scalar(doubleType, 1, 0n, readNumber);
    case "integer":
      return scalar(intType, 1);
    default:
      return undefined;
  }
}

function scalar(type: CelType, minBytes: number, maxElements = 0n, read?: ReadValue): ScalarDeclaration {
  return { kind: "scalar", type, minBytes, maxElements, read };
}

function declareList(schema: JsonObject): DeclaredType | undefined {
  const { items } = schema;
  const elements = isJsonObject(items) ? declareSchema(items) : undefined;
  if (elements === undefined) {
    return undefined;
  }
  const largest = Math.floor((maxRequestBytes - 2) / (elements.minBytes + 1));
  const maxElements = boundAt(schema, "maxItems") ?? BigInt(largest);
  return { kind: "list", elements, minBytes: 2, maxElements, read: readerOfList(schema, elements.read) };
}

function declareMap(schema: JsonObject, values: JsonObject): DeclaredType | undefined {
  const elements = declareSchema(values);
  if (elements === undefined) {
    return undefined;
  }
  const largest = Math.floor((maxRequestBytes - 2) / (elements.minBytes + 6));
  const maxElements = boundAt(schema, "maxProperties") ?? BigInt(largest);
  return { kind: "map", elements, minBytes: 2, maxElements, read: readMap(elements.read) };
}

function declareObject(schema: JsonObject): DeclaredType {
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const fields = new Map<string, DeclaredField>();
  let minBytes = 2;
  for (const [property, node] of propertiesOf(schema)) {
    const type = declareSchema(node);
    if (type === undefined) {
      continue;
    }
    const name = escapedName(property);
    if (name !== undefined) {
      fields.set(name, { property, type, nullable: node["nullable"] === true });
    }
    if (required.has(property) && (node["default"] ?? null) === null) {
      minBytes += Buffer.byteLength(property) + type.minBytes + 4;
    }
  }
  return { kind: "object", fields, readWhole: readerOfObject(fields), minBytes, maxElements: 0n };
}

/** Returns the reader of whole objects; undefined if no field is read or may be null. */
function readerOfObject(fields: ReadonlyMap<string, DeclaredField>): ReadValue | undefined {
  const readers = [...fields].map(([name, { property, type, nullable }]) => {
    const read = type.kind === "object" ? type.readWhole : type.read;
    return { name, property, read, matters: read !== undefined || nullable };
  });
  return readers.some(({ matters }) => matters)
    ? readObject(new Map(readers.map((reader) => [reader.property, reader] as const)))
    : undefined;
}

function declareText(schema: JsonObject): DeclaredType {
  const maxLength = boundAt(schema, "maxLength");
  switch (schema["format"]) {
    case "byte":
      return scalar(bytesType, 2, maxLength ?? largestText, readBytes);
    case "duration":
      return scalar(durationType, 3, 32n, readDuration);
    case "date":
      return scalar(timestampType, 12, 12n, readDate);
    case "date-time":
      return scalar(timestampType, 21, 32n, readDateTime);
    default:
      // A character has four bytes at most.
      return scalar(stringType, 2, maxLength === undefined ? longestOf(schema["enum"]) : maxLength * 4n);
  }
}

function longestOf(values: JsonValue | undefined): bigint {
  if (!Array.isArray(values) || values.length === 0) {
    return largestText;
  }
  const lengths = values.map((value) => (typeof value === "string" ? Buffer.byteLength(value) : 0));
  return BigInt(lengths.reduce((longest, length) => Math.max(longest, length)));
}

function boundAt(schema: JsonObject, member: string): bigint | undefined {
  const bound = schema[member];
  if (typeof bound !== "number" && typeof bound !== "bigint") {
    return undefined;
  }
  return bound < 0 ? 0n : BigInt(bound);
}

const text: JsonObject = { type: "string" };

/** Returns a schema with the members of any object, unless it has all of them. */
function withTypeAndNames(schema: JsonObject): JsonObject {
  const properties = new Map(propertiesOf(schema));
  const metadata = properties.get("metadata") ?? {};
  const names = new Map(propertiesOf(metadata));
  const isText = (node: JsonObject | undefined): boolean => textAt(node, "type") === "string";
  if (
    isText(properties.get("kind")) &&
    isText(properties.get("apiVersion")) &&
    metadata["type"] === "object" &&
    isText(names.get("name")) &&
    isText(names.get("generateName"))
  ) {
    return schema;
  }
  return {
    ...schema,
    properties: {
      ...Object.fromEntries(properties),
      kind: text,
      apiVersion: text,
      metadata: { type: "object", properties: { name: text, generateName: text } },
    },
  };
}

/** Returns the schemas of the properties that a schema names. */
export function propertiesOf(schema: JsonObject): readonly (readonly [string, JsonObject])[] {
  const { properties } = schema;
  return isJsonObject(properties)
    ? Object.entries(properties).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]))
    : [];
}
