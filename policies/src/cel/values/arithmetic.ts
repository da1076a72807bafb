import { EvaluationError } from "./evaluation-error.js";
import { doubleValue, intValue, numberOf, uintValue } from "./numbers.js";
import { addDurations, addToTimestamp, durationBetween, negateDuration } from "./time-arithmetic.js";
import { isDouble, isInt, isList, itemsOf } from "./type-name.js";
import { CelList, type CelValue, Duration, Timestamp, Uint } from "./value.js";
import { countWork } from "./work.js";

/** The work of copying an element of a list. */
const elementWork = 5;

/** Returns the sum of numbers, durations and timestamps, or one string, list or byte sequence made of two. */
export function add(left: CelValue, right: CelValue): CelValue {
  if (typeof left === "number" && typeof right === "number") {
    const sum = left + right;
    if (Number.isSafeInteger(sum) && Number.isInteger(left) && Number.isInteger(right)) {
      return sum;
    }
  }
  if (typeof left === "string") {
    return typeof right === "string" ? left + right : noOverload();
  }
  if (isList(left)) {
    return isList(right) ? concatenate(left, right) : noOverload();
  }
  if (left instanceof Uint8Array) {
    return right instanceof Uint8Array ? Buffer.concat([left, right]) : noOverload();
  }
  if (left instanceof Timestamp) {
    return right instanceof Duration ? addToTimestamp(left, right.nanoseconds) : noOverload();
  }
  if (left instanceof Duration) {
    return addToDuration(left, right);
  }
  return calculate(left, right, "_+_", plus, (a, b) => a + b);
}

/** Returns the difference of numbers, durations or timestamps. */
export function subtract(left: CelValue, right: CelValue): CelValue {
  if (left instanceof Timestamp) {
    if (right instanceof Duration) {
      return addToTimestamp(left, negateDuration(right).nanoseconds);
    }
    return right instanceof Timestamp ? durationBetween(right, left) : noOverload();
  }
  if (left instanceof Duration) {
    return right instanceof Duration ? addDurations(left.nanoseconds, -right.nanoseconds) : noOverload();
  }
  return calculate(left, right, "_-_", minus, (a, b) => a - b);
}

/** Returns the product of two numbers of one type. */
export function multiply(left: CelValue, right: CelValue): CelValue {
  return calculate(left, right, "_*_", times, (a, b) => a * b);
}

/** Returns the quotient of two numbers of one type; that of ints is rounded toward zero. */
export function divide(left: CelValue, right: CelValue): CelValue {
  return calculate(left, right, "_/_", over, (a, b) => a / b);
}

/** Returns the remainder of a division of ints or uints; it has the sign of the dividend. */
export function modulo(left: CelValue, right: CelValue): CelValue {
  return calculate(left, right, "_%_", remainder, undefined);
}

/** Returns the number or duration with the other sign. */
export function negate(value: CelValue): CelValue {
  if (isInt(value)) {
    return intValue(-BigInt(value));
  }
  if (isDouble(value)) {
    return doubleValue(-numberOf(value));
  }
  if (value instanceof Duration) {
    return negateDuration(value);
  }
  // v1.29's booleans answer for themselves here; other types without a sign do not know the operation.
  throw new EvaluationError(
    typeof value === "boolean" || typeof value === "string" || value instanceof Timestamp
      ? "no such overload"
      : "no such overload: -_",
  );
}

function plus(a: bigint, b: bigint): bigint {
  return a + b;
}

function minus(a: bigint, b: bigint): bigint {
  return a - b;
}

function times(a: bigint, b: bigint): bigint {
  return a * b;
}

function over(a: bigint, b: bigint): bigint {
  if (b === 0n) {
    throw new EvaluationError("division by zero");
  }
  return a / b;
}

function remainder(a: bigint, b: bigint): bigint {
  if (b === 0n) {
    throw new EvaluationError("modulus by zero");
  }
  if (a === -(2n ** 63n) && b === -1n) {
    throw new EvaluationError("integer overflow");
  }
  return a % b;
}

function calculate(
  left: CelValue,
  right: CelValue,
  operator: string,
  ofIntegers: (a: bigint, b: bigint) => bigint,
  ofDoubles: ((a: number, b: number) => number) | undefined,
): CelValue {
  if (isInt(left)) {
    return isInt(right) ? intValue(ofIntegers(BigInt(left), BigInt(right))) : noOverload();
  }
  if (left instanceof Uint) {
    return right instanceof Uint ? uintValue(ofIntegers(left.value, right.value)) : noOverload();
  }
  if (ofDoubles !== undefined && isDouble(left)) {
    return isDouble(right) ? doubleValue(ofDoubles(numberOf(left), numberOf(right))) : noOverload();
  }
  // Strings, timestamps and durations receive calls of functions that they do not have; see v1.29's receivers.
  const receives = typeof left === "string" || left instanceof Timestamp || left instanceof Duration;
  throw new EvaluationError(receives ? "no such overload" : `no such overload: ${operator}`);
}

function concatenate(left: readonly CelValue[] | CelList, right: readonly CelValue[] | CelList): CelValue {
  if (left instanceof CelList) {
    return left.concat(itemsOf(right));
  }
  if (left.length === 0) {
    return right;
  }
  const added = itemsOf(right);
  countWork((left.length + added.length) * elementWork);
  return added.length === 0 ? left : left.concat(added);
}

function addToDuration(left: Duration, right: CelValue): CelValue {
  if (right instanceof Duration) {
    return addDurations(left.nanoseconds, right.nanoseconds);
  }
  return right instanceof Timestamp ? addToTimestamp(right, left.nanoseconds) : noOverload();
}

function noOverload(): never {
  throw new EvaluationError("no such overload");
}
