import type { JsonObject } from "@gatehouse/envelopes/json";
import type { Field, ObjectSchema, PublishedRules, Schema } from "@gatehouse/envelopes/schema";
import type { Dialect } from "../dialect.js";
import type { Definition, DefinitionSources, Referrer } from "./definition.js";
import { definitionName } from "./definition-name.js";
import { notInSwagger } from "./not-in-swagger.js";
import { describe, enumMarker, plainScalar, unionMarker, zeroValue } from "./schema-parts.js";
import { jsonDefinitions, scalarDefinitions, unionDefinition } from "./special-definitions.js";

/** The definition of a message with members. */
export class ObjectDefinition implements Definition {
  readonly schema: JsonObject;
  readonly #refs = new Set<string>();
  readonly #dialect: Dialect;
  readonly #referrer: Referrer;
  readonly #messageSchema: DefinitionSources["messageSchema"];

  constructor(message: ObjectSchema, dialect: Dialect, referrer: Referrer, sources: DefinitionSources) {
    this.#dialect = dialect;
    this.#referrer = referrer;
    this.#messageSchema = sources.messageSchema;
    this.schema = this.#object(message, sources);
  }

  get refs(): readonly string[] {
    return [...this.#refs];
  }

  #object(message: ObjectSchema, { kindNames }: DefinitionSources): JsonObject {
    const members = [...message.properties];
    const required = members.filter(([, field]) => field.required).map(([key]) => key);
    const properties: JsonObject = {};
    for (const [key, field] of members.sort(([a], [b]) => (a < b ? -1 : 1))) {
      properties[key] = this.#property(field);
    }
    const kinds = kindNames.of(message.name);
    const union = unionMarker(message);
    return {
      ...(message.description === "" ? {} : { description: message.description }),
      type: "object",
      ...(required.length > 0 ? { required } : {}),
      ...(members.length > 0 ? { properties } : {}),
      ...(kinds.length > 0 ? { "x-kubernetes-group-version-kind": kinds.map((kind) => ({ ...kind })) } : {}),
      ...(message.mapType === undefined ? {} : { "x-kubernetes-map-type": message.mapType }),
      ...(union === undefined ? {} : { "x-kubernetes-unions": [union] }),
      ...this.#rules(message),
    };
  }

  #property(field: Field): JsonObject {
    const { writesDefaults, writesEnums } = this.#dialect;
    const description = writesEnums ? describe(field) : field.description;
    const stated = field.unpublishedDefault === true ? undefined : field.default;
    const standing = writesDefaults ? (stated ?? zeroValue(field.schema, field)) : undefined;
    return this.#schema(field.schema, {
      ...(description === "" ? {} : { description }),
      ...(standing === undefined ? {} : { default: standing }),
      ...(writesEnums ? enumMarker(field) : {}),
      ...this.#mergeMarkers(field),
    });
  }

  /** Writes a schema; `siblings` describe the place where it stands. */
  #schema(schema: Schema, siblings: JsonObject): JsonObject {
    switch (schema.type) {
      case "object":
        return this.#reference(this.#referrer.refer(schema), siblings);
      case "scalar": {
        const definition = scalarDefinitions[schema.scalar];
        return definition === undefined
          ? { ...siblings, ...plainScalar(schema), ...this.#rules(schema) }
          : this.#reference(this.#referrer.referSpecial(definition), { ...siblings, ...this.#rules(schema) });
      }
      case "list":
        return { ...siblings, type: "array", items: this.#element(schema.items), ...this.#rules(schema) };
      case "map":
        return {
          ...siblings,
          type: "object",
          additionalProperties: this.#element(schema.values),
          ...this.#rules(schema),
        };
      case "json":
        return this.#reference(this.#referrer.referSpecial(jsonDefinitions[schema.form]), {
          ...siblings,
          ...this.#rules(schema),
        });
      case "union": {
        // What a union may hold is defined beside it, although nothing says that it does.
        this.#refs.add(this.#referrer.refer(schema.object));
        const definition = unionDefinition(definitionName(schema.name), schema.form);
        return this.#reference(this.#referrer.referSpecial(definition), siblings);
      }
    }
  }

  /** Returns the rules of a schema that is declared in code, as far as clients of the version can use them. */
  #rules({ rules = {} }: PublishedRules): JsonObject {
    return this.#dialect.version === 3
      ? rules
      : Object.fromEntries(Object.entries(rules).filter(([keyword]) => !notInSwagger.has(keyword)));
  }

  #element(schema: Schema): JsonObject {
    const zero = this.#dialect.writesDefaults ? zeroValue(schema, undefined) : undefined;
    return this.#schema(schema, zero === undefined ? {} : { default: zero });
  }

  #reference(name: string, siblings: JsonObject): JsonObject {
    this.#refs.add(name);
    return this.#dialect.reference(name, siblings);
  }

  #mergeMarkers(field: Field): JsonObject {
    const { schema, patchMergeKey, patchStrategy } = field;
    const listType = schema.type === "list" || schema.type === "scalar" ? schema.listType : undefined;
    const listMapKeys = schema.type === "list" ? schema.listMapKeys : [];
    const mapType = this.#mapTypeOf(schema);
    return {
      ...(listMapKeys.length > 0 ? { "x-kubernetes-list-map-keys": [...listMapKeys] } : {}),
      ...(listType === undefined ? {} : { "x-kubernetes-list-type": listType }),
      ...(mapType === undefined ? {} : { "x-kubernetes-map-type": mapType }),
      ...(patchMergeKey === undefined ? {} : { "x-kubernetes-patch-merge-key": patchMergeKey }),
      ...(patchStrategy.length > 0 ? { "x-kubernetes-patch-strategy": patchStrategy.join(",") } : {}),
    };
  }

  /** Returns the marker of a map or struct; undefined for a struct used as it is defined. */
  #mapTypeOf(schema: Schema): "atomic" | "granular" | undefined {
    if (schema.type === "map") {
      return schema.mapType;
    }
    const differs = schema.type === "object" && schema.mapType !== this.#messageSchema(schema.name).mapType;
    return differs ? schema.mapType : undefined;
  }
}
