import {
  type FieldExtras,
  type FieldRow,
  fieldFlags,
  type MessageRow,
  messageFlags,
  type SchemaTable,
} from "../generated/table.js";
import type { JsonValue } from "../json/json.js";
import type {
  Field,
  Granularity,
  JsonSchema,
  ListSchema,
  ListType,
  ObjectSchema,
  ScalarKind,
  ScalarSchema,
  Schema,
} from "./schema.js";

/** A function that returns the description of a message (`member` 0) or of its n-th field (`member` n). */
export type Describe = (messageIndex: number, member: number) => string;

/** Kinds of scalars in the order of the compiler's `scalarCodes`, without the free-form one. */
export const scalarKinds = ["string", "boolean", "int32", "int64", "double", "bytes"] as const;
const anyScalar = -7;

const wireScalars: Readonly<Record<number, ScalarKind>> = {
  1: "time",
  2: "microTime",
  4: "duration",
  5: "quantity",
  6: "intOrString",
};
const jsonForms: Readonly<Record<number, JsonSchema["form"]>> = {
  7: "value",
  8: "fields",
  9: "embedded",
  10: "envelope",
};
const itemsWire = 11;
const unionForms: Readonly<Record<number, "schemaOrArray" | "schemaOrBool" | "schemaOrStrings">> = {
  12: "schemaOrArray",
  13: "schemaOrBool",
  14: "schemaOrStrings",
};

const plainString: ScalarSchema = { type: "scalar", scalar: "string", enum: undefined };
const plainScalars: readonly ScalarSchema[] = scalarKinds.map((scalar) => ({
  type: "scalar",
  scalar,
  enum: undefined,
}));

/**
 * Turns rows of the precompiled IDL into `Schema` nodes, each message only when something first looks inside it.
 * `typeMetaIndex` is the message that describes the members kind and apiVersion.
 */
export class SchemaBuilder {
  readonly #table: SchemaTable;
  readonly #typeMetaIndex: number;
  readonly #describe: Describe;
  readonly #objects = new Map<string, ObjectSchema>();

  constructor(table: SchemaTable, typeMetaIndex: number, describe: Describe) {
    this.#table = table;
    this.#typeMetaIndex = typeMetaIndex;
    this.#describe = describe;
  }

  #row(index: number): MessageRow {
    const found = this.#table.messages[index];
    if (found === undefined) {
      throw new RangeError(`no message ${index}`);
    }
    return found;
  }

  /**
   * Returns the node of a message with members of its own; undefined when `index` has another wire form (Time,
   * Quantity).
   */
  object(index: number, mapType?: Granularity): ObjectSchema | undefined {
    const message = this.#row(index);
    const wire = message[2];
    if (wire in wireScalars || wire in jsonForms || wire in unionForms || wire === itemsWire) {
      return undefined;
    }
    const granularity = mapType ?? ownGranularity(message[3]);
    const key = `${index}/${granularity}`;
    let node = this.#objects.get(key);
    if (node === undefined) {
      node = this.#createObject(index, message, granularity);
      this.#objects.set(key, node);
    }
    return node;
  }

  #createObject(index: number, message: MessageRow, mapType: Granularity | undefined): ObjectSchema {
    let fields: readonly Field[] | undefined;
    let properties: ReadonlyMap<string, Field> | undefined;
    const discriminator = message[4].find((field) => (field[3] & fieldFlags.discriminator) !== 0)?.[0];
    const isUnion = (message[3] & messageFlags.union) !== 0;
    const describe = (): string => this.#describe(index, 0);
    const createFields = (): Field[] => this.#createFields(index, message);
    return {
      type: "object",
      name: fullName(this.#table, message),
      get description() {
        return describe();
      },
      get fields() {
        fields ??= createFields();
        return fields;
      },
      get properties() {
        properties ??= createProperties(this.fields);
        return properties;
      },
      mapType,
      hasProtobuf: (message[3] & messageFlags.jsonOnly) === 0,
      discriminator: isUnion ? discriminator : undefined,
    };
  }

  #createFields(index: number, message: MessageRow): Field[] {
    const jsonOnly = (message[3] & messageFlags.jsonOnly) !== 0;
    const own = message[4].map((field, position) =>
      this.#createField(field, jsonOnly ? undefined : field[2], () => this.#describe(index, position + 1)),
    );
    if (message[5] === undefined) {
      return own;
    }
    const typeMeta = this.#row(this.#typeMetaIndex)[4].map((field, position) =>
      this.#createField(field, undefined, () => this.#describe(this.#typeMetaIndex, position + 1)),
    );
    return [...typeMeta, ...own];
  }

  #createField(field: FieldRow, number: number | undefined, description: () => string): Field {
    const [name, , , flags, extras = {}] = field;
    return {
      name,
      schema: this.#fieldSchema(field, extras),
      get description() {
        return description();
      },
      number,
      inline: (flags & fieldFlags.inline) !== 0,
      pointer: (flags & fieldFlags.pointer) !== 0,
      omitEmpty: (flags & fieldFlags.omitEmpty) !== 0,
      required: (flags & fieldFlags.required) !== 0,
      default: extras.d as JsonValue | undefined,
      unpublishedDefault: (flags & fieldFlags.unpublishedDefault) !== 0,
      ...(extras.f === undefined ? {} : { featureGates: extras.f }),
      patchStrategy: extras.p ?? [],
      patchMergeKey: extras.g,
      namedType: this.#namedType(field[1], extras),
    };
  }

  #namedType(type: number, extras: FieldExtras): string | undefined {
    if (extras.n !== undefined) {
      return this.#table.named[extras.n]?.[0];
    }
    return type >= 0 && this.#row(type)[2] === itemsWire ? fullName(this.#table, this.#row(type)) : undefined;
  }

  #fieldSchema(field: FieldRow, extras: FieldExtras): Schema {
    const [, type, , flags] = field;
    if ((flags & fieldFlags.repeated) !== 0) {
      const listType = extras.l;
      return {
        type: "list",
        items: this.#itemSchema(type, {}, extras),
        listType,
        listMapKeys: extras.k ?? [],
        wrapped: false,
      };
    }
    if ((flags & fieldFlags.map) !== 0) {
      return { type: "map", values: this.#itemSchema(type, {}, extras), mapType: extras.m };
    }
    return this.#itemSchema(type, extras, extras);
  }

  /**
   * Returns the schema of a value. `own` is empty inside a list or map, where the options of the field are those of the
   * container.
   */
  #itemSchema(type: number, own: FieldExtras, limits: FieldExtras): Schema {
    if (type < 0) {
      return type === anyScalar ? { type: "json", form: "value" } : this.#scalarSchema(-1 - type, limits, own.l);
    }
    const wire = this.#row(type)[2];
    const scalar = wireScalars[wire];
    if (scalar !== undefined) {
      return { type: "scalar", scalar, enum: undefined };
    }
    const form = jsonForms[wire];
    if (form !== undefined) {
      return { type: "json", form };
    }
    if (wire === itemsWire) {
      return wrappedList(own);
    }
    const unionForm = unionForms[wire];
    if (unionForm !== undefined) {
      return this.#unionSchema(type, unionForm);
    }
    return this.object(type, own.m) ?? unreachable(type);
  }

  #scalarSchema(code: number, limits: FieldExtras, listType: ListType | undefined): ScalarSchema {
    const values = limits.n === undefined ? undefined : this.#table.named[limits.n]?.[1];
    const { minLength, maxLength, minimum, pattern } = limits;
    const plain = plainScalars[code] ?? unreachable(code);
    if ([values, minLength, maxLength, minimum, listType].every((extra) => extra === undefined)) {
      return plain;
    }
    return {
      ...plain,
      enum: values,
      ...(minLength === undefined ? {} : { minLength }),
      ...(maxLength === undefined ? {} : { maxLength }),
      ...(minimum === undefined ? {} : { minimum }),
      ...(pattern === undefined ? {} : { pattern }),
      ...(listType === undefined ? {} : { listType }),
    };
  }

  #unionSchema(index: number, form: "schemaOrArray" | "schemaOrBool" | "schemaOrStrings"): Schema {
    const message = this.#row(index);
    const schemaField = message[4].find((field) => field[1] >= 0);
    const target = schemaField === undefined ? undefined : this.object(schemaField[1]);
    return { type: "union", form, object: target ?? unreachable(index), name: fullName(this.#table, message) };
  }
}

/** Returns a message's name with its package before it: `k8s.io.api.apps.v1.Deployment`. */
export function fullName(table: SchemaTable, message: MessageRow): string {
  return `${table.packages[message[0]]?.[0]}.${message[1]}`;
}

function ownGranularity(flags: number): Granularity | undefined {
  if ((flags & messageFlags.atomic) !== 0) {
    return "atomic";
  }
  return (flags & messageFlags.granular) !== 0 ? "granular" : undefined;
}

function wrappedList(extras: FieldExtras): ListSchema {
  return { type: "list", items: plainString, listType: extras.l, listMapKeys: extras.k ?? [], wrapped: true };
}

function createProperties(fields: readonly Field[]): ReadonlyMap<string, Field> {
  const properties = new Map<string, Field>();
  for (const field of fields) {
    if (!field.inline) {
      properties.set(field.name, field);
    } else if (field.schema.type === "object") {
      for (const [key, member] of field.schema.properties) {
        properties.set(key, member);
      }
    }
  }
  return properties;
}

function unreachable(code: number): never {
  throw new RangeError(`the precompiled schema has no ${code} here`);
}
