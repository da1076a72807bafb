import { isSameState } from "@gatehouse/envelopes/go";
import type { JsonValue } from "@gatehouse/envelopes/json";
import { messageSchema } from "@gatehouse/envelopes/schema";
import type { FieldPath } from "@gatehouse/envelopes/validation";
import { isSameBySchema } from "../objects/is-same-by-schema.js";
import type { FieldErrors } from "./field-errors.js";

/** v1.29's message for a member that may not change. */
export const immutable = "field is immutable";

/** Validates that a member has not changed. `shown` is the value as Go prints it where that differs from JSON. */
export function validateImmutable(
  value: JsonValue | undefined,
  old: JsonValue | undefined,
  path: FieldPath,
  errors: FieldErrors,
  shown?: (value: JsonValue | undefined) => string,
): void {
  if (isSameState(value, old)) {
    return;
  }
  if (shown === undefined) {
    errors.invalid(path, value, immutable);
  } else {
    errors.invalidShown(path, shown(value), immutable);
  }
}

/**
 * Validates that a struct has not changed, compared as v1.29 holds it in memory: a pointer to an empty struct differs
 * from nil.
 */
export function validateImmutableMessage(
  message: string,
  value: JsonValue | undefined,
  old: JsonValue | undefined,
  path: FieldPath,
  errors: FieldErrors,
  shown: (value: JsonValue | undefined) => string,
): void {
  if (!isSameMessage(message, value, old)) {
    errors.invalidShown(path, shown(value), immutable);
  }
}

/** Reports whether two structs, or pointers to them, are equal to v1.29. */
export function isSameMessage(message: string, a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return (a ?? undefined) === undefined || (b ?? undefined) === undefined
    ? (a ?? undefined) === (b ?? undefined)
    : isSameBySchema(messageSchema(message), a, b);
}
