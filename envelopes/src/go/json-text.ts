import { isJsonObject, type JsonObject, type JsonValue } from "../json/json.js";

/*
 * Some messages of kube-apiserver quote values in Go's own notation. Clients see these texts, so we write them alike.
 */

/** Returns a JSON value in Go's default format: `map[a:1 b:[x y]]`, keys sorted, strings bare. */
export function goValueText(value: JsonValue): string {
  if (value === null) {
    return "<nil>";
  }
  if (Array.isArray(value)) {
    return `[${value.map(goValueText).join(" ")}]`;
  }
  return isJsonObject(value) ? goMapText(value) : String(value);
}

function goMapText(object: JsonObject): string {
  const members = Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort()
    .map((key) => `${key}:${goValueText(object[key] ?? null)}`);
  return `map[${members.join(" ")}]`;
}

/** Returns the Go type of the value that holds a decoded JSON value, `%!s(<nil>)` for null, as v1.29 shows it. */
export function goTypeOfJson(value: JsonValue): string {
  if (value === null) {
    return "%!s(<nil>)";
  }
  if (Array.isArray(value)) {
    return "[]interface {}";
  }
  switch (typeof value) {
    case "object":
      return "map[string]interface {}";
    case "boolean":
      return "bool";
    case "string":
      return "string";
    default:
      return Number.isInteger(value) || typeof value === "bigint" ? "int64" : "float64";
  }
}

/** Returns the kind (`reflect.Kind`) of the Go value that holds a decoded JSON value. */
export function goKindOfJson(value: JsonValue): string {
  if (Array.isArray(value)) {
    return "slice";
  }
  switch (typeof value) {
    case "object":
      return "map";
    case "boolean":
      return "bool";
    case "string":
      return "string";
    default:
      return typeof value === "bigint" || Number.isInteger(value) ? "int64" : "float64";
  }
}
