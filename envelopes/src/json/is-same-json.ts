import { isJsonObject, type JsonValue } from "./json.js";

/**
 * Reports whether two JSON values are equal, regardless of the order of members. A bigint equals the same integer as a
 * number.
 */
export function isSameJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) {
    return true;
  }
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isSameJson(item, b[index]));
  }
  if (isJsonObject(a) && isJsonObject(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSameJson(a[key], b[key]))
    );
  }
  return isNumeric(a) && isNumeric(b) && typeof a !== typeof b && Number(a) === Number(b);
}

function isNumeric(value: JsonValue | undefined): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}
