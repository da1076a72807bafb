import { isSet, type JsonValue } from "@gatehouse/envelopes";
import type { FieldErrors } from "./field-errors.js";
import type { FieldPath } from "./field-path.js";

/** What v1.29 says of a number below zero. */
export const notNegative = "must be greater than or equal to 0";

/** A number that may be zero, or absent, but not less. */
export function checkNonnegative(value: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  if (isNumber(value) && value < 0) {
    errors.invalid(path, value, notNegative);
  }
}

/** The members of those names, in that order, each a number that may not be less than zero. */
export function checkNonnegativeMembers(
  holder: JsonValue | undefined,
  names: readonly string[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  for (const name of names) {
    if (isSet(holder, name)) {
      checkNonnegative((holder as Record<string, JsonValue>)[name], path.child(name), errors);
    }
  }
}

/** A number between two limits, if it is there. */
export function checkRange(
  value: JsonValue | undefined,
  [least, most]: readonly [least: number, most: number],
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (isNumber(value) && (value < least || value > most)) {
    errors.invalid(path, value, rangeText(least, most));
  }
}

/** What v1.29 says of a number that is not between two limits. */
export function rangeText(least: number, most: number): string {
  return `must be between ${least} and ${most}, inclusive`;
}

/** The greatest int32. */
export const maxInt32 = 2 ** 31 - 1;

/** The permission bits of a file. */
export function checkFileMode(mode: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  if (isNumber(mode) && (mode > 0o777 || mode < 0)) {
    errors.invalid(path, mode, "must be a number between 0 and 0777 (octal), both inclusive");
  }
}

/** Whether a value is a number, of whatever size. */
export function isNumber(value: JsonValue | undefined): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}
