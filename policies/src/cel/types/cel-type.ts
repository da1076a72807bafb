import type { CelValue } from "../values/value.js";

/** A type of the expression language, as the checker reasons about it. Immutable; compared by `isSameType`. */
export type CelType =
  | ScalarType
  | ListType
  | MapType
  | { readonly kind: "optional"; readonly value: CelType }
  | { readonly kind: "type"; readonly of: CelType | undefined }
  | ObjectType
  | { readonly kind: "opaque"; readonly name: string; readonly parameters: readonly CelType[] }
  | { readonly kind: "parameter"; readonly name: string };

/** A type without parts. */
export interface ScalarType {
  readonly kind: ScalarTypeKind;
  /** True for the type of a message around one scalar value, such as `google.protobuf.Int32Value`, for which null may stand. */
  readonly isWrapper?: true;
}

/** Types that have no parts. `error` is the type of a node in which a mistake has been found. */
export type ScalarTypeKind =
  | "dyn"
  | "error"
  | "null"
  | "bool"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "timestamp"
  | "duration"
  | "any";

/**
 * Converts a JSON value to the value that its schema makes of it: text to a timestamp, a whole `number` to a double, a list
 * to one that is compared as a set. Values that are converted already are returned as they are. Throws EvaluationError.
 */
export type ValueReader = (value: CelValue) => CelValue;

/** The type of lists. */
export interface ListType {
  readonly kind: "list";
  readonly elements: CelType;
  /** Converts elements when they are selected. Undefined: JSON is used as it is. */
  readonly readElement?: ValueReader;
}

/** The type of maps. */
export interface MapType {
  readonly kind: "map";
  readonly keys: CelType;
  readonly values: CelType;
  /** Converts values when they are selected. Undefined: JSON is used as it is. */
  readonly readValue?: ValueReader;
}

/** A type with named fields, which expressions name by `name`. */
export interface ObjectType {
  readonly kind: "object";
  readonly name: string;
  /** The fields by their names in expressions. Undefined: there is none of that name. */
  field(name: string): ObjectField | undefined;
  /**
   * Converts an object whose fields need conversion where it leaves static typing, as in `dyn(object)` and `object == other`.
   * Undefined: JSON is used as it is. Fields are converted by readers of their own when they are selected.
   */
  readonly read?: ValueReader;
}

/** A field of an object type. */
export interface ObjectField {
  readonly type: CelType;
  /** The JSON member that holds the value: `namespace` for the field `__namespace__`. */
  readonly member: string;
  /** Converts the value when it is selected. Undefined: JSON is used as it is. */
  readonly read?: ValueReader;
  /** True if the field is absent where the member is null, as in custom resources. */
  readonly isAbsentIfNull?: boolean;
}

export const dynType: CelType = { kind: "dyn" };
export const errorType: CelType = { kind: "error" };
export const nullType: CelType = { kind: "null" };
export const boolType: CelType = { kind: "bool" };
export const intType: CelType = { kind: "int" };
export const uintType: CelType = { kind: "uint" };
export const doubleType: CelType = { kind: "double" };
export const stringType: CelType = { kind: "string" };
export const bytesType: CelType = { kind: "bytes" };
export const timestampType: CelType = { kind: "timestamp" };
export const durationType: CelType = { kind: "duration" };
export const anyType: CelType = { kind: "any" };

/** Returns the type of messages around one value of a scalar type. It is the same type to the checker, but null may stand for it. */
export function wrapperType({ kind }: CelType): CelType {
  return { kind: kind as ScalarTypeKind, isWrapper: true };
}

/** Returns true if a type is that of messages around one value. */
export function isWrapperType(type: CelType): boolean {
  return "isWrapper" in type;
}

/** Returns the type of lists of such elements. */
export function listType(elements: CelType): CelType {
  return { kind: "list", elements };
}

/** Returns the type of maps from such keys to such values. */
export function mapType(keys: CelType, values: CelType): CelType {
  return { kind: "map", keys, values };
}

/** Returns the type of a value that may be absent. */
export function optionalType(value: CelType): CelType {
  return { kind: "optional", value };
}

/**
 * Returns a type whose values are seen by functions only, such as a quantity. Signatures name it, expressions do not, and
 * it has no fields: as an object type of v1.29 that nothing defines.
 */
export function opaqueType(name: string, ...parameters: readonly CelType[]): CelType {
  return { kind: "opaque", name, parameters };
}
