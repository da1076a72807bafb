import type { Field, Schema } from "@gatehouse/envelopes/schema";
import { patchFailed } from "./patch-errors.js";

/*
 * How a strategic merge patch finds the patch strategy and merge key of a member. Members that are nested deeper than the
 * type knows are errors here, with the texts of kube-apiserver.
 */

/** Returns the field of a member that is an object both in the object and in the patch. */
export function lookupField(schema: Schema, key: string): Field {
  const field = schema.type === "object" ? schema.properties.get(key) : undefined;
  if (field !== undefined) {
    return field;
  }
  const struct = structName(schema);
  throw patchFailed(
    struct === undefined
      ? `merging an object in json but data type is not struct, instead is: ${goKind(schema)}`
      : `unable to find api field in struct ${struct} for the json field ${JSON.stringify(key)}`,
  );
}

/** Returns the field of a member that is a list both in the object and in the patch, or that a list directive names. */
export function lookupListField(schema: Schema, key: string): Field {
  const field = lookupField(schema, key);
  if (field.schema.type !== "list" && !field.pointer) {
    throw patchFailed("expected slice or array type, but got: struct");
  }
  return field;
}

/** The type of the items of a list field. */
export function itemSchema(field: Field): Schema {
  return field.schema.type === "list" ? field.schema.items : field.schema;
}

/** Returns the patch strategy of the member. `retainKeys` is skipped: it only permits the directive of that name. */
export function strategyOf(field: Field): "merge" | "replace" | undefined {
  for (const strategy of field.patchStrategy) {
    if (strategy !== "retainKeys") {
      return strategy;
    }
  }
  return undefined;
}

/** Returns the name of the Go struct behind a schema; undefined when it is no struct. */
function structName(schema: Schema): string | undefined {
  switch (schema.type) {
    case "object":
    case "union":
      return schema.name.slice(schema.name.lastIndexOf(".") + 1);
    case "json":
      return { value: "JSON", fields: "FieldsV1", embedded: "RawExtension", envelope: "Unknown" }[schema.form];
    default:
      return undefined;
  }
}

function goKind(schema: Schema): string {
  switch (schema.type) {
    case "map":
      return "map";
    case "list":
      return "slice";
    default:
      return "string";
  }
}
