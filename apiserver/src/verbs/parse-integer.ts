import { goQuote } from "@gatehouse/envelopes/go";
import { badRequest } from "@gatehouse/envelopes/status";

const mostSigned = 2n ** 63n;
const mostUnsigned = 2n ** 64n;

/**
 * Parses a signed 64-bit integer of the query; undefined without one. Throws 400 in v1.29's words for an invalid one.
 * Numbers that are not exact in JavaScript become the greatest or least safe integer: nothing here counts so far.
 */
export function parseInteger(text: string | null): number | undefined {
  if (text === null) {
    return undefined;
  }
  const failed = (detail: string): Error => badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: ${detail}`);
  if (!/^[+-]?\d+$/.test(text)) {
    throw failed("invalid syntax");
  }
  const value = exactInteger(text);
  if (value === undefined || value >= mostSigned || value < -mostSigned) {
    throw failed("value out of range");
  }
  return nearestSafe(value);
}

/** Parses an unsigned 64-bit integer, capped at the greatest safe integer. `problem` makes the error from its text. */
export function parseUnsigned(text: string, problem: (detail: string) => Error): number {
  const failed = (detail: string): Error => problem(`strconv.ParseUint: parsing ${goQuote(text)}: ${detail}`);
  if (!/^\d+$/.test(text)) {
    throw failed("invalid syntax");
  }
  const value = exactInteger(text);
  if (value === undefined || value >= mostUnsigned) {
    throw failed("value out of range");
  }
  return nearestSafe(value);
}

/**
 * Largest number of digits, leading zeros apart, of a number that fits; reading one costs the square of their count.
 */
const maxDigits = 20;

function exactInteger(text: string): bigint | undefined {
  const digits = text.replace(/^([+-]?)0+(?=\d)/, "$1").replace("+", "");
  return digits.length > maxDigits ? undefined : BigInt(digits);
}

function nearestSafe(value: bigint): number {
  const number = Number(value);
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(number, Number.MAX_SAFE_INTEGER));
}
