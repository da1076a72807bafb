import { canonicalDuration } from "../go/duration.js";
import { isInt64 } from "../json/int64.js";
import type { JsonValue } from "../json/json.js";
import { canonicalBase64 } from "./scalars/base64.js";
import { isInt32 } from "./scalars/int-or-string.js";
import { canonicalQuantity } from "./scalars/quantity.js";
import { canonicalMicroTime, canonicalTime } from "./scalars/time.js";
import { isNumber, mismatch, numberMismatch } from "./type-mismatch.js";

/** Reads a scalar, or throws what Go says of a value that is none. `wanted` is the Go type for error texts. */
export function scalarDecoder(scalar: string, wanted: string): (value: JsonValue) => JsonValue {
  switch (scalar) {
    case "string":
      return (value) => (typeof value === "string" ? value : mismatch(value, wanted));
    case "boolean":
      return (value) => (typeof value === "boolean" ? value : mismatch(value, wanted));
    case "int32":
      return (value) => (isInt32(value) ? value : numberMismatch(value, wanted));
    case "int64":
      return (value) => decodeInt64(value, wanted);
    case "double":
      return (value) => (isNumber(value) ? Number(value) : mismatch(value, wanted));
    case "bytes":
      return (value) => decodeBytes(value, wanted);
    case "time":
      return (value) => (typeof value === "string" ? canonicalTime(value) : mismatch(value, "string"));
    case "microTime":
      return (value) => (typeof value === "string" ? canonicalMicroTime(value) : mismatch(value, "string"));
    case "duration":
      return (value) => (typeof value === "string" ? canonicalDuration(value) : mismatch(value, "string"));
    case "quantity":
      return decodeQuantity;
    default:
      return (value) => (typeof value === "string" || isInt32(value) ? value : numberMismatch(value, "int32"));
  }
}

const readByGo: ReadonlySet<string> = new Set(["string", "boolean", "int32", "int64", "double", "bytes"]);

/** Reports whether a type reads itself from JSON in Go: its errors come before others. */
export function readsItself(scalar: string): boolean {
  return !readByGo.has(scalar);
}

function decodeInt64(value: JsonValue, wanted: string): JsonValue {
  if (typeof value === "number" && Number.isSafeInteger(value)) {
    return value;
  }
  if (typeof value === "bigint" && isInt64(value)) {
    return value;
  }
  return numberMismatch(value, wanted);
}

/** Decodes base64 text, or the bytes as a list of numbers. */
function decodeBytes(value: JsonValue, wanted: string): JsonValue {
  if (typeof value === "string") {
    return canonicalBase64(value);
  }
  if (!Array.isArray(value)) {
    return mismatch(value, wanted);
  }
  const bytes = value.map((item) =>
    item === null
      ? 0
      : Number.isInteger(item) && Number(item) >= 0 && Number(item) < 256
        ? item
        : numberMismatch(item, "uint8"),
  );
  return Buffer.from(bytes as number[]).toString("base64");
}

function decodeQuantity(value: JsonValue): JsonValue {
  if (typeof value === "string") {
    return canonicalQuantity(value.trim());
  }
  // Go parses the JSON text itself: a number is a quantity without a suffix, anything else breaks the format.
  return canonicalQuantity(isNumber(value) ? String(value) : "{}");
}
