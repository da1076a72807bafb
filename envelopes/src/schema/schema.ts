import type { JsonObject, JsonValue } from "../json/json.js";

/** The part of a schema that only documents show. */
export interface PublishedRules {
  /**
   * Keywords of OpenAPI that limit values beyond their types, as a kind that is declared in code states them. Documents show
   * them; who checks objects has the stated schema.
   */
  readonly rules?: JsonObject;
}

/**
 * A schema: the only model of a kind's shape. Two compilers produce it: one from the built-in IDL (`envelopes/idl`),
 * one from a CustomResourceDefinition's openAPIV3Schema. Decoding, defaulting, validation, patching, apply, OpenAPI and
 * the TypeScript types are all derived from it and treat built-in and custom kinds alike.
 *
 * Schemas are immutable once built and may be recursive (JSONSchemaProps contains itself): follow them lazily.
 */
export type Schema = ObjectSchema | MapSchema | ListSchema | ScalarSchema | UnionSchema | JsonSchema;

/**
 * Traits of a node in a custom kind's schema beyond its shape. Every node of such a schema has them, no node of a
 * built-in kind does: objects with them are kept as they were sent (Go's "unstructured"), except for pruning.
 */
export interface StructuralTraits {
  readonly nullable: boolean;
  /** True if unknown members are kept (`x-kubernetes-preserve-unknown-fields`). */
  readonly preservesUnknownFields: boolean;
  /**
   * Set at the root of a kind whose objects keep all members and nulls, known or not, at every level
   * (`spec.preserveUnknownFields` of old definitions).
   */
  readonly keepsEverything?: true;
  /**
   * Set at the root of a kind whose definition has no structural schema, which old definitions need not have: the owners of
   * fields are found by the values alone, those of the metadata, too.
   */
  readonly isDeduced?: true;
  /**
   * True if the value is an object of some kind with its own apiVersion, kind and metadata
   * (`x-kubernetes-embedded-resource`).
   */
  readonly isEmbeddedResource: boolean;
  /** The default, written in the place of an absent or null value. */
  readonly default: JsonValue | undefined;
  /** The node as the definition has it; validation and OpenAPI are derived from it. */
  readonly source: JsonObject;
}

/** The granularity of ownership and merging inside a map or struct: as one whole, or member by member (KEP-555). */
export type Granularity = "atomic" | "granular";

/** A struct with named members. */
export interface ObjectSchema extends PublishedRules {
  readonly type: "object";
  /** The full IDL message name, `k8s.io.api.apps.v1.Deployment`. Empty for the anonymous objects of custom kinds. */
  readonly name: string;
  readonly description: string;
  /** Members in wire order (the order in which JSON is written), inlined members as one field each. */
  readonly fields: readonly Field[];
  /** The members by JSON key, those of inlined structs included. */
  readonly properties: ReadonlyMap<string, Field>;
  readonly mapType: Granularity | undefined;
  /** True unless the message exists in JSON only (Table and its parts). */
  readonly hasProtobuf: boolean;
  /** JSON key of the member that says which one of the others is set; undefined when the message is no union. */
  readonly discriminator?: string | undefined;
  readonly structural?: StructuralTraits | undefined;
}

/** A map with string keys. */
export interface MapSchema extends PublishedRules {
  readonly type: "map";
  readonly values: Schema;
  readonly mapType: Granularity | undefined;
  readonly structural?: StructuralTraits | undefined;
}

/** The type of ownership and merging inside a list (KEP-555). */
export type ListType = "atomic" | "set" | "map";

/** A list whose items are all of one schema. */
export interface ListSchema extends PublishedRules {
  readonly type: "list";
  readonly items: Schema;
  readonly listType: ListType | undefined;
  /** JSON names of the members that identify an item; empty unless `listType` is `map`. */
  readonly listMapKeys: readonly string[];
  /** True for messages such as Verbs and ExtraValue: a plain list in JSON, a message `{items = 1}` in protobuf. */
  readonly wrapped: boolean;
  readonly structural?: StructuralTraits | undefined;
}

/**
 * Values that are one token in JSON. `time` and `microTime` are RFC 3339 text, `duration` Go duration text, `quantity`
 * canonical Quantity text, `bytes` padded base64, `intOrString` a number or a string.
 */
export type ScalarKind =
  | "string"
  | "boolean"
  | "int32"
  | "int64"
  | "double"
  | "bytes"
  | "time"
  | "microTime"
  | "duration"
  | "quantity"
  | "intOrString";

/** A value that is one token in JSON, with the limits that definitions of custom kinds may state. */
export interface ScalarSchema extends PublishedRules {
  readonly type: "scalar";
  readonly scalar: ScalarKind;
  /** The closed set of allowed values. Absent when the set is open. */
  readonly enum: readonly string[] | undefined;
  /** The list type of bytes, which are a list in Go: OpenAPI shows its marker. It has no other effect. */
  readonly listType?: ListType;
  /** Limits that definitions of custom kinds may state. */
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly structural?: StructuralTraits | undefined;
}

/** JSON-or-schema members of JSONSchemaProps; see "special messages" in the fact tables. */
export interface UnionSchema extends PublishedRules {
  readonly type: "union";
  readonly form: "schemaOrArray" | "schemaOrBool" | "schemaOrStrings";
  /** The JSONSchemaProps that one of the branches holds. */
  readonly object: ObjectSchema;
  /** IDL message name of the union, for OpenAPI. */
  readonly name: string;
}

/**
 * Free-form JSON. `value` is any JSON (apiextensions JSON), `fields` is FieldsV1, `embedded` is RawExtension: an object
 * of some other kind, which a protobuf client may send in its own protobuf envelope; `envelope` is runtime.Unknown, the
 * same in JSON and the envelope message in protobuf.
 */
export interface JsonSchema extends PublishedRules {
  readonly type: "json";
  readonly form: "value" | "fields" | "embedded" | "envelope";
  readonly structural?: StructuralTraits | undefined;
}

/** A member of a struct. */
export interface Field {
  /** JSON key; for an inlined member, the IDL field name (it has no key of its own). */
  readonly name: string;
  readonly schema: Schema;
  readonly description: string;
  /** Protobuf field number; undefined for members that exist in JSON only. */
  readonly number: number | undefined;
  /**
   * True if the member's own members appear in the parent's JSON object. In protobuf it is an ordinary nested message.
   */
  readonly inline: boolean;
  /** An unset value differs from a zero value (a Go pointer). */
  readonly pointer: boolean;
  /** True if zero values are left out of JSON (Go `omitempty`; never drops a non-pointer struct). */
  readonly omitEmpty: boolean;
  /** True if OpenAPI lists the member as `required`. */
  readonly required: boolean;
  /** The default, written when the member is absent. Only if it does not depend on other members. */
  readonly default: JsonValue | undefined;
  /** True if OpenAPI does not publish the default. */
  readonly unpublishedDefault?: boolean;
  /** Features that must be on for the member to be kept when it is new. */
  readonly featureGates?: readonly string[];
  readonly patchStrategy: readonly PatchStrategy[];
  readonly patchMergeKey: string | undefined;
  /**
   * Full name of the named type of the string, of the strings inside a list or map, or else of the list or map itself:
   * `k8s.io.api.core.v1.Protocol`, `k8s.io.api.core.v1.ResourceList`. Error texts and generated types use it.
   */
  readonly namedType?: string | undefined;
}

/** The strategy of a strategic merge patch for a member (KEP-555). */
export type PatchStrategy = "merge" | "replace" | "retainKeys";

/** A type that can stand at the top of a document, with its place in the API and its lifecycle. */
export interface KindSchema {
  /** The API group; empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: ObjectSchema;
  /** True if the kind has `metadata` of type ListMeta and `items`. */
  readonly isList: boolean;
  /** True if the kind has `metadata` of type ObjectMeta. */
  readonly hasObjectMeta: boolean;
  /** `major.minor` in which the API appeared, is deprecated, is removed; undefined when not stated. */
  readonly introduced: string | undefined;
  readonly deprecated: string | undefined;
  readonly removed: string | undefined;
  readonly replacement: GroupVersionKind | undefined;
}

/** The group, version and kind of a document, from its `apiVersion` and `kind`; the core group is empty. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The group, version and resource in the path of a request; the core group is empty. */
export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** Returns the apiVersion: `v1` for the core group, `<group>/<version>` otherwise. */
export function apiVersionOf(gv: { readonly group: string; readonly version: string }): string {
  return gv.group === "" ? gv.version : `${gv.group}/${gv.version}`;
}

/** Returns the group and the version of an apiVersion, `apps/v1` or `v1`; the group of the latter is empty. */
export function groupVersionOf(apiVersion: string): { readonly group: string; readonly version: string } {
  const slash = apiVersion.indexOf("/");
  return { group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1) };
}
