import type { CelType } from "../types/cel-type.js";
import { entryAt, keysOf } from "../values/maps.js";
import { isDouble, isInt, isList, isMap, itemsOf, type MapValue } from "../values/type-name.js";
import {
  CelObject,
  type CelValue,
  Duration,
  OpaqueValue,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
} from "../values/value.js";

/** Returns true if a value is of a type. Of a list or map only the first entry is looked at, as in v1.29. */
export function matchesType(value: CelValue, type: CelType): boolean {
  switch (type.kind) {
    case "string":
      return typeof value === "string";
    case "bool":
      return typeof value === "boolean";
    case "int":
      return isInt(value);
    case "double":
      return isDouble(value);
    case "null":
      return value === null;
    case "list":
      return isList(value) && matchesFirst(itemsOf(value), type.elements);
    case "map":
      return isMap(value) && matchesFirstEntry(value, type.keys, type.values);
    default:
      return matchesObjectType(value, type);
  }
}

function matchesObjectType(value: CelValue, type: CelType): boolean {
  switch (type.kind) {
    case "uint":
      return value instanceof Uint;
    case "bytes":
      return value instanceof Uint8Array;
    case "timestamp":
      return value instanceof Timestamp;
    case "duration":
      return value instanceof Duration;
    case "type":
      return value instanceof TypeValue;
    case "optional":
      return value instanceof Optional;
    case "opaque":
    case "object":
      return isNamed(value, type.name) || (type.kind === "object" && isMap(value));
    default:
      return true;
  }
}

function isNamed(value: CelValue, name: string): boolean {
  return (value instanceof OpaqueValue || value instanceof CelObject) && value.typeName === name;
}

function matchesFirst(items: readonly CelValue[], type: CelType): boolean {
  const [first] = items;
  return first === undefined || matchesType(first, type);
}

function matchesFirstEntry(map: MapValue, keys: CelType, values: CelType): boolean {
  const [key] = keysOf(map);
  return key === undefined || (matchesType(key, keys) && matchesType(entryAt(map, key) as CelValue, values));
}
