import type { JsonValue } from "@gatehouse/envelopes";

/** The JSON type of a value as v1.29's decoder names it in its messages. */
export function jsonTypeName(value: JsonValue): string {
  if (Array.isArray(value)) {
    return "array";
  }
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "bigint":
      return "number";
    default:
      return value === null ? "null" : typeof value;
  }
}
