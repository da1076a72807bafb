import { type JsonValue, messageSchema } from "@gatehouse/envelopes";
import { isSameBySchema } from "../objects/is-same-by-schema.js";
import { isSameState } from "../objects/is-same-state.js";
import type { FieldErrors } from "./field-errors.js";
import type { FieldPath } from "./field-path.js";

/** What v1.29 says of a member that may not change. */
export const immutable = "field is immutable";

/** A member that stays as it is. `shown` is how Go prints it where that is not as JSON. */
export function checkImmutable(
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
 * As `checkImmutable`, of a struct, which v1.29 compares as it holds it in memory: one that has an empty struct behind a
 * pointer is another than one that has none.
 */
export function checkImmutableMessage(
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

/** Whether two structs, or pointers to them, are the same to v1.29. */
export function isSameMessage(message: string, a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return (a ?? undefined) === undefined || (b ?? undefined) === undefined
    ? (a ?? undefined) === (b ?? undefined)
    : isSameBySchema(messageSchema(message), a, b);
}
