import { goTypeOf } from "../go/served-type-name.js";
import { isJsonObject, type JsonValue } from "../json/json.js";
import type { Field, ObjectSchema, Schema } from "../schema/schema.js";
import { readsItself } from "./decode-scalar.js";
import { objectPlan } from "./object-plan.js";
import { TypeMismatchError } from "./type-mismatch.js";

/** Reads one value of that schema to the end, whatever else is wrong around it. */
type ReadValue = (schema: Schema, wanted: string, field: Field) => (value: JsonValue) => unknown;

/** The limit of depth: no built-in kind is deeper except for schemas, which read themselves. */
const maxDepth = 100;

/**
 * Returns the first error of types that read themselves (quantities, times, numbers or texts, schemas or flags) in a
 * value, in the order of the document. Values of a wrong type are passed over.
 */
export function firstRefusal(
  schema: ObjectSchema,
  value: JsonValue,
  decoderOf: (...of: Parameters<ReadValue>) => (value: JsonValue, context: never) => unknown,
): Error | undefined {
  const context = { unknown: [], depth: 0, structsLeft: 10_000, empty: "kept" as const, emptied: { left: 0 } };
  const read: ReadValue = (...of) => {
    const decode = decoderOf(...of);
    return (item) => decode(item, context as never);
  };
  try {
    readObject(schema, value, read, 0);
  } catch (error) {
    return error as Error;
  }
}

function readObject(schema: ObjectSchema, value: JsonValue, read: ReadValue, depth: number): void {
  if (!isJsonObject(value) || depth > maxDepth) {
    return;
  }
  const { members, slotOf, structName } = objectPlan(schema);
  for (const key in value) {
    const member = members[slotOf.get(key) ?? -1];
    if (member !== undefined) {
      try {
        readValue(member.field.schema, value[key], member.field, read, depth + 1);
      } catch (error) {
        if (error instanceof TypeMismatchError) {
          error.inside(structName, key);
        }
        throw error;
      }
    }
  }
}

function readValue(schema: Schema, value: JsonValue | undefined, field: Field, read: ReadValue, depth: number): void {
  if (value === undefined || value === null) {
    return;
  }
  switch (schema.type) {
    case "object":
      readObject(schema, value, read, depth);
      return;
    case "list":
      for (const item of Array.isArray(value) ? value : []) {
        readValue(schema.items, item, field, read, depth);
      }
      return;
    case "map":
      for (const item of isJsonObject(value) ? Object.values(value) : []) {
        readValue(schema.values, item, field, read, depth);
      }
      return;
    case "scalar":
      if (readsItself(schema.scalar)) {
        read(schema, goTypeOf({ schema, namedType: field.namedType }), field)(value);
      }
      return;
    case "union":
      read(schema, goTypeOf({ schema, namedType: field.namedType }), field)(value);
  }
}
