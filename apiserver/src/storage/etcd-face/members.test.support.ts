/** Returns the members of a message and of those inside of it, with the defaults that the library has in prototypes. */
export function members(value: unknown): unknown {
  if (Buffer.isBuffer(value)) {
    return value.toString("latin1");
  }
  if (Array.isArray(value)) {
    return value.map(members);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const found: Record<string, unknown> = {};
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (typeof member !== "function" && !name.startsWith("$")) {
      found[name] = members(member);
    }
  }
  return found;
}
