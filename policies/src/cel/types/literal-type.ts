import { BoxedDouble, type CelValue, Uint } from "../values/value.js";
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  dynType,
  intType,
  nullType,
  stringType,
  uintType,
} from "./cel-type.js";

/** Returns the type of a value that a source spells out. */
export function literalType(value: CelValue): CelType {
  switch (typeof value) {
    case "boolean":
      return boolType;
    case "string":
      return stringType;
    case "bigint":
      return intType;
    case "number":
      return Number.isInteger(value) ? intType : doubleType;
    default:
      return objectLiteralType(value);
  }
}

function objectLiteralType(value: CelValue): CelType {
  if (value === null) {
    return nullType;
  }
  if (value instanceof BoxedDouble) {
    return doubleType;
  }
  if (value instanceof Uint) {
    return uintType;
  }
  return value instanceof Uint8Array ? bytesType : dynType;
}
