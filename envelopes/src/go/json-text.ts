import { isInt64 } from "../json/int64.js";
import { isJsonObject, type JsonValue } from "../json/json.js";
import { goNumber } from "./json-syntax.js";

/*
 * Some messages of kube-apiserver quote values in Go's own notation. Clients see these texts, so we write them alike.
 */

/** Returns a JSON value in Go's default format (`%v`): `map[a:1 b:[x y]]`, keys sorted, strings bare. */
export function goValueText(value: JsonValue): string {
  return valueText(value, (scalar) =>
    scalar === null ? "<nil>" : typeof scalar === "boolean" ? String(scalar) : goNumber(scalar),
  );
}

/** Returns a JSON value as Go prints it with `%s`, which only fits strings: `map[a:%!s(int64=1) b:[x y]]`. */
export function goStringText(value: JsonValue): string {
  return valueText(value, (scalar) =>
    scalar === null
      ? "%!s(<nil>)"
      : `%!s(${goTypeOfJson(scalar)}=${typeof scalar === "boolean" ? scalar : goNumber(scalar)})`,
  );
}

type OtherScalar = number | bigint | boolean | null;

function valueText(value: JsonValue, scalarText: (scalar: OtherScalar) => string): string {
  if (Array.isArray(value)) {
    return `[${value.map((item) => valueText(item, scalarText)).join(" ")}]`;
  }
  if (isJsonObject(value)) {
    const members = Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .sort()
      .map((key) => `${key}:${valueText(value[key] ?? null, scalarText)}`);
    return `map[${members.join(" ")}]`;
  }
  return typeof value === "string" ? value : scalarText(value as OtherScalar);
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
      return isInt64(value) ? "int64" : "float64";
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
      return isInt64(value) ? "int64" : "float64";
  }
}
