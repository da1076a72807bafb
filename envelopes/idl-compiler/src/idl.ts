/** A `.proto` file of `envelopes/idl`, as the writers see it: names resolved, options with their defaults. */
export interface IdlFile {
  /** File name without extension, `apps.v1`. */
  readonly name: string;
  readonly package: string;
  /** The group and version; absent for files of shared types (`runtime`, `resource`). */
  readonly groupVersion: { readonly group: string; readonly version: string } | undefined;
  readonly enums: readonly IdlEnum[];
  readonly messages: readonly IdlMessage[];
}

/** A named string type with known values. */
export interface IdlEnum {
  readonly name: string;
  readonly values: readonly string[];
  /** True if other values are allowed too. */
  readonly open: boolean;
}

/** The JSON form of a message: `Wire` of `options.proto`. */
export type Wire =
  | "OBJECT"
  | "TIME"
  | "MICRO_TIME"
  | "TIMESTAMP"
  | "DURATION"
  | "QUANTITY"
  | "INT_OR_STRING"
  | "RAW_JSON"
  | "FIELDS"
  | "EMBEDDED"
  | "ENVELOPE"
  | "ITEMS"
  | "SCHEMA_OR_ARRAY"
  | "SCHEMA_OR_BOOL"
  | "SCHEMA_OR_STRINGS";

/** A message with its options resolved. `fullName` includes the package. */
export interface IdlMessage {
  readonly name: string;
  readonly fullName: string;
  readonly description: string;
  readonly kind: IdlKind | undefined;
  readonly wire: Wire;
  readonly jsonOnly: boolean;
  readonly map: "ATOMIC" | "GRANULAR" | undefined;
  readonly union: boolean;
  readonly fields: readonly IdlField[];
}

/**
 * Lifecycle of a kind (`Kind` of `options.proto`): releases as `major.minor`, the replacement as `<group>/<version>
 * <kind>`.
 */
export interface IdlKind {
  readonly introduced?: string;
  readonly deprecated?: string;
  readonly removed?: string;
  readonly replacement?: string;
}

/** A member of a message; fields stand in the order in which JSON is written. */
export interface IdlField {
  /** JSON key, or the proto name of an inlined member. */
  readonly name: string;
  readonly description: string;
  readonly number: number;
  /** The type: a proto scalar or the full name of a message; that of the values when `isMap`. */
  readonly type: string;
  readonly repeated: boolean;
  readonly isMap: boolean;
  readonly options: IdlFieldOptions;
}

/** Options of a field (`idl.Field` of `options.proto`). */
export interface IdlFieldOptions {
  readonly required?: boolean;
  readonly omitempty?: boolean;
  readonly pointer?: boolean;
  readonly inline?: boolean;
  readonly any?: boolean;
  readonly discriminator?: boolean;
  /** The full name of the named type, `k8s.io.api.core.v1.Protocol`. */
  readonly named?: string;
  readonly list?: "ATOMIC" | "SET" | "MAP";
  readonly keys: readonly string[];
  readonly map?: "ATOMIC" | "GRANULAR";
  readonly patch: readonly ("MERGE" | "REPLACE" | "RETAIN_KEYS")[];
  readonly merge_key?: string;
  readonly default?: string;
  readonly publish_default?: boolean;
  readonly min_length?: number;
  readonly max_length?: number;
  readonly minimum?: number;
  readonly pattern?: string;
  readonly gate: readonly string[];
}

/** The scalar types that the IDL uses. */
export const protoScalars = ["string", "bool", "int32", "int64", "double", "bytes"] as const;

/** Reports whether a type name is that of a protobuf scalar, not the full name of a message. */
export function isProtoScalar(type: string): boolean {
  return (protoScalars as readonly string[]).includes(type);
}
