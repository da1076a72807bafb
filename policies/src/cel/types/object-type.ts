import type { CelType, ObjectType } from "./cel-type.js";

/** Returns an object type whose fields have the names of the JSON members that hold them. */
export function objectType(name: string, fields: Readonly<Record<string, CelType>>): ObjectType {
  const known = new Map(Object.entries(fields).map(([member, type]) => [member, { type, member }]));
  return { kind: "object", name, field: (field) => known.get(field) };
}
