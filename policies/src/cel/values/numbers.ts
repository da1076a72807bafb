import { EvaluationError } from "./evaluation-error.js";
import { BoxedDouble, Uint } from "./value.js";

const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;
const maxUint = 2n ** 64n - 1n;

/** Returns an int: a JavaScript number where that is exact, a bigint beyond. Throws EvaluationError beyond 64 bits. */
export function intValue(value: bigint): number | bigint {
  if (value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)) {
    return Number(value);
  }
  if (value < minInt || value > maxInt) {
    throw new EvaluationError("integer overflow");
  }
  return value;
}

/** Returns an unsigned int. Throws EvaluationError beyond 64 bits. */
export function uintValue(value: bigint): Uint {
  if (value < 0n || value > maxUint) {
    throw new EvaluationError("unsigned integer overflow");
  }
  return new Uint(value);
}

/** Returns a double, in a box if it is whole. */
export function doubleValue(value: number): number | BoxedDouble {
  return Number.isInteger(value) ? new BoxedDouble(value) : value;
}

/** Returns the JavaScript number of a double. */
export function numberOf(value: number | BoxedDouble): number {
  return typeof value === "number" ? value : value.value;
}

/** Returns the whole part of a double as an int. Throws EvaluationError if it does not fit. */
export function intOfDouble(value: number): number | bigint {
  if (!(value > -(2 ** 63) && value < 2 ** 63)) {
    throw new EvaluationError("integer overflow");
  }
  return intValue(BigInt(Math.trunc(value)));
}

/** Returns the whole part of a double as an unsigned int. Throws EvaluationError if it does not fit. */
export function uintOfDouble(value: number): Uint {
  if (!(value >= 0 && value < 2 ** 64)) {
    throw new EvaluationError("unsigned integer overflow");
  }
  return new Uint(BigInt(Math.trunc(value)));
}

/**
 * Returns the text of a double in the fewest digits that read back, as Go writes it: `1.5`, `NaN`, `+Inf`. Numbers below 1e-4,
 * and those from a million on, are written with an exponent: `1e+20`.
 */
export function doubleText(value: number): string {
  if (Number.isNaN(value)) {
    return "NaN";
  }
  if (!Number.isFinite(value)) {
    return value > 0 ? "+Inf" : "-Inf";
  }
  if (Object.is(value, -0)) {
    return "-0";
  }
  const [digits = "", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) {
    // JavaScript writes no exponent for these.
    return String(value);
  }
  const magnitude = String(Math.abs(exponent)).padStart(2, "0");
  return `${digits}e${exponent < 0 ? "-" : "+"}${magnitude}`;
}
