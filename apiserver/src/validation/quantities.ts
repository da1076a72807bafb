import { compareQuantity, type JsonValue, parseQuantity, type Quantity, quantityValue } from "@gatehouse/envelopes";
import { goQuantity } from "../go/literals.js";
import type { FieldErrors } from "./field-errors.js";
import type { FieldPath } from "./field-path.js";
import { notNegative } from "./numbers.js";
import { isIntegerResource } from "./resource-names.js";

/** The quantity that stands in an object in canonical form. Absent is zero. */
export function quantityOf(value: JsonValue | undefined): Quantity {
  return parseQuantity(textOf(value));
}

/** A quantity that may be zero, but not less. */
export function checkNonnegativeQuantity(value: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  if (textOf(value).startsWith("-") && quantityOf(value).unscaled < 0n) {
    errors.invalid(path, textOf(value), notNegative);
  }
}

/** A quantity greater than zero. */
export function checkPositiveQuantity(value: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  if (quantityOf(value).unscaled <= 0n) {
    errors.invalid(path, textOf(value), "must be greater than zero");
  }
}

/** The amount of a resource: not negative, and whole where the resource is counted. */
export function checkResourceQuantity(
  resource: string,
  value: JsonValue | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  checkNonnegativeQuantity(value, path, errors);
  // Most amounts are whole, which is found out sooner than what the resource is.
  if (!isWhole(quantityOf(value)) && isIntegerResource(resource)) {
    errors.invalidShown(path, goQuantity(textOf(value)), "must be an integer");
  }
}

/** Whether nothing is lost when the quantity is taken as an integer. */
export function isWhole(quantity: Quantity): boolean {
  return (
    quantity.exponent >= 0 ||
    compareQuantity(quantity, { ...quantity, unscaled: quantityValue(quantity), exponent: 0 }) === 0
  );
}

/** The canonical text, as v1.29 shows a quantity in an error about text. */
export function textOf(value: JsonValue | undefined): string {
  return value === undefined || value === null ? "0" : String(value);
}

/** The amount of a resource that need not be whole, but is not less than nothing. */
export function checkBasicQuantity(value: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const whole = quantityValue(quantityOf(value));
  if (whole < 0n) {
    errors.invalid(path, whole, "must be a valid resource quantity");
  }
}
