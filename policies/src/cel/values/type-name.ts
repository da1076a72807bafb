import {
  BoxedDouble,
  CelList,
  CelMap,
  type CelObject,
  type CelValue,
  Duration,
  OpaqueValue,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
} from "./value.js";

/** A plain JSON object or a map of the language: values whose entries are found by key. */
export type MapValue = CelMap | Readonly<Record<string, CelValue>>;

/** Returns the name of the type of a value at run time: `int`, `map`, `google.protobuf.Timestamp`. */
export function typeName(value: CelValue): string {
  switch (typeof value) {
    case "string":
      return "string";
    case "number":
      return isIntNumber(value) ? "int" : "double";
    case "bigint":
      return "int";
    case "boolean":
      return "bool";
    default:
      return value === null ? "null_type" : objectTypeName(value);
  }
}

function objectTypeName(value: Exclude<CelValue, null | string | number | bigint | boolean>): string {
  if (isList(value)) {
    return "list";
  }
  if (isMap(value)) {
    return "map";
  }
  if (value instanceof Uint8Array) {
    return "bytes";
  }
  if (value instanceof BoxedDouble) {
    return "double";
  }
  if (value instanceof Uint) {
    return "uint";
  }
  if (value instanceof Timestamp) {
    return "google.protobuf.Timestamp";
  }
  if (value instanceof Duration) {
    return "google.protobuf.Duration";
  }
  if (value instanceof TypeValue) {
    return "type";
  }
  return value instanceof Optional ? "optional" : (value as OpaqueValue | CelObject).typeName;
}

/** Returns true if a JavaScript number is an int: whole, and within 64 bits. */
export function isIntNumber(value: number): boolean {
  return Number.isSafeInteger(value) || (Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63);
}

/** Returns true if the value is a list. */
export function isList(value: unknown): value is readonly CelValue[] | CelList {
  return Array.isArray(value) || value instanceof CelList;
}

/** Returns the elements of a list. */
export function itemsOf(list: readonly CelValue[] | CelList): readonly CelValue[] {
  return list instanceof CelList ? list.items : list;
}

/** Returns true if the value is a map: one that an expression has made, or a JSON object. */
export function isMap(value: unknown): value is MapValue {
  return isPlainObject(value) || value instanceof CelMap;
}

/** Returns true if the value is a JSON object, which is told from the classes of values by its prototype. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, CelValue>> {
  if (typeof value !== "object" || value === null) {
    return false;
  }
  // Much faster than asking for the prototype. A member of that name cannot be this function.
  return value.constructor === Object || hasPlainPrototype(value);
}

function hasPlainPrototype(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Returns true if the value is a number of any type. */
export function isNumeric(value: CelValue): value is number | bigint | BoxedDouble | Uint {
  return (
    typeof value === "number" || typeof value === "bigint" || value instanceof BoxedDouble || value instanceof Uint
  );
}

/** Returns true if the value is an int. */
export function isInt(value: CelValue): value is number | bigint {
  return typeof value === "number" ? isIntNumber(value) : typeof value === "bigint";
}

/** Returns true if the value is a double. */
export function isDouble(value: CelValue): value is number | BoxedDouble {
  return typeof value === "number" ? !isIntNumber(value) : value instanceof BoxedDouble;
}

/** Returns true for values that only functions look into. */
export function isOpaque(value: unknown): value is OpaqueValue {
  return value instanceof OpaqueValue;
}
