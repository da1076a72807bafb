const none: readonly string[] = Object.freeze([]);

/** Returns a member of a stored object; undefined if there is none. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** Returns a list in a stored object; empty if there is none. */
export function listOf(value: unknown, name: string): readonly unknown[] {
  const list = memberOf(value, name);
  return Array.isArray(list) ? list : [];
}

/** Returns a text in a stored object; empty if there is none. */
export function textOf(value: unknown, name: string): string {
  const text = memberOf(value, name);
  return typeof text === "string" ? text : "";
}

/** The texts of a list in a stored object. */
export function textsOf(value: unknown, name: string): readonly string[] {
  const list = listOf(value, name);
  return list.length === 0 ? none : list.filter((text) => typeof text === "string");
}
