import { EvaluationError } from "./evaluation-error.js";
import { isDouble, isNumeric } from "./type-name.js";
import { type BoxedDouble, type CelValue, Duration, Timestamp, Uint } from "./value.js";

/**
 * Compares two values that have an order: numbers of any types, or two values of one type. Returns a negative number, zero
 * or a positive one. Throws EvaluationError for values without an order; `operator` names the operation in its message.
 */
export function compareValues(left: CelValue, right: CelValue, operator: string): number {
  if (typeof left === "string") {
    return typeof right === "string" ? compareStrings(left, right) : noOrder();
  }
  if (isNumeric(left)) {
    return isNumeric(right) ? orderOfNumbers(left, right) : noOrder();
  }
  if (typeof left === "boolean") {
    return typeof right === "boolean" ? Number(left) - Number(right) : noOrder();
  }
  if (left instanceof Timestamp) {
    return right instanceof Timestamp ? compareBigints(left.nanoseconds, right.nanoseconds) : noOrder();
  }
  if (left instanceof Duration) {
    return right instanceof Duration ? compareBigints(left.nanoseconds, right.nanoseconds) : noOrder();
  }
  if (left instanceof Uint8Array) {
    return right instanceof Uint8Array ? Buffer.compare(left, right) : noOrder();
  }
  throw new EvaluationError(`no such overload: ${operator}`);
}

/** Compares two numbers by what they stand for; NaN if one of them is not a number. */
export function compareNumbers(
  left: number | bigint | BoxedDouble | Uint,
  right: number | bigint | BoxedDouble | Uint,
): number {
  if (isDouble(left) || isDouble(right)) {
    // As doubles, although that rounds large ints: v1.29 does so.
    return orderOf(toNumber(left), toNumber(right));
  }
  return orderOf(left instanceof Uint ? left.value : left, right instanceof Uint ? right.value : right);
}

function toNumber(value: number | bigint | BoxedDouble | Uint): number {
  return Number(typeof value === "object" ? value.value : value);
}

function orderOf(a: number | bigint, b: number | bigint): number {
  // A number and a bigint are never strictly equal, but JavaScript orders them exactly.
  return a < b ? -1 : a > b ? 1 : a >= b ? 0 : Number.NaN;
}

/** Compares strings by code points, as the order of their UTF-8 bytes does. */
export function compareStrings(left: string, right: string): number {
  if (left === right) {
    return 0;
  }
  const end = Math.min(left.length, right.length);
  for (let index = 0; index < end; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) {
      return codePointOrder(a) - codePointOrder(b);
    }
  }
  return left.length - right.length;
}

/** Returns a rank in which surrogates, which stand for code points above 0xffff, come after all other units. */
function codePointOrder(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}

function orderOfNumbers(
  left: number | bigint | BoxedDouble | Uint,
  right: number | bigint | BoxedDouble | Uint,
): number {
  const order = compareNumbers(left, right);
  if (Number.isNaN(order)) {
    throw new EvaluationError("NaN values cannot be ordered");
  }
  return order;
}

function compareBigints(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function noOrder(): never {
  throw new EvaluationError("no such overload");
}
