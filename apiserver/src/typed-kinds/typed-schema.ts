import { isJsonObject, type JsonObject, type JsonValue, listAt, textAt, textsAt } from "@gatehouse/envelopes/json";
import {
  type Field,
  type KindSchema,
  type ListType,
  messageSchema,
  type ObjectSchema,
  type PatchStrategy,
  type ScalarKind,
  type Schema,
} from "@gatehouse/envelopes/schema";
import { rulesOf } from "./states-rules.js";

const meta = "k8s.io.apimachinery.pkg.apis.meta.v1";

/** The names of a kind whose schema is stated in code. */
export interface TypedKindNames {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** The package of its definitions in OpenAPI documents, without the version: `com.example.wardle`. */
  readonly definitionPackage: string;
}

/**
 * Returns the schemas of a kind and of its lists, in the model of compiled-in kinds, from an OpenAPI schema. Throws a
 * TypeError for a schema that no such kind can have.
 */
export function typedSchemas(
  names: TypedKindNames,
  source: JsonObject,
): { readonly kind: KindSchema; readonly list: KindSchema } {
  const { group, version, kind, definitionPackage } = names;
  const nameOf = (type: string): string => `${definitionPackage}.${version}.${type}`;
  const rules = rulesOf(source);
  const own = { ...objectSchema(source, kind, nameOf), ...(Object.keys(rules).length > 0 && { rules }) };
  const { rules: _, ...ruleless } = own;
  const one = withFields(own, [
    ...membersOf("PartialObjectMetadata", ["kind", "apiVersion", "metadata"]),
    ...own.fields,
  ]);
  const items: Field = {
    ...plainField("items", { type: "list", items: one, listType: undefined, listMapKeys: [], wrapped: false }),
    omitEmpty: false,
    required: true,
  };
  const list = withFields(
    { ...ruleless, name: nameOf(`${kind}List`), description: `${kind}List is a list of ${kind}.` },
    [...membersOf("PartialObjectMetadataList", ["kind", "apiVersion", "metadata"]), items],
  );
  const kindSchema = (schema: ObjectSchema, name: string, isList: boolean): KindSchema => ({
    ...{ group, version, kind: name, schema, isList, hasObjectMeta: !isList },
    ...{ introduced: undefined, deprecated: undefined, removed: undefined, replacement: undefined },
  });
  return { kind: kindSchema(one, kind, false), list: kindSchema(list, `${kind}List`, true) };
}

/** Returns members that every kind has, as those of the library's own types. */
function membersOf(message: string, names: readonly string[]): readonly Field[] {
  const { properties } = messageSchema(`${meta}.${message}`);
  return names.map((name) => ({ ...(properties.get(name) as Field), number: undefined }));
}

function withFields(schema: ObjectSchema, fields: readonly Field[]): ObjectSchema {
  return { ...schema, fields, properties: new Map(fields.map((field) => [field.name, field])) };
}

function objectSchema(source: JsonObject, type: string, nameOf: (type: string) => string): ObjectSchema {
  const properties = isJsonObject(source["properties"]) ? source["properties"] : {};
  const required = textsAt(source, "required");
  const fields = Object.entries(properties).map(([name, stated]): Field => {
    if (!isJsonObject(stated)) {
      throw new TypeError(`the schema of ${type}.${name} is not an object`);
    }
    return fieldOf(name, stated, required.includes(name), `${type}${name[0]?.toUpperCase()}${name.slice(1)}`, nameOf);
  });
  const schema: ObjectSchema = {
    type: "object",
    name: nameOf(textAt(source, "title") || type),
    description: textAt(source, "description"),
    fields: [],
    properties: new Map(),
    mapType: mapTypeOf(source),
    hasProtobuf: false,
  };
  return withFields(schema, fields);
}

function fieldOf(
  name: string,
  source: JsonObject,
  required: boolean,
  type: string,
  nameOf: (type: string) => string,
): Field {
  const strategy = textAt(source, "x-kubernetes-patch-strategy");
  return {
    ...plainField(name, schemaOf(source, type, nameOf)),
    description: textAt(source, "description"),
    pointer: source["nullable"] === true,
    omitEmpty: !required,
    required,
    default: source["default"],
    patchStrategy: strategy === "" ? [] : (strategy.split(",") as PatchStrategy[]),
    patchMergeKey: textAt(source, "x-kubernetes-patch-merge-key") || undefined,
    ...(source["type"] === "string" && textAt(source, "title") !== ""
      ? { namedType: nameOf(textAt(source, "title")) }
      : {}),
  };
}

function plainField(name: string, schema: Schema): Field {
  return {
    ...{ name, schema, description: "", number: undefined, inline: false, pointer: false, omitEmpty: true },
    ...{ required: false, default: undefined, patchStrategy: [], patchMergeKey: undefined },
  };
}

/** Returns the schema of a value with its rules. `enum` of a member is a part of its type. */
function schemaOf(source: JsonObject, type: string, nameOf: (type: string) => string): Schema {
  const schema = typeOf(source, type, nameOf);
  const rules = rulesOf(source);
  if (schema.type === "scalar" && schema.enum !== undefined) {
    delete rules["enum"];
  }
  return Object.keys(rules).length === 0 ? schema : { ...schema, rules };
}

/** Returns the schema of the items of a list, or the values of a map: `enum` is a rule for them. */
function elementOf(source: JsonObject, type: string, nameOf: (type: string) => string): Schema {
  const schema = schemaOf(source, type, nameOf);
  const rules = rulesOf(source);
  return Object.keys(rules).length === 0 ? schema : { ...schema, rules };
}

function typeOf(source: JsonObject, type: string, nameOf: (type: string) => string): Schema {
  if (source["x-kubernetes-int-or-string"] === true) {
    return scalar("intOrString");
  }
  switch (source["type"]) {
    case "object": {
      const values = source["additionalProperties"];
      if (isJsonObject(values)) {
        return { type: "map", values: elementOf(values, type, nameOf), mapType: mapTypeOf(source) };
      }
      return source["x-kubernetes-preserve-unknown-fields"] === true
        ? { type: "json", form: "value" }
        : objectSchema(source, type, nameOf);
    }
    case "array": {
      const items = source["items"];
      if (!isJsonObject(items)) {
        throw new TypeError(`the list ${type} has no schema of its items`);
      }
      return {
        type: "list",
        items: elementOf(items, type, nameOf),
        listType: (textAt(source, "x-kubernetes-list-type") || undefined) as ListType | undefined,
        listMapKeys: listAt(source, "x-kubernetes-list-map-keys").map(String),
        wrapped: false,
      };
    }
    case "string":
      return scalar(stringKinds[textAt(source, "format")] ?? "string", source["enum"]);
    case "integer":
      return scalar(source["format"] === "int32" ? "int32" : "int64");
    case "number":
      return scalar("double");
    case "boolean":
      return scalar("boolean");
    default:
      throw new TypeError(`the schema of ${type} has no type`);
  }
}

const stringKinds: Readonly<Record<string, ScalarKind>> = {
  "date-time": "time",
  byte: "bytes",
  duration: "duration",
  quantity: "quantity",
};

function scalar(kind: ScalarKind, allowed?: JsonValue): Schema {
  return { type: "scalar", scalar: kind, enum: Array.isArray(allowed) ? allowed.map(String) : undefined };
}

function mapTypeOf(source: JsonObject): ObjectSchema["mapType"] {
  const stated = textAt(source, "x-kubernetes-map-type");
  return stated === "atomic" || stated === "granular" ? stated : undefined;
}
