/** Any value that JSON can carry. Integers beyond 2^53 are carried as `bigint` so that no digit is lost. */
export type JsonValue = null | boolean | number | bigint | string | JsonArray | JsonObject;

/** A list in JSON. */
export type JsonArray = JsonValue[];

/**
 * A JSON object. Values may be `undefined`, which means absent. Objects that come from a peer are created without a
 * prototype or by `JSON.parse`, so that a key such as `__proto__` is data and never changes another object.
 */
export interface JsonObject {
  [key: string]: JsonValue | undefined;
}

/** Reports whether a value is an object in JSON: neither null nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
