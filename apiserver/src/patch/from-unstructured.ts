import { DecodeError } from "@gatehouse/envelopes/codec";
import { goKindOfJson, goTypeOf } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import type { ObjectSchema, ScalarKind, Schema } from "@gatehouse/envelopes/schema";

/*
 * v1.29 reads the result of a strategic merge patch not from JSON text but from the maps and lists that the merge has
 * made. What cannot be read is told in other words then, and whole numbers that are too long for their member are cut
 * off instead of being refused.
 */

/**
 * Returns the object with its numbers converted as v1.29 does. Throws DecodeError with its text for the first wrong
 * type.
 */
export function fromUnstructured(schema: ObjectSchema, object: JsonObject): JsonObject {
  return structFrom(schema, object);
}

function restore(schema: Schema, value: JsonValue, goType: string, namedType: string | undefined): JsonValue {
  if (value === null) {
    return null;
  }
  switch (schema.type) {
    case "object":
      if (!isJsonObject(value)) {
        throw new DecodeError(`cannot restore struct from: ${goKindOfJson(value)}`);
      }
      return structFrom(schema, value);
    case "map":
      if (!isJsonObject(value)) {
        throw new DecodeError(`cannot restore map from ${goKindOfJson(value)}`);
      }
      return mapFrom(schema.values, value, namedType);
    case "list":
      if (!Array.isArray(value)) {
        throw new DecodeError(`cannot restore slice from ${goKindOfJson(value)}`);
      }
      return listFrom(schema.items, value, namedType);
    case "scalar":
      return scalarFrom(schema.scalar, value, goType);
    default:
      return value;
  }
}

function structFrom(schema: ObjectSchema, value: JsonObject): JsonObject {
  const result = { ...value };
  for (const [key, field] of schema.properties) {
    const member = Object.hasOwn(value, key) ? value[key] : undefined;
    if (member !== undefined) {
      result[key] = restore(field.schema, member, goTypeOf(field), field.namedType);
    }
  }
  return result;
}

function mapFrom(values: Schema, map: JsonObject, namedType: string | undefined): JsonObject {
  const goType = goTypeOf({ schema: values, namedType });
  return Object.fromEntries(
    Object.entries(map).map(([key, value]) => [key, restore(values, value ?? null, goType, namedType)]),
  );
}

function listFrom(items: Schema, list: readonly JsonValue[], namedType: string | undefined): JsonValue[] {
  const goType = goTypeOf({ schema: items, namedType });
  return list.map((item) => restore(items, item, goType, namedType));
}

const plainKinds: Partial<Readonly<Record<ScalarKind, string>>> = {
  string: "string",
  boolean: "bool",
  int32: "int32",
  int64: "int64",
  double: "float64",
};

/** Returns a scalar as its JSON decoder reads it (times, quantities, ...). */
function scalarFrom(scalar: ScalarKind, value: JsonValue, goType: string): JsonValue {
  if (scalar === "bytes" && typeof value !== "string") {
    throw new DecodeError(`cannot restore slice from ${goKindOfJson(value)}`);
  }
  const wanted = plainKinds[scalar];
  if (wanted === undefined) {
    return value;
  }
  const found = goKindOfJson(value);
  if (found === wanted) {
    return value;
  }
  if (found === "int64") {
    switch (scalar) {
      case "int32":
        return Number(BigInt.asIntN(32, BigInt(value as number | bigint)));
      case "double":
        return value;
      case "string":
        throw new DecodeError(`cannot convert int64 to ${goType}`);
    }
  }
  if (found === "float64" && (scalar === "int32" || scalar === "int64")) {
    throw new DecodeError(`cannot convert float64 to ${goType}`);
  }
  throw new DecodeError(`unrecognized type: ${wanted}`);
}
