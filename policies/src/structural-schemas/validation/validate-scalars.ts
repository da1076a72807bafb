import { goDouble, goNumber, goQuote } from "@gatehouse/envelopes/go";
import type { JsonValue } from "@gatehouse/envelopes/json";
import type { CompiledSchema } from "./compiled-schema.js";
import type { ValidationResult } from "./validation-result.js";

/** The type of a value in JSON's terms. Whole numbers are integers, as Go reads them. */
export type TypeName = "boolean" | "string" | "integer" | "number" | "array" | "object";

/** Returns the type of a value that is not null. */
export function typeOf(value: JsonValue): TypeName {
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "boolean";
    case "bigint":
      return "integer";
    case "number":
      return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? "integer" : "number";
    default:
      return Array.isArray(value) ? "array" : "object";
  }
}

/** Checks that a value is of one of the types. Null is of none but where it is allowed. */
export function validateType(schema: CompiledSchema, value: JsonValue, path: string, result: ValidationResult): void {
  const { types, format } = schema;
  if (value === null) {
    if (types.length > 0 && !schema.nullable) {
      addTypeError(result, path, types.join(","), "null");
    } else {
      result.matchCount++;
    }
    return;
  }
  const type = typeOf(value);
  const isText = type === "string" || type === "array";
  const fits = isOfType(types, type, value);
  if (format !== "" && !isText && !fits) {
    // Only strings have formats, and what is said of other values is the format that Go has for them.
    addTypeError(result, path, format, goFormats[type] ?? "");
  } else if (format !== "" && isText && !types.includes("number") && !types.includes("integer")) {
    result.matchCount++;
  } else if (fits) {
    result.matchCount++;
  } else {
    addTypeError(result, path, types.join(","), type);
  }
}

function isOfType(types: readonly string[], type: TypeName, value: JsonValue): boolean {
  return (
    types.includes(type) ||
    (type === "integer" && types.includes("number")) ||
    (type === "number" && types.includes("integer") && Number.isSafeInteger(value))
  );
}

const goFormats: Partial<Readonly<Record<TypeName, string>>> = { integer: "int64", number: "float64" };

function addTypeError(result: ValidationResult, path: string, wanted: string, found: string): void {
  result.add({
    code: "type",
    path,
    value: found,
    message: `${path} in body must be of type ${wanted}: ${JSON.stringify(found)}`,
  });
}

/** Checks lengths and pattern, and reports the first problem. */
export function validateString(schema: CompiledSchema, text: string, path: string, result: ValidationResult): void {
  const { maxLength, minLength, pattern } = schema;
  if (maxLength !== undefined && text.length > maxLength && codePoints(text) > maxLength) {
    const message = `${path} in body should be at most ${maxLength} chars long`;
    result.add({ code: "tooLong", path, value: text, message, max: maxLength });
  } else if (minLength !== undefined && text.length < 2 * minLength && codePoints(text) < minLength) {
    addInvalid(result, path, text, `should be at least ${minLength} chars long`);
  } else if (pattern !== undefined && !pattern.matches(text)) {
    const shown =
      pattern.problem === undefined ? pattern.source : `${pattern.source}, but pattern is invalid: ${pattern.problem}`;
    const rule = pattern.isTooLong(text) ? "is too long to be matched against" : "should match";
    addInvalid(result, path, text, `${rule} '${shown}'`);
  }
}

/** Checks the format of a text. */
export function validateFormat(schema: CompiledSchema, text: string, path: string, result: ValidationResult): void {
  if (schema.hasFormat?.(text) === false) {
    const message = `${path} in body must be of type ${schema.format}: ${goQuote(text)}`;
    result.add({ code: "type", path, value: text, message });
  }
}

/** Checks the limits of a number. Those of an integer lose their fractions first, as in Go. */
export function validateNumber(
  schema: CompiledSchema,
  value: number | bigint,
  path: string,
  result: ValidationResult,
): void {
  const isWhole = typeOf(value) === "integer";
  const limit = (stated: number): number => (isWhole ? Math.trunc(stated) : stated);
  const shown = (stated: number): string => (isWhole ? goNumber(Math.trunc(stated)) : goDouble(stated));
  const { multipleOf, maximum, minimum, exclusiveMaximum, exclusiveMinimum } = schema;
  if (multipleOf !== undefined) {
    if (limit(multipleOf) <= 0) {
      result.add({
        code: "invalid",
        path,
        value: limit(multipleOf),
        message: `factor MultipleOf declared for ${path} must be positive: ${shown(multipleOf)}`,
      });
    } else if (!isMultiple(value, limit(multipleOf), isWhole)) {
      addInvalid(result, path, value, `should be a multiple of ${shown(multipleOf)}`);
    }
  }
  // Minimum comes before maximum where both fail, which they do only where no number is allowed.
  if (minimum !== undefined && (exclusiveMinimum ? value <= limit(minimum) : value < limit(minimum))) {
    const relation = exclusiveMinimum ? "greater than" : "greater than or equal to";
    addInvalid(result, path, value, `should be ${relation} ${shown(minimum)}`);
  }
  if (maximum !== undefined && (exclusiveMaximum ? value >= limit(maximum) : value > limit(maximum))) {
    const relation = exclusiveMaximum ? "less than" : "less than or equal to";
    addInvalid(result, path, value, `should be ${relation} ${shown(maximum)}`);
  }
  result.matchCount++;
}

function isMultiple(value: number | bigint, factor: number, isWhole: boolean): boolean {
  if (isWhole) {
    return BigInt(value) % BigInt(factor) === 0n;
  }
  const quotient = factor < 1 ? (1 / factor) * Number(value) : Number(value) / factor;
  return isNearlyWhole(quotient);
}

/** Reports whether a quotient is whole within the tolerance that Go has for rounding. */
function isNearlyWhole(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    return false;
  }
  const nearest = Math.trunc(value);
  const difference = Math.abs(value - nearest);
  if (difference === 0) {
    return true;
  }
  return value === 0 || nearest === 0
    ? difference < Number.EPSILON * Number.MIN_VALUE
    : difference / (Math.abs(value) + Math.abs(nearest)) < 1e-9;
}

function addInvalid(result: ValidationResult, path: string, value: JsonValue, rule: string): void {
  result.add({ code: "invalid", path, value, message: `${path} in body ${rule}` });
}

function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0xd800 && code < 0xdc00) {
      count--;
      i++;
    }
  }
  return count;
}
