import { type FieldErrors, type FieldPath, isNumber } from "@gatehouse/apiserver/validation";
import { amountAsSent, goQuantity } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, type JsonValue, scalarAt, textAt, valueAt } from "@gatehouse/envelopes/json";

const types = ["Utilization", "Value", "AverageValue"];

/** Validates the target of a metric; every amount that is set must be above zero. */
export function validateTarget(target: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const type = textAt(target, "type");
  if (type === "") {
    errors.required(path.child("type"), "must specify a metric target type");
  }
  if (!types.includes(type)) {
    errors.invalid(path.child("type"), type, "must be either Utilization, Value, or AverageValue");
  }
  for (const name of ["value", "averageValue"]) {
    const amount = isSet(target, name) ? scalarAt(target, name) : undefined;
    // The text is canonical: zero is "0", and a negative amount begins with its sign.
    if (amount !== undefined && (amount === "0" || amount.startsWith("-"))) {
      errors.invalidShown(
        path.child(name),
        goQuantity(String(amountAsSent(target as JsonObject, name))),
        "must be positive",
      );
    }
  }
  const utilization = valueAt(target, "averageUtilization");
  if (isNumber(utilization) && utilization < 1) {
    errors.invalid(path.child("averageUtilization"), utilization, "must be greater than 0");
  }
}
