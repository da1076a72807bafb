import { goQuote, type JsonValue } from "@gatehouse/envelopes";
import type { FieldErrors } from "./field-errors.js";
import type { FieldPath } from "./field-path.js";
import { checkNonnegative } from "./numbers.js";

const percentForm = "[0-9]+%";
const percentPattern = new RegExp(`^${percentForm}$`);

/** A number that is not negative, or a percentage. Absent is 0. */
export function checkIntOrPercent(value: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  if (typeof value !== "string") {
    checkNonnegative(value ?? 0, path, errors);
  } else if (!percentPattern.test(value)) {
    errors.invalidShown(
      path,
      goIntOrString(value),
      `a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '${percentForm}')`,
    );
  }
}

/** A percentage of at most 100. */
export function checkAtMostAll(value: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  if (isPercent(value) && Number.parseInt(value, 10) > 100) {
    errors.invalidShown(path, goIntOrString(value), "must not be greater than 100%");
  }
}

/** The number itself, or that of a percentage; 0 where it is neither. */
export function intOrPercentOf(value: JsonValue | undefined): number {
  if (typeof value === "string") {
    // A text that is a plain number counts as one.
    return Number.parseInt(/^[+-]?\d{1,18}%?$/.exec(value)?.[0] ?? "0", 10);
  }
  return Number(value ?? 0);
}

/** As Go prints it, where v1.29 shows it whole. */
export function goIntOrString(value: JsonValue | undefined): string {
  return typeof value === "string"
    ? `intstr.IntOrString{Type:1, IntVal:0, StrVal:${goQuote(value)}}`
    : `intstr.IntOrString{Type:0, IntVal:${Number(value ?? 0)}, StrVal:""}`;
}

function isPercent(value: JsonValue | undefined): value is string {
  return typeof value === "string" && percentPattern.test(value);
}
