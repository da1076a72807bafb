import { goNumber } from "@gatehouse/envelopes/go";

/** A value of an expression: decoded JSON, or nothing. Whole numbers beyond the range of doubles are bigints. */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Value[]
  | { readonly [name: string]: Value | undefined };

/** Error of an expression that has no value, such as one that reads an absent member. The failure policy decides. */
export class ExpressionError extends Error {
  override readonly name = "ExpressionError";
}

/** Returns true if the value is an object. */
export function isObject(value: Value | undefined): value is { readonly [name: string]: Value | undefined } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns true if two values are equal; those of different types are not. */
export function isEqual(left: Value | undefined, right: Value | undefined): boolean {
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => isEqual(item, right[index] as Value))
    );
  }
  if (isObject(left)) {
    const names = Object.keys(left);
    return (
      isObject(right) &&
      names.length === Object.keys(right).length &&
      names.every((name) => Object.hasOwn(right, name) && isEqual(left[name], right[name]))
    );
  }
  // biome-ignore lint/suspicious/noDoubleEquals: an int and a bigint of the same value are equal.
  return isNumber(left) && isNumber(right) ? left == right : left === right;
}

/** Returns a negative number, 0 or a positive one for the order of two numbers or texts. Throws ExpressionError. */
export function compareValues(left: Value, right: Value): number {
  if (typeof left === "string" && typeof right === "string") {
    return compareTexts(left, right);
  }
  if (typeof left === "boolean" && typeof right === "boolean") {
    return Number(left) - Number(right);
  }
  if (isNumber(left) && isNumber(right)) {
    return left < right ? -1 : left > right ? 1 : 0;
  }
  throw new ExpressionError("values of these types have no order");
}

/** Compares texts by code points, which is not the order of JavaScript's units. */
function compareTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) {
      // The first units that differ: a half of a surrogate pair is of a code point above all single units.
      return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1;
    }
  }
  return left.length - right.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** Returns the number of code points, elements or entries. Throws ExpressionError. */
export function sizeOf(value: Value): number {
  if (typeof value === "string") {
    let count = 0;
    for (const _codePoint of value) {
      count++;
    }
    return count;
  }
  if (Array.isArray(value)) {
    return value.length;
  }
  if (isObject(value)) {
    return Object.keys(value).length;
  }
  throw new ExpressionError("only texts, lists and objects have a size");
}

/** Returns a number, boolean or text as text. Throws ExpressionError. */
export function toText(value: Value): string {
  if (typeof value === "string") {
    return value;
  }
  if (typeof value === "number") {
    return goNumber(value);
  }
  if (typeof value === "bigint" || typeof value === "boolean") {
    return String(value);
  }
  throw new ExpressionError("only numbers, booleans and texts can be made texts");
}

function isNumber(value: Value | undefined): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}
