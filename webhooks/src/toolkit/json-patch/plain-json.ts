import { setKey } from "@gatehouse/envelopes/codec";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";

/**
 * Returns a copy of a value as JSON carries it; `undefined` members are left out. Throws TypeError, with the path, for
 * values that JSON cannot carry: functions, dates and other instances of classes, NaN, infinity.
 */
export function plainJson(value: unknown, path: string): JsonValue {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "bigint":
      return value;
    case "number":
      if (Number.isFinite(value)) {
        return value;
      }
      throw new TypeError(`${path} is ${value}, which JSON cannot carry`);
    case "object":
      return value === null ? null : plainContainer(value, path);
    default:
      throw new TypeError(`${path} is of type ${typeof value}, which JSON cannot carry`);
  }
}

function plainContainer(value: object, path: string): JsonValue {
  if (Array.isArray(value)) {
    return value.map((item, index) => plainJson(item, `${path}/${index}`));
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`${path} is an instance of ${value.constructor?.name}, which JSON cannot carry`);
  }
  const copy: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) {
      setKey(copy, key, plainJson(member, `${path}/${key}`));
    }
  }
  return copy;
}
