import {
  type FieldErrors,
  type FieldPath,
  isWhole,
  quantityOf,
  textOf,
  validateNonnegativeQuantity,
} from "@gatehouse/apiserver/validation";
import { goQuantity } from "@gatehouse/envelopes/go";
import type { JsonValue } from "@gatehouse/envelopes/json";
import { isIntegerResource } from "./resource-names.js";

/** Validates the amount of a resource: not negative, and whole if the resource is counted. */
export function validateResourceQuantity(
  resource: string,
  value: JsonValue | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  validateNonnegativeQuantity(value, path, errors);
  // Most amounts are whole, which is cheaper to check than the resource.
  if (!isWhole(quantityOf(value)) && isIntegerResource(resource)) {
    errors.invalidShown(path, goQuantity(textOf(value)), "must be an integer");
  }
}
