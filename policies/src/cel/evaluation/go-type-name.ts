import { isDouble, isInt, isList, isMap, isPlainObject } from "../values/type-name.js";
import { type CelValue, Duration, Optional, Timestamp, TypeValue, Uint } from "../values/value.js";

/** Returns the name by which v1.29's messages call the type of a value of the language: `types.Int`. */
export function implementationTypeName(value: CelValue): string {
  if (isInt(value)) {
    return "types.Int";
  }
  if (isDouble(value)) {
    return "types.Double";
  }
  switch (typeof value) {
    case "string":
      return "types.String";
    case "boolean":
      return "types.Bool";
    default:
      return value === null ? "types.Null" : objectTypeName(value);
  }
}

function objectTypeName(value: CelValue): string {
  if (isList(value)) {
    return "*types.baseList";
  }
  if (isMap(value)) {
    return "*types.baseMap";
  }
  if (value instanceof Uint) {
    return "types.Uint";
  }
  if (value instanceof Uint8Array) {
    return "types.Bytes";
  }
  if (value instanceof Timestamp) {
    return "types.Timestamp";
  }
  if (value instanceof Duration) {
    return "types.Duration";
  }
  if (value instanceof Optional) {
    return "*types.Optional";
  }
  if (value instanceof TypeValue) {
    return "*types.Type";
  }
  const { typeName } = value as { readonly typeName: string };
  return libraryTypeNames.get(typeName) ?? typeName;
}

const libraryTypeNames: ReadonlyMap<string, string> = new Map([
  ["kubernetes.Quantity", "cel.Quantity"],
  ["kubernetes.URL", "cel.URL"],
]);

/** Returns the name by which v1.29's messages call the type of a computed value that can be no index. */
export function indexTypeName(value: CelValue): string {
  if (value === null) {
    return "<nil>";
  }
  if (isPlainObject(value)) {
    return "map[string]interface {}";
  }
  if (Array.isArray(value)) {
    return "[]interface {}";
  }
  return implementationTypeName(value);
}
