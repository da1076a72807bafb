import type { JsonObject, JsonValue } from "../json/json.js";
import {
  apiVersionOf,
  type Field,
  type KindSchema,
  type ObjectSchema,
  type ScalarSchema,
  type Schema,
} from "./schema.js";

/** Options for the JSON Schema of documents. */
export interface JsonSchemaOptions {
  /** The treatment of members that the kind does not have, as peers of other versions may send; refused by default. */
  readonly unknownMembers?: "refused" | "allowed";
}

/**
 * The JSON Schema (draft 7) of documents of some kinds: what compiled validators of configuration and of answers
 * of other processes are made of. It is strict: members that a kind does not have are not allowed unless the options say
 * so, nor are other types.
 * Values that are one token of text (times, quantities) are checked as text only. `null` stands for "not set", as in Go.
 */
export function jsonSchemaOf(kind: KindSchema, options: JsonSchemaOptions = {}): JsonObject {
  const definitions: Definitions = { objects: new Map(), isOpen: options.unknownMembers === "allowed" };
  const root = objectSchema(kind.schema, definitions);
  return {
    ...root,
    properties: {
      ...(root["properties"] as JsonObject),
      apiVersion: { const: apiVersionOf(kind) },
      kind: { const: kind.kind },
    },
    required: ["apiVersion", "kind", ...(root["required"] as readonly JsonValue[])],
    $defs: Object.fromEntries(definitions.objects),
  };
}

interface Definitions {
  readonly objects: Map<string, JsonObject>;
  readonly isOpen: boolean;
}

function objectSchema(schema: ObjectSchema, definitions: Definitions): JsonObject {
  const fields = [...schema.properties.values()];
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.name, memberSchema(field, definitions)])),
    required: fields.filter((field) => field.required).map((field) => field.name),
    additionalProperties: definitions.isOpen,
  };
}

function memberSchema({ schema, required }: Field, definitions: Definitions): JsonObject {
  const value = valueSchema(schema, definitions);
  return required || Object.keys(value).length === 0 ? value : { anyOf: [value, { type: "null" }] };
}

function valueSchema(schema: Schema, definitions: Definitions): JsonObject {
  switch (schema.type) {
    case "object":
      return namedObject(schema, definitions);
    case "map":
      return { type: "object", additionalProperties: valueSchema(schema.values, definitions) };
    case "list":
      return { type: "array", items: valueSchema(schema.items, definitions) };
    case "scalar":
      return scalarSchema(schema);
    case "union":
      return {};
    case "json":
      return schema.form === "value" ? {} : { type: "object" };
  }
}

/** Returns a reference to the schema, because a message may contain itself. */
function namedObject(schema: ObjectSchema, definitions: Definitions): JsonObject {
  if (!definitions.objects.has(schema.name)) {
    definitions.objects.set(schema.name, {});
    definitions.objects.set(schema.name, objectSchema(schema, definitions));
  }
  return { $ref: `#/$defs/${schema.name}` };
}

function scalarSchema({ scalar, enum: values }: ScalarSchema): JsonObject {
  switch (scalar) {
    case "boolean":
      return { type: "boolean" };
    case "int32":
      return { type: "integer", minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
    case "int64":
      return { type: "integer" };
    case "double":
      return { type: "number" };
    case "quantity":
    case "intOrString":
      return { type: ["string", "number"] };
    default:
      return values === undefined ? { type: "string" } : { enum: [...values] };
  }
}
