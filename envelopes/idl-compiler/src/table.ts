/**
 * The precompiled form of the IDL: what `envelopes/src/generated/schema-table.ts` holds as JSON text and
 * `envelopes/src/schema/registry.ts` reads. Compact rather than pretty, because every process parses it when it starts.
 * Descriptions have a table of their own, which only OpenAPI and `kubectl explain` need.
 */
export interface SchemaTable {
  readonly packages: readonly PackageRow[];
  /** Named string, list and map types that fields refer to by index. */
  readonly named: readonly NamedRow[];
  readonly messages: readonly MessageRow[];
}

/** A package: `[package]` for shared types, `[package, group, version]` for the rest. */
export type PackageRow = readonly [string] | readonly [string, string, string];

/** A named type: `[full name, closed set of values]`, the values absent when the set is open or unknown. */
export type NamedRow = readonly [string] | readonly [string, readonly string[]];

/** A message: `[package index, name, wire form, flags, fields, kind]`. */
export type MessageRow = readonly [number, string, number, number, readonly FieldRow[], KindRow?];

/** Lifecycle of a kind: `i`ntroduced, `d`eprecated, `x` removed, `r`eplacement as `<group>/<version> <kind>`. */
export interface KindRow {
  readonly i?: string;
  readonly d?: string;
  readonly x?: string;
  readonly r?: string;
}

/**
 * A field: `[JSON key or inlined name, message index or -1 - scalar code, protobuf number, flags, rarely used
 * options]`.
 */
export type FieldRow = readonly [string, number, number, number, FieldExtras?];

/** Properties that few fields have, under short keys: absent members cost nothing in the table. */
export interface FieldExtras {
  /** Index into `named`. */
  readonly n?: number;
  /** List type. */
  readonly l?: "atomic" | "set" | "map";
  /** List map keys. */
  readonly k?: readonly string[];
  /** Map or struct granularity. */
  readonly m?: "atomic" | "granular";
  /** Patch strategies and merge key. */
  readonly p?: readonly ("merge" | "replace" | "retainKeys")[];
  /** Patch merge key. */
  readonly g?: string;
  /** The default value. */
  readonly d?: unknown;
  /** Feature gates. */
  readonly f?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly pattern?: string;
}

/** Codes of proto scalars by index; `any` is free-form JSON. */
export const scalarCodes = ["string", "bool", "int32", "int64", "double", "bytes", "any"] as const;

/** Codes of wire forms by index. */
export const wireCodes = [
  "OBJECT",
  "TIME",
  "MICRO_TIME",
  "TIMESTAMP",
  "DURATION",
  "QUANTITY",
  "INT_OR_STRING",
  "RAW_JSON",
  "FIELDS",
  "EMBEDDED",
  "ENVELOPE",
  "ITEMS",
  "SCHEMA_OR_ARRAY",
  "SCHEMA_OR_BOOL",
  "SCHEMA_OR_STRINGS",
] as const;

/** Bits of the flags of a MessageRow. */
export const messageFlags = { jsonOnly: 1, atomic: 2, granular: 4, union: 8 } as const;

/** Bits of the flags of a FieldRow. */
export const fieldFlags = {
  repeated: 1,
  map: 2,
  required: 4,
  omitEmpty: 8,
  pointer: 16,
  inline: 32,
  discriminator: 64,
  unpublishedDefault: 128,
} as const;

/** The contents of `description-table.ts`: by message index, its own description and those of its fields in order. */
export type DescriptionTable = readonly (readonly string[])[];
