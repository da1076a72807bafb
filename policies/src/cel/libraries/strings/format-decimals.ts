import { EvaluationError } from "../../values/evaluation-error.js";
import { numberOf } from "../../values/numbers.js";
import { isDouble, typeName } from "../../values/type-name.js";
import type { CelValue } from "../../values/value.js";

const defaultPrecision = 6;
/** v1.29 keeps the least number of digits in one byte; zeros beyond it are not shown. */
const byteRange = 256;
const specialTexts: ReadonlyMap<string, number> = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
]);

/** Formats a double with so many digits after the point, and commas between thousands (`%f`). */
export function formatFixed(value: CelValue, precision: number = defaultPrecision): string {
  const number = doubleOf(value, "fixed-point");
  return specialText(number) ?? grouped(trimmedTo(fixedDigits(number, precision), precision % byteRange));
}

/** Formats a double as `1.500000 × 10⁰³` (`%e`). v1.29 takes the precision for the least width. */
export function formatScientific(value: CelValue, width: number = defaultPrecision): string {
  const number = doubleOf(value, "scientific");
  return (specialText(number) ?? scientific(number)).padStart(width);
}

function doubleOf(value: CelValue, clause: string): number {
  const number = isDouble(value) ? numberOf(value) : typeof value === "string" ? specialTexts.get(value) : undefined;
  if (number === undefined) {
    throw new EvaluationError(`${clause} clause can only be used on doubles, was given ${typeName(value)}`);
  }
  return number;
}

function specialText(number: number): string | undefined {
  if (Number.isNaN(number)) {
    return "NaN";
  }
  return Number.isFinite(number) ? undefined : number > 0 ? "∞" : "-∞";
}

/** Returns the digits of a finite number with so many after the point, exactly; halves are rounded to an even digit. */
export function fixedDigits(number: number, precision: number): string {
  const { mantissa, exponent } = partsOf(Math.abs(number));
  let scaled = mantissa * 10n ** BigInt(precision);
  if (exponent >= 0) {
    scaled <<= BigInt(exponent);
  } else {
    scaled = dividedByPowerOfTwo(scaled, BigInt(-exponent));
  }
  const digits = scaled.toString().padStart(precision + 1, "0");
  const point = digits.length - precision;
  const fraction = precision === 0 ? "" : `.${digits.slice(point)}`;
  return `${number < 0 ? "-" : ""}${digits.slice(0, point)}${fraction}`;
}

function dividedByPowerOfTwo(value: bigint, power: bigint): bigint {
  const quotient = value >> power;
  const rest = value - (quotient << power);
  const half = 1n << (power - 1n);
  const roundsUp = rest > half || (rest === half && quotient % 2n === 1n);
  return roundsUp ? quotient + 1n : quotient;
}

/** Returns the parts of a finite number that is not negative: `mantissa` times two to the power `exponent`. */
function partsOf(number: number): { readonly mantissa: bigint; readonly exponent: number } {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, number);
  const biased = bits.getUint16(0) >> 4;
  const fraction = bits.getBigUint64(0) & (2n ** 52n - 1n);
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction + 2n ** 52n, exponent: biased - 1075 };
}

/** Removes zeros at the end, but leaves so many digits after the point. */
function trimmedTo(digits: string, least: number): string {
  const point = digits.indexOf(".");
  if (point < 0) {
    return digits;
  }
  let end = digits.length;
  while (end > point + 1 + least && digits[end - 1] === "0") {
    end--;
  }
  return digits.slice(0, end === point + 1 ? point : end);
}

function grouped(digits: string): string {
  const [whole = "", fraction] = digits.split(".");
  const groups = whole.replace(/(?<=\d)(?=(?:\d{3})+$)/g, ",");
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function scientific(number: number): string {
  const [mantissa = "", exponent = "0"] = (number === 0 ? 0 : number).toExponential(defaultPrecision).split("e");
  const power = Math.abs(Number(exponent)).toString().padStart(2, "0");
  const raised = power.replace(/\d/g, (digit) => superscripts[Number(digit)] ?? "");
  return `${mantissa}\u202f×\u202f10${Number(exponent) < 0 ? "⁻" : ""}${raised}`;
}
