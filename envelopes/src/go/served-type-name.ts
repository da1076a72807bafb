import type { Field, Schema } from "../schema/schema.js";

// Error texts of v1.29 name types as Go prints them: `int32`, `v1.Protocol`, `[]v1.Container`, `map[string]string`.

const scalarNames = {
  string: "string",
  boolean: "bool",
  int32: "int32",
  int64: "int64",
  double: "float64",
  bytes: "[]uint8",
  time: "v1.Time",
  microTime: "v1.MicroTime",
  duration: "v1.Duration",
  quantity: "resource.Quantity",
  intOrString: "intstr.IntOrString",
} as const;

const jsonNames = {
  value: "v1.JSON",
  fields: "v1.FieldsV1",
  embedded: "runtime.RawExtension",
  envelope: "runtime.Unknown",
} as const;

/** The Go type of a field. */
export function goTypeOf(field: Pick<Field, "schema" | "namedType">): string {
  return describe(field.schema, field.namedType === undefined ? undefined : shortGoName(field.namedType));
}

/** Returns the last package component and the name: `v1.Container`. */
export function shortGoName(fullName: string): string {
  const name = fullName.lastIndexOf(".");
  return fullName.slice(fullName.lastIndexOf(".", name - 1) + 1);
}

/** The Go name of a struct without its package. */
export function structName(fullName: string): string {
  return fullName.slice(fullName.lastIndexOf(".") + 1);
}

/**
 * Returns the Go type of a schema; `named` is the type of the innermost string, or else of the outermost list or map.
 */
function describe(schema: Schema, named: string | undefined): string {
  switch (schema.type) {
    case "scalar":
      return schema.scalar === "string" ? (named ?? "string") : scalarNames[schema.scalar];
    case "object":
    case "union":
      return shortGoName(schema.name);
    case "json":
      return jsonNames[schema.form];
    case "list":
      if (schema.wrapped) {
        return named ?? "[]string";
      }
      return namesItem(schema.items)
        ? `[]${describe(schema.items, named)}`
        : (named ?? `[]${describe(schema.items, undefined)}`);
    case "map":
      return namesItem(schema.values)
        ? `map[string]${describe(schema.values, named)}`
        : (named ?? `map[string]${describe(schema.values, undefined)}`);
  }
}

function namesItem(items: Schema): boolean {
  return (items.type === "scalar" && items.scalar === "string") || (items.type === "list" && items.wrapped);
}
