import type { Schema } from "./schema.js";

/**
 * Makes a test that tells whether a schema of a custom kind holds, or is, a node of some sort: passes over objects ask it to
 * leave out what leads nowhere. Each schema is looked through once.
 */
export function structuralSearch(isWanted: (schema: Schema) => boolean): (schema: Schema) => boolean {
  const known = new WeakMap<Schema, boolean>();
  return function leadsTo(schema: Schema): boolean {
    let answer = known.get(schema);
    if (answer === undefined) {
      // Built-in kinds inside of custom ones may contain themselves; they have no traits, and are not followed.
      known.set(schema, false);
      answer = isWanted(schema) || innerSchemas(schema).some(leadsTo);
      known.set(schema, answer);
    }
    return answer;
  };
}

function innerSchemas(schema: Schema): readonly Schema[] {
  switch (schema.type) {
    case "object":
      return schema.structural === undefined ? [] : schema.fields.map((field) => field.schema);
    case "list":
      return [schema.items];
    case "map":
      return [schema.values];
    default:
      return [];
  }
}
