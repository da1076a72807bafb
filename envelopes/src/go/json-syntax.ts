import { isInt64 } from "../json/int64.js";
import { isJsonObject, type JsonValue } from "../json/json.js";
import { goQuote } from "./quote.js";

/*
 * How messages of v1.29 show values that have no type of their own: in Go's syntax. Clients see these texts.
 */

/** Returns a value as a field error shows it: scalars bare or in quotes, everything else in Go's syntax (`%#v`). */
export function goSyntaxValue(value: JsonValue): string {
  return value === null ? '"null"' : typeof value === "object" ? goSyntaxOfJson(value) : goScalar(value);
}

/** Returns a JSON value in Go's syntax (`%#v`): `map[string]interface {}{"a":1}`. */
export function goSyntaxOfJson(value: JsonValue): string {
  if (value === null) {
    return "interface {}(nil)";
  }
  if (Array.isArray(value)) {
    return `[]interface {}{${value.map(goSyntaxOfJson).join(", ")}}`;
  }
  if (isJsonObject(value)) {
    const members = Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .sort()
      .map((key) => `${goQuote(key)}:${goSyntaxOfJson(value[key] as JsonValue)}`);
    return `map[string]interface {}{${members.join(", ")}}`;
  }
  return goScalar(value);
}

function goScalar(value: string | number | boolean | bigint): string {
  return typeof value === "string" ? goQuote(value) : typeof value === "boolean" ? String(value) : goNumber(value);
}

/**
 * Returns a number as Go prints it by default: whole ones that an int64 holds are integers, others have an exponent from
 * six digits on.
 */
export function goNumber(value: number | bigint): string {
  return isInt64(value) ? String(value) : goDouble(Number(value));
}

/** Returns a number that Go holds as a double, in its shortest form. */
export function goDouble(value: number): string {
  const [digits = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 6) {
    return String(value);
  }
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}
