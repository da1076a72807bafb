import { parseQuantity, type Quantity, quantityMilliValue, quantityValue } from "@gatehouse/envelopes/codec";
import type { JsonValue } from "@gatehouse/envelopes/json";
import type { FieldPath } from "@gatehouse/envelopes/validation";
import type { FieldErrors } from "./field-errors.js";
import { notNegative } from "./numbers.js";

/** Returns the quantity of a member in canonical form; an absent one is zero. */
export function quantityOf(value: JsonValue | undefined): Quantity {
  return parseQuantity(textOf(value));
}

/** Validates that a quantity is not negative. */
export function validateNonnegativeQuantity(value: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  if (textOf(value).startsWith("-") && quantityOf(value).unscaled < 0n) {
    errors.invalid(path, textOf(value), notNegative);
  }
}

/** Validates that a quantity is greater than zero. */
export function validatePositiveQuantity(value: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  if (quantityOf(value).unscaled <= 0n) {
    errors.invalid(path, textOf(value), "must be greater than zero");
  }
}

/** Reports whether a quantity is an integer, as v1.29 tells it: from its thousandths in 64 bits, which a great one overflows. */
export function isWhole(quantity: Quantity): boolean {
  return quantityMilliValue(quantity) % 1000n === 0n;
}

/** Returns the canonical text of a quantity, as v1.29 shows it in an error; `0` for an absent one. */
export function textOf(value: JsonValue | undefined): string {
  return value === undefined || value === null ? "0" : String(value);
}

/** Validates the amount of a resource that need not be whole, but is not negative. */
export function validateBasicQuantity(value: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const whole = quantityValue(quantityOf(value));
  if (whole < 0n) {
    errors.invalid(path, whole, "must be a valid resource quantity");
  }
}
