import { EvaluationError } from "./evaluation-error.js";
import { doubleText, doubleValue, intOfDouble, intValue, numberOf, uintOfDouble, uintValue } from "./numbers.js";
import { floorDivide, timestampValue } from "./time-arithmetic.js";
import { durationText, parseDuration, parseTimestamp, timestampText } from "./time-text.js";
import { isDouble, isInt, typeName } from "./type-name.js";
import { type BoxedDouble, type CelValue, Duration, Timestamp, Uint } from "./value.js";

const decimal = /^[+-]?\d+$/;
const unsignedDecimal = /^\d+$/;
const decimalFloat = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const hexadecimalFloat = /^([+-]?)0x([\da-f]*)(?:\.([\da-f]*))?p([+-]?\d+)$/i;
const infinity = /^[+-]?inf(?:inity)?$/i;
/** An underscore between digits, which Go allows in numbers. */
const digitSeparator = /([\da-fx])_(?=[\da-f])/gi;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Converts to an int. Throws EvaluationError if the value stands for none. */
export function toInt(value: CelValue): number | bigint {
  if (isInt(value)) {
    return value;
  }
  if (isDouble(value)) {
    return intOfDouble(numberOf(value));
  }
  if (value instanceof Uint) {
    return intValue(value.value);
  }
  if (value instanceof Timestamp) {
    return intValue(floorDivide(value.nanoseconds, 1_000_000_000n));
  }
  if (value instanceof Duration) {
    return intValue(value.nanoseconds);
  }
  const parsed = typeof value === "string" && decimal.test(value) ? BigInt(value.replace(/^\+/, "")) : undefined;
  if (parsed === undefined || parsed !== BigInt.asIntN(64, parsed)) {
    throw conversionError(value, "int");
  }
  return intValue(parsed);
}

/** Converts to an unsigned int. Throws EvaluationError if the value stands for none. */
export function toUint(value: CelValue): Uint {
  if (value instanceof Uint) {
    return value;
  }
  if (isInt(value)) {
    return uintValue(BigInt(value));
  }
  if (isDouble(value)) {
    return uintOfDouble(numberOf(value));
  }
  const parsed = typeof value === "string" && unsignedDecimal.test(value) ? BigInt(value) : undefined;
  if (parsed === undefined || parsed !== BigInt.asUintN(64, parsed)) {
    throw conversionError(value, "uint");
  }
  return new Uint(parsed);
}

/** Converts to a double. Throws EvaluationError if the value stands for none. */
export function toDouble(value: CelValue): number | BoxedDouble {
  if (isDouble(value)) {
    return value;
  }
  if (isInt(value)) {
    return doubleValue(Number(value));
  }
  if (value instanceof Uint) {
    return doubleValue(Number(value.value));
  }
  const parsed = typeof value === "string" ? parseDouble(value) : undefined;
  if (parsed === undefined) {
    throw conversionError(value, "double");
  }
  return doubleValue(parsed);
}

function parseDouble(source: string): number | undefined {
  const text = source.replace(digitSeparator, "$1");
  if (decimalFloat.test(text)) {
    const parsed = Number(text);
    return Number.isFinite(parsed) ? parsed : undefined;
  }
  if (/^nan$/i.test(text)) {
    return Number.NaN;
  }
  if (infinity.test(text)) {
    return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  return parseHexadecimal(text);
}

function parseHexadecimal(text: string): number | undefined {
  const [match, sign, whole = "", fraction = "", exponent] = hexadecimalFloat.exec(text) ?? [];
  if (match === undefined || whole + fraction === "") {
    return undefined;
  }
  const mantissa = Number(BigInt(`0x${whole}${fraction}`));
  const parsed = mantissa * 2 ** (Number(exponent) - 4 * fraction.length);
  return Number.isFinite(parsed) ? (sign === "-" ? -parsed : parsed) : undefined;
}

/** Converts to a boolean: `true`, `t`, `1` and their like. Throws EvaluationError if the value stands for none. */
export function toBool(value: CelValue): boolean {
  switch (value) {
    case true:
    case "1":
    case "t":
    case "T":
    case "true":
    case "TRUE":
    case "True":
      return true;
    case false:
    case "0":
    case "f":
    case "F":
    case "false":
    case "FALSE":
    case "False":
      return false;
    default:
      throw conversionError(value, "bool");
  }
}

/** Converts to bytes: a string to its UTF-8. Throws EvaluationError for values of other types. */
export function toBytes(value: CelValue): Uint8Array {
  if (typeof value === "string") {
    return encoder.encode(value);
  }
  if (value instanceof Uint8Array) {
    return value;
  }
  throw conversionError(value, "bytes");
}

/** Converts to a timestamp: of text in the form of RFC 3339, or of seconds since 1970. Throws EvaluationError. */
export function toTimestamp(value: CelValue): Timestamp {
  if (value instanceof Timestamp) {
    return value;
  }
  if (isInt(value)) {
    return timestampValue(BigInt(value) * 1_000_000_000n);
  }
  const parsed = typeof value === "string" ? parseTimestamp(value) : undefined;
  if (parsed === undefined) {
    throw conversionError(value, "google.protobuf.Timestamp");
  }
  return timestampValue(parsed.nanoseconds, parsed.offsetMinutes);
}

/** Converts to a duration: of text such as `1h30m`. Throws EvaluationError if the text has another form. */
export function toDuration(value: CelValue): Duration {
  if (value instanceof Duration) {
    return value;
  }
  const parsed = typeof value === "string" ? parseDuration(value) : undefined;
  if (parsed === undefined) {
    throw conversionError(value, "google.protobuf.Duration");
  }
  return parsed;
}

/** Converts to a string. Throws EvaluationError for bytes that are no UTF-8, and for values without a text. */
export function toText(value: CelValue): string {
  if (typeof value === "string") {
    return value;
  }
  if (typeof value === "boolean" || isInt(value)) {
    // From 1e21 on numbers are written with an exponent, but those are no ints.
    return String(value);
  }
  if (isDouble(value)) {
    return doubleText(numberOf(value));
  }
  if (value instanceof Uint) {
    return String(value.value);
  }
  if (value instanceof Uint8Array) {
    return bytesText(value);
  }
  if (value instanceof Timestamp) {
    return timestampText(value);
  }
  if (value instanceof Duration) {
    return durationText(value);
  }
  throw conversionError(value, "string");
}

function bytesText(value: Uint8Array): string {
  try {
    return decoder.decode(value);
  } catch {
    throw new EvaluationError("invalid UTF-8 in bytes, cannot convert to string");
  }
}

function conversionError(value: CelValue, type: string): EvaluationError {
  return new EvaluationError(`type conversion error from '${typeName(value)}' to '${type}'`);
}
