import type { JsonValue } from "@gatehouse/envelopes";
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
