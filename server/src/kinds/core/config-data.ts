import { isSameAsSent, isSameState } from "@gatehouse/envelopes/go";
import { booleanAt, type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { type FieldError, fieldError, hasEnoughErrors } from "@gatehouse/envelopes/status";
import { validateConfigMapKey } from "@gatehouse/envelopes/validation";

/** Limit on the data of a ConfigMap or Secret, in bytes. */
export const maxDataBytes = 1024 * 1024;

/** Returns the errors in the keys of a member that holds data; `taken` holds keys that must not be repeated. */
export function dataKeyErrors(object: JsonObject, member: string, taken: JsonObject = {}): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const key of Object.keys(objectAt(object, member))) {
    if (hasEnoughErrors(errors)) {
      break;
    }
    const field = `${member}[${key}]`;
    errors.push(...validateConfigMapKey(key).map((problem) => fieldError.invalid(field, key, problem)));
    if (Object.hasOwn(taken, key)) {
      errors.push(fieldError.invalid(field, key, "duplicate of key present in binaryData"));
    }
  }
  return errors;
}

/** Returns the number of bytes of the values of a member that holds data, in the given encoding. */
export function dataBytes(object: JsonObject, member: string, encoding: "utf8" | "base64"): number {
  return Object.values(objectAt(object, member)).reduce<number>(
    (sum, value) => sum + Buffer.byteLength(String(value), encoding),
    0,
  );
}

/** Returns the errors of an update of an immutable object, which stays immutable and keeps its data (KEP-1412). */
export function immutableDataErrors(
  object: JsonObject,
  old: JsonObject,
  members: readonly string[],
): readonly FieldError[] {
  if (!booleanAt(old, "immutable")) {
    return [];
  }
  const changed = members.filter((member) => !isSameData(object, old, member));
  return [...(booleanAt(object, "immutable") ? [] : ["immutable"]), ...changed].map((member) =>
    fieldError.forbidden(member, "field is immutable when `immutable` is set"),
  );
}

/**
 * Reports whether a data member is unchanged. v1.29 gives each ConfigMap a `data` map, so that an empty one equals
 * none.
 */
function isSameData(object: JsonObject, old: JsonObject, member: string): boolean {
  return object["kind"] === "ConfigMap" && member === "data"
    ? isSameState(object[member], old[member])
    : isSameAsSent(object, old, member);
}
