import { goLiteral, goQuote } from "@gatehouse/envelopes/go";
import type { JsonValue } from "@gatehouse/envelopes/json";
import type { FieldPath } from "@gatehouse/envelopes/validation";
import type { FieldErrors } from "./field-errors.js";
import { validateNonnegative } from "./numbers.js";

const percent = /^[0-9]+%$/;
const percentProblem =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** Validates a number that is not negative, or a percentage: `25%`. */
export function validateIntOrPercent(value: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  if (typeof value !== "string") {
    validateNonnegative(value, path, errors);
  } else if (!percent.test(value)) {
    errors.invalidShown(path, goIntOrString(value), percentProblem);
  }
}

/** Validates that a percentage is at most 100%. */
export function validateAtMost100Percent(value: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  if (typeof value === "string" && percent.test(value) && Number.parseInt(value, 10) > 100) {
    errors.invalidShown(path, goIntOrString(value), "must not be greater than 100%");
  }
}

/** Returns a number or text as Go prints the type that holds both. */
export function goIntOrString(value: JsonValue | undefined): string {
  const isText = typeof value === "string";
  return goLiteral("intstr.IntOrString", {
    Type: isText ? "1" : "0",
    IntVal: isText ? "0" : String(value ?? 0),
    StrVal: goQuote(isText ? value : ""),
  });
}

/** Returns the number itself, or that of a percentage; 0 if it is neither. */
export function intOrPercentOf(value: JsonValue | undefined): number {
  if (typeof value === "string") {
    // A text that is a plain number counts as one; a sign is allowed only there.
    return Number.parseInt(/^(?:\d+%|[+-]?\d+)$/.exec(value)?.[0] ?? "0", 10);
  }
  return Number(value ?? 0);
}
