import { DecodeError } from "../../errors.js";

/** The notation of a quantity: `12Mi`, `12M`, `12e6`. */
export type QuantityFormat = "BinarySI" | "DecimalSI" | "DecimalExponent";

/** A fixed-point number, `unscaled` times ten to the power `exponent`, never finer than nano. */
export interface Quantity {
  readonly unscaled: bigint;
  readonly exponent: number;
  readonly format: QuantityFormat;
  /** The canonical text. */
  readonly text: string;
}

const formatError = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const suffixError = "unable to parse quantity's suffix";
const numericError = "unable to parse numeric part of quantity";
/** The limit of a quantity's length in characters; arithmetic on very long numbers is slow. */
const maxTextLength = 4096;

/** The exponent of the finest amounts. */
const nano = -9;
/** The limit of places between two added amounts: beyond it the smaller one is negligible. */
const maxPlaces = 1000;
const maxBinary = 2n ** 63n - 1n;
const decimalSuffixes = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
const binarySuffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

// Objects of all sorts say the same few amounts, and each is looked at several times.
const maxKnown = 512;
const known = new Map<string, Quantity>();

/** Parses as `resource.ParseQuantity`: sign, digits, point and suffix; throws DecodeError with its texts. */
export function parseQuantity(text: string): Quantity {
  let quantity = known.get(text);
  if (quantity === undefined) {
    quantity = parseAnew(text);
    if (known.size >= maxKnown) {
      known.clear();
    }
    if (text.length <= 32) {
      known.set(text, quantity);
    }
  }
  return quantity;
}

function parseAnew(text: string): Quantity {
  if (text === "") {
    throw new DecodeError(formatError);
  }
  if (text.length > maxTextLength) {
    throw new DecodeError(numericError);
  }
  const { negative, digits, fraction, suffix } = splitQuantity(text);
  const { base, exponent, format } = interpretSuffix(suffix);
  const fractionDigits = fraction.length;
  let unscaled = BigInt(digits + fraction);
  let scale = base === 10 ? exponent - fractionDigits : -fractionDigits;
  if (base === 2) {
    unscaled <<= BigInt(exponent);
  }
  const reusable = isReusedAsIs(digits + fraction, fraction, base, exponent, scale);
  let finalFormat = format;
  if (scale < nano) {
    unscaled = divideRoundingUp(unscaled, nano - scale);
    scale = nano;
  }
  if (format === "BinarySI") {
    if (compareScaled(unscaled, scale, maxBinary, 0) > 0) {
      unscaled = maxBinary;
      scale = 0;
    }
    if (unscaled > 0n && compareScaled(unscaled, scale, 1n, 0) < 0) {
      finalFormat = "DecimalSI";
    }
  }
  const value = negative ? -unscaled : unscaled;
  return {
    unscaled: value,
    exponent: scale,
    format: finalFormat,
    text: reusable ? text : formatQuantity(value, scale, finalFormat),
  };
}

/** Returns the text that the API writes for a quantity. Throws DecodeError. */
export function canonicalQuantity(text: string): string {
  return isPlainlyCanonical(text) ? text : parseQuantity(text).text;
}

/** Compares two quantities: negative, zero or positive as `a` is less than, equal to or greater than `b`. */
export function compareQuantity(a: Quantity, b: Quantity): number {
  return compareScaled(a.unscaled, a.exponent, b.unscaled, b.exponent);
}

/** Returns the sum in the format of `a`, or of `b` when `a` is zero. */
export function addQuantity(a: Quantity, b: Quantity): Quantity {
  if (a.unscaled === 0n) {
    return b;
  }
  if (b.unscaled === 0n) {
    return a;
  }
  const places = a.exponent - b.exponent;
  if (Math.abs(places) > maxPlaces) {
    return places > 0 ? a : { ...b, format: a.format };
  }
  const exponent = Math.min(a.exponent, b.exponent);
  return makeQuantity(shift(a, exponent) + shift(b, exponent), exponent, a.format);
}

/** Returns the amount with the other sign, in the same format. */
export function negateQuantity(a: Quantity): Quantity {
  return makeQuantity(-a.unscaled, a.exponent, a.format);
}

/** Returns `a - b`, in the format of `a`. */
export function subtractQuantity(a: Quantity, b: Quantity): Quantity {
  return addQuantity(a, negateQuantity(b));
}

/** Rounds away from zero to a multiple of ten to the power `exponent` (-3: milli). */
export function roundUpQuantity(a: Quantity, exponent: number): Quantity {
  if (a.exponent >= exponent) {
    return a;
  }
  const magnitude = a.unscaled < 0n ? -a.unscaled : a.unscaled;
  const rounded = divideRoundingUp(magnitude, exponent - a.exponent);
  return makeQuantity(a.unscaled < 0n ? -rounded : rounded, exponent, a.format);
}

/**
 * Returns the amount as an integer, rounded away from zero (Go's `Value()`). What does not fit into 64 bits is 0 or its lowest
 * 64 bits, as Go computes it; beyond 10^1000 these are zeros.
 */
export function quantityValue(a: Quantity): bigint {
  if (a.exponent > maxPlaces) {
    return 0n;
  }
  const value = shift(roundUpQuantity(a, 0), 0);
  const lowest = BigInt.asIntN(64, value);
  const isHeldAsInteger = a.unscaled < firstDecimal && a.unscaled > -firstDecimal;
  return lowest === value || !isHeldAsInteger || wrappingPlaces.has(a.exponent) ? lowest : 0n;
}

/** Returns the amount in thousandths as an integer, as `quantityValue` (Go's `MilliValue()`). */
export function quantityMilliValue(a: Quantity): bigint {
  return quantityValue({ ...a, exponent: a.exponent + 3 });
}

/** The least amount, without its suffix, that Go holds as a decimal number and not as an integer of 64 bits and an exponent. */
const firstDecimal = 10n ** 18n;
/** The exponents by which Go multiplies in one step; it tells an overflow in several. */
const wrappingPlaces: ReadonlySet<number> = new Set([1, 2, 3, 6, 9]);

function makeQuantity(unscaled: bigint, exponent: number, format: QuantityFormat): Quantity {
  return { unscaled, exponent, format, text: formatQuantity(unscaled, exponent, format) };
}

/** The unscaled value at a smaller exponent. */
function shift(a: Quantity, exponent: number): bigint {
  return a.unscaled * 10n ** BigInt(a.exponent - exponent);
}

/** The parts of a quantity as it is written. */
export interface QuantityParts {
  readonly negative: boolean;
  /** Integer digits without leading zeros, "0" when there are none. */
  readonly digits: string;
  readonly fraction: string;
  readonly suffix: string;
}

/** Splits a quantity as `parseQuantityString` does, which accepts `.5`, `5.`, `+5`, even a lone sign or point. */
export function splitQuantity(text: string): QuantityParts {
  let at = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
  while (text.charCodeAt(at) === 0x30) {
    at++;
  }
  const pointAt = skipDigits(text, at);
  const digits = text.slice(at, pointAt);
  const fractionAt = text.charCodeAt(pointAt) === 0x2e ? pointAt + 1 : pointAt;
  const suffixAt = fractionAt > pointAt ? skipDigits(text, fractionAt) : pointAt;
  const suffix = text.slice(suffixAt);
  if (!/^[eEinumkKMGTP]*[-+]?[0-9]*$/.test(suffix)) {
    throw new DecodeError(formatError);
  }
  return {
    negative: text.startsWith("-"),
    digits: digits === "" ? "0" : digits,
    fraction: text.slice(fractionAt, suffixAt),
    suffix,
  };
}

function skipDigits(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39) {
    at++;
  }
  return at;
}

/** Returns the meaning of a suffix. Throws DecodeError for one that has none. */
export function interpretSuffix(suffix: string): { base: 2 | 10; exponent: number; format: QuantityFormat } {
  const decimal = decimalSuffixes.indexOf(suffix);
  if (decimal >= 0) {
    return { base: 10, exponent: (decimal - 3) * 3, format: "DecimalSI" };
  }
  const binary = binarySuffixes.indexOf(suffix);
  if (binary >= 0) {
    return { base: 2, exponent: binary * 10, format: "BinarySI" };
  }
  // Ten digits hold every exponent that an int32 can; longer ones wrap around in Go and mean nothing.
  if (/^[eE][+-]?[0-9]{1,10}$/.test(suffix)) {
    return { base: 10, exponent: Number(suffix.slice(1)), format: "DecimalExponent" };
  }
  throw new DecodeError(suffixError);
}

/**
 * Reports whether Go keeps the text of a number, because it is cheap to parse and looks canonical. The test is coarse
 * (`1.500` and `+5` pass), but clients see its outcome.
 */
export function isReusedAsIs(
  shifted: string,
  fraction: string,
  base: 2 | 10,
  exponent: number,
  scale: number,
): boolean {
  if (!isReadAsInteger(shifted, fraction, base, exponent, scale)) {
    return false;
  }
  return base === 2
    ? (Number(shifted) & 7) !== 0
    : scale % 3 === 0 && !shifted.endsWith("000") && !shifted.startsWith("0");
}

/** Reports whether Go reads a number as an integer of 64 bits: it estimates the digits that a binary suffix needs. */
export function isReadAsInteger(
  shifted: string,
  fraction: string,
  base: 2 | 10,
  exponent: number,
  scale: number,
): boolean {
  return base === 2
    ? fraction === "" && shifted.length + Math.trunc((exponent * 3) / 10) <= 14
    : shifted.length <= 18 && scale >= nano;
}

function formatQuantity(unscaled: bigint, scale: number, format: QuantityFormat): string {
  if (unscaled === 0n) {
    return "0";
  }
  return (format === "BinarySI" ? formatBinary(unscaled, scale) : undefined) ?? formatDecimal(unscaled, scale, format);
}

/**
 * Formats with a binary suffix; undefined when the value is small or no integer, which the decimal form writes without
 * loss.
 */
function formatBinary(unscaled: bigint, scale: number): string | undefined {
  const magnitude = unscaled < 0n ? -unscaled : unscaled;
  if (compareScaled(magnitude, scale, 1024n, 0) < 0 || scale > 1000) {
    return undefined;
  }
  const divisor = scale < 0 ? 10n ** BigInt(-scale) : 1n;
  if (magnitude % divisor !== 0n) {
    return undefined;
  }
  let value = scale < 0 ? unscaled / divisor : unscaled * 10n ** BigInt(scale);
  let power = 0;
  while (value % 1024n === 0n && power < binarySuffixes.length - 1) {
    value /= 1024n;
    power++;
  }
  return `${value}${binarySuffixes[power]}`;
}

function formatDecimal(unscaled: bigint, scale: number, format: QuantityFormat): string {
  let value = unscaled;
  let exponent = scale;
  while (value % 10n === 0n) {
    value /= 10n;
    exponent++;
  }
  while (exponent % 3 !== 0) {
    value *= 10n;
    exponent--;
  }
  const suffix = format === "DecimalExponent" ? undefined : decimalSuffixes[exponent / 3 + 3];
  // Beyond exa there is no suffix; an exponent keeps the value where Go before 1.36 lost it.
  return suffix === undefined ? `${value}${exponent === 0 ? "" : `e${exponent}`}` : `${value}${suffix}`;
}

/** Compares a * 10^x with b * 10^y without writing out powers that no real amount has. */
function compareScaled(a: bigint, x: number, b: bigint, y: number): number {
  const signs = sign(a) - sign(b);
  if (signs !== 0 || a === 0n) {
    return signs;
  }
  const digits = digitsOf(a) + x - (digitsOf(b) + y);
  if (digits !== 0) {
    return digits > 0 === a > 0n ? 1 : -1;
  }
  // Equal magnitude: the exponents differ by no more than the digits written.
  const left = x > y ? a * 10n ** BigInt(x - y) : a;
  const right = y > x ? b * 10n ** BigInt(y - x) : b;
  return left < right ? -1 : left > right ? 1 : 0;
}

function sign(a: bigint): number {
  return a < 0n ? -1 : a > 0n ? 1 : 0;
}

function digitsOf(a: bigint): number {
  return (a < 0n ? -a : a).toString().length;
}

/** Divides a value that is not negative by 10^places, rounding up; a tiny positive value becomes one. */
export function divideRoundingUp(value: bigint, places: number): bigint {
  if (value === 0n) {
    return 0n;
  }
  if (places > digitsOf(value)) {
    return 1n;
  }
  const divisor = 10n ** BigInt(places);
  return (value + divisor - 1n) / divisor;
}

/**
 * Reports whether a quantity is a short integer with the largest suffix that fits, as most are; it needs no arithmetic.
 */
function isPlainlyCanonical(text: string): boolean {
  const match = /^[1-9][0-9]{0,8}(m|k|Ki|Mi|Gi|)$/.exec(text);
  if (match === null) {
    return text === "0";
  }
  const suffix = match[1] ?? "";
  if (suffix.endsWith("i")) {
    return Number.parseInt(text, 10) % 1024 !== 0;
  }
  return !text.endsWith(`000${suffix}`);
}
