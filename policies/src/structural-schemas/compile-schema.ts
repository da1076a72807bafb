import { decodeJson, pruneUnstructured } from "@gatehouse/envelopes/codec";
import { leadsToDefaults } from "@gatehouse/envelopes/defaults";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { isJsonObject, type JsonObject, type JsonValue, textAt } from "@gatehouse/envelopes/json";
import {
  type Field,
  type ListType,
  messageSchema,
  type ObjectSchema,
  type ScalarKind,
  type Schema,
  type StructuralTraits,
  type UnionSchema,
} from "@gatehouse/envelopes/schema";

const objectMeta = "k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta";
const noSchema: JsonObject = Object.freeze({ type: "object" }) as JsonObject;

/**
 * Compiles the structural openAPIV3Schema of a version of a custom kind; the rules for definitions have checked that it
 * is structural. Kind, apiVersion and metadata are those of any object, whatever the definition states for them.
 */
export function compileRootSchema(source: JsonObject | undefined): ObjectSchema {
  return compileRoot(source, {});
}

/**
 * Compiles the schema of a version of a custom kind whose objects keep everything (`spec.preserveUnknownFields` of old
 * definitions). `source` is undefined where the definition has no structural schema.
 */
export function compileKeepingRootSchema(source: JsonObject | undefined): ObjectSchema {
  const keeping = { preservesUnknownFields: true, keepsEverything: true } as const;
  return compileRoot(source, source === undefined ? { ...keeping, isDeduced: true } : keeping);
}

function compileRoot(source: JsonObject | undefined, departures: Partial<StructuralTraits>): ObjectSchema {
  const root = source ?? noSchema;
  const own = propertiesOf(root).filter(([name]) => !Object.hasOwn(typeMembers, name));
  const members = [...own, ...Object.entries(typeMembers)].sort(byName);
  const fields = members.map(([name, node]) =>
    name === "metadata" ? metadataField(node) : fieldOf(name, node, requiredOf(root)),
  );
  return objectSchema(root, fields, { ...traitsOf(root), isEmbeddedResource: true, ...departures });
}

const typeMembers: Readonly<Record<string, JsonObject>> = {
  apiVersion: { type: "string" },
  kind: { type: "string" },
  metadata: { type: "object" },
};

function metadataField(node: JsonObject): Field {
  return { ...fieldOf("metadata", node, []), schema: messageSchema(objectMeta) };
}

/** Compiles a node below the root, with a default from which members unknown to the node are removed. */
function compileSchema(source: JsonObject): CustomSchema {
  const schema = compileNode(source, traitsOf(source));
  const { structural } = schema;
  if (structural?.default === undefined || typeof structural.default !== "object") {
    return schema;
  }
  return { ...schema, structural: { ...structural, default: pruneUnstructured(schema, structural.default, readMeta) } };
}

/** Returns a default as metadata; undefined for one that is none, with which no definition can be made. */
function metadataOf(stated: JsonValue): JsonObject | undefined {
  try {
    return readMeta(stated).object;
  } catch (error) {
    if (error instanceof DecodeError) {
      return undefined;
    }
    throw error;
  }
}

/** Reads the metadata of an embedded object, without the null that decoding adds for its time. */
function readMeta(metadata: JsonValue): ReturnType<typeof decodeJson> {
  const decoded = decodeJson(messageSchema(objectMeta), metadata);
  const { creationTimestamp, ...rest } = decoded.object;
  return creationTimestamp === null ? { ...decoded, object: rest } : decoded;
}

/** A schema of a custom kind, which has no unions. */
type CustomSchema = Exclude<Schema, UnionSchema>;

function compileNode(source: JsonObject, structural: StructuralTraits): CustomSchema {
  if (source["x-kubernetes-int-or-string"] === true) {
    return { type: "scalar", scalar: "intOrString", enum: undefined, structural };
  }
  const properties = propertiesOf(source);
  const { additionalProperties, items } = source;
  if (properties.length === 0 && isSet(additionalProperties)) {
    const values: Schema = isJsonObject(additionalProperties) ? compileSchema(additionalProperties) : nothingKnown;
    return { type: "map", values, mapType: mapTypeOf(source), structural };
  }
  if (properties.length > 0 || source["type"] === "object") {
    const required = requiredOf(source);
    const own = properties.map(([name, node]) => fieldOf(name, node, required));
    const fields = structural.isEmbeddedResource ? withTypeMembers(own) : own;
    return objectSchema(source, fields.sort(byFieldName), structural);
  }
  if (isJsonObject(items)) {
    return {
      type: "list",
      items: compileSchema(items),
      listType: listTypeOf(source),
      listMapKeys: textsOf(source["x-kubernetes-list-map-keys"]),
      wrapped: false,
      structural,
    };
  }
  const scalar = scalarKinds[textAt(source, "type")];
  return scalar === undefined
    ? { type: "json", form: "value", structural }
    : { type: "scalar", scalar, enum: undefined, structural };
}

/** Adds the members of any object to those of an embedded one; of the rules for them, defaults alone count. */
function withTypeMembers(fields: readonly Field[]): Field[] {
  const others = fields.filter(({ name }) => !Object.hasOwn(typeMembers, name));
  const members = Object.entries(typeMembers).map(([name, node]): Field => {
    const stated = fields.find((field) => field.name === name);
    return stated !== undefined && leadsToDefaults(stated.schema)
      ? defaultedTypeMember(stated, node)
      : plainTypeMember(name, node);
  });
  return [...others, ...members];
}

function plainTypeMember(name: string, node: JsonObject): Field {
  const { structural: _structural, ...schema } = compileNode(node, traitsOf(node));
  return name === "metadata" ? metadataField(node) : { ...fieldOf(name, node, []), schema: schema as Schema };
}

/** Returns apiVersion, kind or metadata of an embedded object with the defaults that are stated for it, or inside of it. */
function defaultedTypeMember({ name, schema: stated }: Field, node: JsonObject): Field {
  const traits = traitsOf(node);
  const source = stated.type === "union" ? undefined : stated.structural?.source;
  const ownDefault = source === undefined ? undefined : traitsOf(source).default;
  if (name !== "metadata") {
    const schema = { ...compileNode(node, traits), structural: { ...traits, default: ownDefault } };
    return { ...fieldOf(name, node, []), schema, default: ownDefault };
  }
  const prunedDefault = ownDefault === undefined ? undefined : metadataOf(ownDefault);
  const meta = messageSchema(objectMeta);
  const fields = meta.fields.map((field) => {
    const inner = stated.type === "object" ? stated.properties.get(field.name) : undefined;
    return inner !== undefined && leadsToDefaults(inner.schema) ? inner : field;
  });
  // Without a default of its own, null is read as empty metadata.
  const structural = { ...traits, nullable: prunedDefault === undefined, default: prunedDefault };
  const schema = { ...objectSchema(node, fields, structural), name: meta.name };
  return { ...fieldOf(name, node, []), schema, default: prunedDefault };
}

function byFieldName(a: Field, b: Field): number {
  return a.name < b.name ? -1 : 1;
}

/**
 * The schema of values that `additionalProperties: true` allows: without rules, so that any value but an object is
 * kept.
 */
const nothingKnown: Schema = Object.freeze({ type: "json", form: "value" });

const scalarKinds: Readonly<Record<string, ScalarKind | undefined>> = {
  string: "string",
  integer: "int64",
  number: "double",
  boolean: "boolean",
};

function objectSchema(source: JsonObject, fields: readonly Field[], structural: StructuralTraits): ObjectSchema {
  return {
    type: "object",
    name: "",
    description: textAt(source, "description"),
    fields,
    properties: new Map(fields.map((field) => [field.name, field])),
    mapType: mapTypeOf(source),
    hasProtobuf: false,
    structural,
  };
}

function fieldOf(name: string, node: JsonObject, required: readonly string[]): Field {
  const schema = compileSchema(node);
  return {
    name,
    schema,
    description: textAt(node, "description"),
    number: undefined,
    inline: false,
    pointer: true,
    omitEmpty: true,
    required: required.includes(name),
    default: schema.structural?.default,
    patchStrategy: [],
    patchMergeKey: undefined,
  };
}

function traitsOf(source: JsonObject): StructuralTraits {
  const stated = source["default"];
  return {
    nullable: source["nullable"] === true,
    preservesUnknownFields: source["x-kubernetes-preserve-unknown-fields"] === true,
    isEmbeddedResource: source["x-kubernetes-embedded-resource"] === true,
    default: stated === null ? undefined : stated,
    source,
  };
}

function propertiesOf(source: JsonObject): [string, JsonObject][] {
  const { properties } = source;
  return isJsonObject(properties)
    ? Object.entries(properties).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]))
    : [];
}

function requiredOf(source: JsonObject): readonly string[] {
  return textsOf(source["required"]);
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function isSet(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== false;
}

function mapTypeOf(source: JsonObject): "atomic" | "granular" | undefined {
  const type = textAt(source, "x-kubernetes-map-type");
  return type === "atomic" || type === "granular" ? type : undefined;
}

function listTypeOf(source: JsonObject): ListType | undefined {
  const type = textAt(source, "x-kubernetes-list-type");
  return type === "atomic" || type === "set" || type === "map" ? type : undefined;
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
