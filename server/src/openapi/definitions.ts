import type { Field, JsonObject, ObjectSchema, Schema } from "@gatehouse/envelopes";
import { definitionName } from "./definition-name.js";
import type { Dialect } from "./dialect.js";
import type { KindNames } from "./kind-names.js";
import { describe, enumMarker, plainScalar, unionMarker, zeroValue } from "./schema-parts.js";
import { jsonDefinitions, type SpecialDefinition, scalarDefinitions, unionDefinition } from "./special-definitions.js";

/** A named schema of a document, and the definitions that it refers to. */
export interface Definition {
  readonly schema: JsonObject;
  readonly refs: readonly string[];
}

/** Turns schemas into definitions of one OpenAPI version. */
export interface Definitions {
  /** The name under which a message can be referred to. */
  refer(schema: ObjectSchema): string;
  /** The same for a definition that is stated as such. */
  referSpecial(definition: SpecialDefinition): string;
  /** A definition that was referred to before. Made anew each time; throws RangeError for an unknown name. */
  get(name: string): Definition;
  special(definition: SpecialDefinition): Definition;
}

type Source = ObjectSchema | SpecialDefinition;

/** `messageSchema` finds a message by its IDL name. */
export function createDefinitions(
  dialect: Dialect,
  messageSchema: (name: string) => ObjectSchema,
  kindNames: KindNames,
): Definitions {
  const sources = new Map<string, Source>();

  function refer(schema: ObjectSchema): string {
    const name = definitionName(schema.name);
    if (!sources.has(name)) {
      // The same message may come with another map type; what is defined is the message itself.
      sources.set(name, messageSchema(schema.name));
    }
    return name;
  }

  function referSpecial(definition: SpecialDefinition): string {
    if (!sources.has(definition.name)) {
      sources.set(definition.name, definition);
    }
    return definition.name;
  }

  function get(name: string): Definition {
    const source = sources.get(name);
    if (source === undefined) {
      throw new RangeError(`no OpenAPI definition ${name}`);
    }
    if (!("fields" in source)) {
      return specialDefinition(source);
    }
    const refs = new Set<string>();
    return { schema: objectDefinition(source, refs), refs: [...refs] };
  }

  function specialDefinition(source: SpecialDefinition): Definition {
    const messages = (source.messages ?? []).map((message) => refer(messageSchema(message)));
    const others = (source.others ?? []).map((other) => other.name);
    return { schema: source.schema(dialect), refs: [...messages, ...others] };
  }

  function objectDefinition(schema: ObjectSchema, refs: Set<string>): JsonObject {
    const properties: JsonObject = {};
    const required: string[] = [];
    for (const [key, field] of schema.properties) {
      if (field.required) {
        required.push(key);
      }
    }
    for (const key of [...schema.properties.keys()].sort()) {
      properties[key] = property(schema.properties.get(key) as Field, refs);
    }
    const kinds = kindNames.of(schema.name);
    const union = unionMarker(schema);
    return {
      ...(schema.description === "" ? {} : { description: schema.description }),
      type: "object",
      ...(required.length > 0 ? { required } : {}),
      ...(schema.properties.size > 0 ? { properties } : {}),
      ...(kinds.length > 0 ? { "x-kubernetes-group-version-kind": kinds.map((kind) => ({ ...kind })) } : {}),
      ...(schema.mapType === undefined ? {} : { "x-kubernetes-map-type": schema.mapType }),
      ...(union === undefined ? {} : { "x-kubernetes-unions": [union] }),
    };
  }

  function property(field: Field, refs: Set<string>): JsonObject {
    const siblings: JsonObject = {};
    const description = describe(field);
    if (description !== "") {
      siblings["description"] = description;
    }
    const stated = field.unpublishedDefault === true ? undefined : field.default;
    const standing = dialect.writesDefaults ? (stated ?? zeroValue(field.schema, field)) : undefined;
    if (standing !== undefined) {
      siblings["default"] = standing;
    }
    return schemaOf(field.schema, { ...siblings, ...enumMarker(field), ...markers(field) }, refs);
  }

  /** `siblings` describe the place where the schema stands. */
  function schemaOf(schema: Schema, siblings: JsonObject, refs: Set<string>): JsonObject {
    switch (schema.type) {
      case "object":
        return reference(refer(schema), siblings, refs);
      case "scalar": {
        const definition = scalarDefinitions[schema.scalar];
        return definition === undefined
          ? { ...siblings, ...plainScalar(schema) }
          : reference(referSpecial(definition), siblings, refs);
      }
      case "list":
        return { ...siblings, type: "array", items: element(schema.items, refs) };
      case "map":
        return { ...siblings, type: "object", additionalProperties: element(schema.values, refs) };
      case "json":
        return reference(referSpecial(jsonDefinitions[schema.form]), siblings, refs);
      case "union": {
        // What a union may hold is defined beside it, although nothing says that it does.
        refs.add(refer(schema.object));
        const name = definitionName(schema.name);
        return reference(referSpecial(unionDefinition(name, schema.form)), siblings, refs);
      }
    }
  }

  function element(schema: Schema, refs: Set<string>): JsonObject {
    const zero = dialect.writesDefaults ? zeroValue(schema, undefined) : undefined;
    return schemaOf(schema, zero === undefined ? {} : { default: zero }, refs);
  }

  function reference(name: string, siblings: JsonObject, refs: Set<string>): JsonObject {
    refs.add(name);
    return dialect.reference(name, siblings);
  }

  function markers(field: Field): JsonObject {
    const { schema } = field;
    const listType = schema.type === "list" || schema.type === "scalar" ? schema.listType : undefined;
    const mapType =
      schema.type === "map"
        ? schema.mapType
        : schema.type === "object" && schema.mapType !== messageSchema(schema.name).mapType
          ? schema.mapType
          : undefined;
    return {
      ...(schema.type === "list" && schema.listMapKeys.length > 0
        ? { "x-kubernetes-list-map-keys": [...schema.listMapKeys] }
        : {}),
      ...(listType === undefined ? {} : { "x-kubernetes-list-type": listType }),
      ...(mapType === undefined ? {} : { "x-kubernetes-map-type": mapType }),
      ...(field.patchMergeKey === undefined ? {} : { "x-kubernetes-patch-merge-key": field.patchMergeKey }),
      ...(field.patchStrategy.length > 0 ? { "x-kubernetes-patch-strategy": field.patchStrategy.join(",") } : {}),
    };
  }

  return { refer, referSpecial, get, special: specialDefinition };
}
