import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import type { Field, ObjectSchema, ScalarSchema, Schema } from "@gatehouse/envelopes/schema";

const scalarTypes = {
  string: { type: "string" },
  boolean: { type: "boolean" },
  int32: { type: "integer", format: "int32" },
  int64: { type: "integer", format: "int64" },
  double: { type: "number", format: "double" },
  bytes: { type: "string", format: "byte" },
} as const;

/** Returns a scalar without a definition of its own, and without additions of the member that holds it. */
export function plainScalar(schema: ScalarSchema): JsonObject {
  return { ...scalarTypes[schema.scalar as keyof typeof scalarTypes] };
}

/**
 * Returns the closed set of a scalar member. v1.29 states it for members only, not for items of their lists and maps.
 */
export function enumMarker({ schema }: Field): JsonObject {
  return schema.type === "scalar" && schema.enum !== undefined ? { enum: [...schema.enum].sort() } : {};
}

/**
 * Returns the value of a member that is left out, if that is not "nothing": v1.29 states it for structs, and for
 * scalars that are always written. `field` is undefined for the elements of lists and maps, which are always written.
 */
export function zeroValue(schema: Schema, field: Field | undefined): JsonValue | undefined {
  if (field?.pointer === true) {
    return undefined;
  }
  if (schema.type === "object") {
    return {};
  }
  if (schema.type !== "scalar" || field?.omitEmpty === true) {
    return undefined;
  }
  switch (schema.scalar) {
    case "string":
      return "";
    case "boolean":
      return false;
    case "int32":
    case "int64":
    case "double":
      return 0;
    default:
      return undefined;
  }
}

/** Returns the description, with the values of a closed set, as kubectl explain shows them. */
export function describe(field: Field): string {
  const { schema, description } = field;
  if (schema.type !== "scalar" || schema.enum === undefined) {
    return description;
  }
  const values = [...schema.enum].sort().map((value) => ` - \`"${value}"\``);
  return `${description}${description === "" ? "" : "\n\n"}Possible enum values:\n${values.join("\n")}`;
}

/** Returns the extension for a union, whose members v1.29 names as Go does. */
export function unionMarker(schema: ObjectSchema): JsonObject | undefined {
  if (schema.discriminator === undefined) {
    return undefined;
  }
  const members: JsonObject = {};
  for (const field of schema.fields) {
    if (field.name !== schema.discriminator && field.pointer) {
      members[field.name] = field.name.charAt(0).toUpperCase() + field.name.slice(1);
    }
  }
  return { discriminator: schema.discriminator, "fields-to-discriminateBy": members };
}
