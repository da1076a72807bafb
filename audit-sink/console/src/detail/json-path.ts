/** A place in a JSON document: member names and indexes. */
export type JsonPath = readonly (string | number)[];

export type JsonRecord = Readonly<Record<string, unknown>>;

/** Returns whether a value is an object with members. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a member of a value; undefined when it has none of this name. */
export function memberOf(value: unknown, key: string | number): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string | number, unknown>>)[key]
    : undefined;
}

/** Reads a JSON pointer (RFC 6901). */
export function parsePointer(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}
