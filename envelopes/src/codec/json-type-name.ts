import type { JsonValue } from "../json/json.js";

/**
 * Returns the JSON type of a value as Go's decoder names it in its messages: `bool`, `number`, `array`, `object`,
 * `null`.
 */
export function jsonTypeName(value: JsonValue): string {
  if (Array.isArray(value)) {
    return "array";
  }
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "bigint":
      return "number";
    case "object":
      return value === null ? "null" : "object";
    default:
      return typeof value;
  }
}
