import {
  type FieldErrors,
  type FieldPath,
  isWhole,
  quantityOf,
  validateNonnegativeQuantity,
} from "@gatehouse/apiserver/validation";
import { amountAsSent, goListedQuantity } from "@gatehouse/envelopes/go";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { isIntegerResource } from "./resource-names.js";

/** Validates the amount of a resource: not negative, and whole if the resource is counted. */
export function validateResourceQuantity(
  resource: string,
  amounts: JsonObject,
  path: FieldPath,
  errors: FieldErrors,
): void {
  validateNonnegativeQuantity(amounts[resource], path, errors);
  // Most amounts are whole, which is cheaper to check than the resource.
  if (!isWhole(quantityOf(amountAsSent(amounts, resource))) && isIntegerResource(resource)) {
    errors.invalidShown(path, goListedQuantity(amounts, resource), "must be an integer");
  }
}
