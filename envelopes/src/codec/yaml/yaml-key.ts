import { DecodeError } from "../../errors.js";
import { goDouble } from "../../go/json-syntax.js";
import { goQuote } from "../../go/quote.js";
import { isInt64 } from "../../json/int64.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../json/json.js";

/** A key of a map in YAML, which may be any value; in JSON it is a text. */
export interface YamlKey {
  readonly text: string;
  readonly value: JsonValue;
}

/** Returns a value as a key; undefined for a list or a map. A key that JSON does not have is a text for the time being. */
export function keyOf(value: JsonValue): YamlKey | undefined {
  if (typeof value === "object" && value !== null) {
    return undefined;
  }
  return { text: typeof value === "number" && !isInt64(value) ? singleText(value) : String(value), value };
}

/** Returns the error for a list or map in the place of a key. */
export function invalidKey(value: JsonValue): DecodeError {
  return new DecodeError(`yaml: invalid map key: ${yamlSyntax(value)}`);
}

/** Reports whether JSON does not have a key, which is neither a text nor anything that is written as one. */
export function isUnsupported({ value }: YamlKey): boolean {
  return value === null || (typeof value === "bigint" && !isInt64(value));
}

/** Returns the error for a member whose key JSON does not have. */
export function unsupportedKey({ value: key }: YamlKey, value: JsonValue): DecodeError {
  const type = key === null ? "%!s(<nil>)" : "uint64";
  return new DecodeError(`Unsupported map key of type: ${type}, key: ${shown(key)}, value: ${shown(value)}`);
}

/** Returns what v1.29 says of a key that comes twice. `line` is that of the value, from 0. */
export function duplicateKey({ value }: YamlKey, line: number): string {
  return `line ${line + 1}: key ${shown(value)} already set in map`;
}

/** Returns a value that stands by itself in Go's syntax. */
function shown(value: JsonValue): string {
  return value === null ? "<nil>" : yamlSyntax(value);
}

/** Returns a number with as many digits as a float32 needs, which is how sigs.k8s.io/yaml writes keys that are doubles. */
function singleText(value: number): string {
  if (!Number.isFinite(value)) {
    return Number.isNaN(value) ? ".nan" : value > 0 ? ".inf" : "-.inf";
  }
  const single = Math.fround(value);
  for (let digits = 1; digits < 9; digits++) {
    const shorter = Number(single.toPrecision(digits));
    if (Math.fround(shorter) === single) {
      return goDouble(shorter);
    }
  }
  return goDouble(Number(single.toPrecision(9)));
}

/** Returns a value as yaml.v2 holds it, in Go's syntax (`%#v`). */
function yamlSyntax(value: JsonValue): string {
  if (Array.isArray(value)) {
    return `[]interface {}{${value.map(yamlSyntax).join(", ")}}`;
  }
  if (isJsonObject(value)) {
    const keys = Object.keys(value).sort();
    return `map[interface {}]interface {}{${keys.map((key) => memberSyntax(value, key)).join(", ")}}`;
  }
  switch (typeof value) {
    case "string":
      return goQuote(value);
    case "bigint":
      return isInt64(value) ? String(value) : `0x${value.toString(16)}`;
    case "number":
      return isInt64(value) ? String(value) : Number.isFinite(value) ? goDouble(value) : goInfinity(value);
    case "boolean":
      return String(value);
    default:
      return "interface {}(nil)";
  }
}

function memberSyntax(map: JsonObject, key: string): string {
  return `${goQuote(key)}:${yamlSyntax(map[key] ?? null)}`;
}

/** Returns an infinity or NaN as Go prints it. */
export function goInfinity(value: number): string {
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}
