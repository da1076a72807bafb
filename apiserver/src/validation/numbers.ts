import { isSet, type JsonValue } from "@gatehouse/envelopes/json";
import type { FieldPath } from "@gatehouse/envelopes/validation";
import type { FieldErrors } from "./field-errors.js";

/** v1.29's message for a number below zero. */
export const notNegative = "must be greater than or equal to 0";

/** Validates that a number is not negative; an absent one is valid. */
export function validateNonnegative(value: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  if (isNumber(value) && value < 0) {
    errors.invalid(path, value, notNegative);
  }
}

/** Validates that the members of `holder` with these names, in that order, are not negative. */
export function validateNonnegativeMembers(
  holder: JsonValue | undefined,
  names: readonly string[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  for (const name of names) {
    if (isSet(holder, name)) {
      validateNonnegative((holder as Record<string, JsonValue>)[name], path.child(name), errors);
    }
  }
}

/** Validates that a number is between two limits, inclusive; an absent one is valid. */
export function validateRange(
  value: JsonValue | undefined,
  [least, most]: readonly [least: number, most: number],
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (isNumber(value) && (value < least || value > most)) {
    errors.invalid(path, value, rangeText(least, most));
  }
}

/** Returns v1.29's message for a number that is not between two limits. */
export function rangeText(least: number, most: number): string {
  return `must be between ${least} and ${most}, inclusive`;
}

/** The greatest int32. */
export const maxInt32 = 2 ** 31 - 1;

/** Validates the permission bits of a file. */
export function validateFileMode(mode: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  if (isNumber(mode) && (mode > 0o777 || mode < 0)) {
    errors.invalid(path, mode, "must be a number between 0 and 0777 (octal), both inclusive");
  }
}

/** Reports whether a value is a number, as a double or as a bigint. */
export function isNumber(value: JsonValue | undefined): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}
