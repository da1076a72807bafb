import { isPlainObject, typeName } from "../values/type-name.js";
import type { CelValue } from "../values/value.js";

/** Returns the name by which v1.29's messages call the type of a value of the language: `types.Int`. */
export function implementationTypeName(value: CelValue): string {
  const name = typeName(value);
  return implementationTypeNames.get(name) ?? name;
}

const implementationTypeNames: ReadonlyMap<string, string> = new Map([
  ["int", "types.Int"],
  ["double", "types.Double"],
  ["string", "types.String"],
  ["bool", "types.Bool"],
  ["null_type", "types.Null"],
  ["list", "*types.baseList"],
  ["map", "*types.baseMap"],
  ["uint", "types.Uint"],
  ["bytes", "types.Bytes"],
  ["google.protobuf.Timestamp", "types.Timestamp"],
  ["google.protobuf.Duration", "types.Duration"],
  ["optional", "*types.Optional"],
  ["type", "*types.Type"],
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
