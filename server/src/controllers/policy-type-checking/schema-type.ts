import type { ObjectSchema, ScalarKind, Schema } from "@gatehouse/envelopes/schema";
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  dynType,
  intType,
  listType,
  mapType,
  type ObjectField,
  type ObjectType,
  objectType,
  stringType,
  timestampType,
} from "@gatehouse/policies/cel";
import { celTypeOf, declareSchema, escapedName } from "@gatehouse/policies/structural-schemas";

/** Returns the type of the objects of a kind, as the type checker sees them. Names of types below begin with `name`. */
export function typeOfKind(schema: ObjectSchema, name: string): CelType {
  return new SchemaObjectType(schema, name, new Set());
}

/**
 * Types of scalars. A quantity has none: its schema in v1.29's OpenAPI names no single type, so that expressions have no
 * access to it in the eyes of the type checker.
 */
const scalarTypes: Readonly<Record<ScalarKind, CelType | undefined>> = {
  string: stringType,
  boolean: boolType,
  int32: intType,
  int64: intType,
  double: doubleType,
  bytes: bytesType,
  time: timestampType,
  microTime: timestampType,
  duration: stringType,
  quantity: undefined,
  intOrString: dynType,
};

/** Returns the type of the values of a schema; undefined where expressions have no access to them. */
function typeOfSchema(schema: Schema, name: string, outer: ReadonlySet<string>): CelType | undefined {
  if (schema.type !== "union" && schema.structural !== undefined) {
    const declared = declareSchema(schema.structural.source);
    return declared && celTypeOf(declared, name);
  }
  switch (schema.type) {
    case "object":
      // As in v1.29, a message inside itself is an object without fields.
      return outer.has(schema.name) ? objectType(name, {}) : new SchemaObjectType(schema, name, outer);
    case "map": {
      const values = typeOfSchema(schema.values, `${name}.@elem`, outer);
      return values && mapType(stringType, values);
    }
    case "list": {
      const elements = typeOfSchema(schema.items, `${name}.@idx`, outer);
      return elements && listType(elements);
    }
    case "scalar":
      return scalarTypes[schema.scalar];
    case "json":
      return schema.form === "value" ? undefined : objectType(name, {});
    case "union":
      return undefined;
  }
}

/** The type of a message, whose fields get their types when an expression names them. */
class SchemaObjectType implements ObjectType {
  readonly kind = "object";
  readonly name: string;
  readonly #schema: ObjectSchema;
  /** Names of the messages that this one is in, its own among them. */
  readonly #outer: ReadonlySet<string>;
  readonly #fields = new Map<string, ObjectField | undefined>();

  constructor(schema: ObjectSchema, name: string, outer: ReadonlySet<string>) {
    this.name = name;
    this.#schema = schema;
    this.#outer = schema.name === "" ? outer : new Set([...outer, schema.name]);
  }

  field(name: string): ObjectField | undefined {
    if (!this.#fields.has(name)) {
      this.#fields.set(name, this.#find(name));
    }
    return this.#fields.get(name);
  }

  #find(name: string): ObjectField | undefined {
    for (const [member, { schema }] of this.#schema.properties) {
      if (escapedName(member) === name) {
        const type = typeOfSchema(schema, `${this.name}.${name}`, this.#outer);
        return type && { type, member };
      }
    }
    return undefined;
  }
}
