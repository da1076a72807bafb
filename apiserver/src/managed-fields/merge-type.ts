import { isJsonObject, type JsonObject, type JsonValue, textAt, textsAt } from "@gatehouse/envelopes/json";
import {
  type Field,
  type ListSchema,
  messageSchema,
  type ObjectSchema,
  type ScalarKind,
  type ScalarSchema,
  type Schema,
} from "@gatehouse/envelopes/schema";

/**
 * The rules by which values of one schema are compared, merged and owned (KEP-555). A value of a free form may be any
 * of the three; its form is seen in the value.
 */
export interface MergeType {
  readonly scalar?: ScalarForm;
  readonly list?: ListMerge;
  readonly map?: MapMerge;
}

/** The form of a scalar in JSON; `untyped` allows any. */
export type ScalarForm = "numeric" | "string" | "boolean" | "untyped";

/** A list: one value as a whole, or a collection of items that are known by their keys or, without keys, by themselves. */
export interface ListMerge {
  readonly atomic: boolean;
  /** The keys in the order of their names. */
  readonly keys: readonly ListKey[];
  readonly items: MergeType;
}

/** A member that identifies an item of a list. */
export interface ListKey {
  readonly name: string;
  /** Place of the key in the order of the schema, in which missing keys are reported. */
  readonly place: number;
  /** The value that counts when the member is absent. */
  readonly default: JsonValue | undefined;
}

/** A struct or a map: one value as a whole, or member by member. */
export interface MapMerge {
  readonly atomic: boolean;
  /** Returns the type of a member that has a name of its own in the schema. */
  member(name: string): MergeType | undefined;
  readonly hasMembers: boolean;
  /** The type of all other members; undefined where there may be none. */
  readonly others: MergeType | undefined;
}

const noMembers: Pick<MapMerge, "member" | "hasMembers"> = { member: () => undefined, hasMembers: false };

/** The type of any value that is owned as a whole. */
const untyped: MergeType = {
  scalar: "untyped",
  list: {
    atomic: true,
    keys: [],
    get items() {
      return untyped;
    },
  },
  map: {
    ...noMembers,
    atomic: true,
    get others() {
      return untyped;
    },
  },
};

/**
 * The type of any value whose lists are owned as a whole and whose maps member by member. Objects without a schema are
 * of this type.
 */
export const deduced: MergeType = {
  scalar: "untyped",
  list: { atomic: true, keys: [], items: untyped },
  map: {
    ...noMembers,
    atomic: false,
    get others() {
      return deduced;
    },
  },
};

/** The type of a struct without members in the schema, which may hold any. */
const freeStruct: MergeType = { map: deduced.map as MapMerge };

const scalarForms: Readonly<Record<ScalarKind, MergeType>> = {
  string: { scalar: "string" },
  bytes: { scalar: "string" },
  duration: { scalar: "string" },
  boolean: { scalar: "boolean" },
  int32: { scalar: "numeric" },
  int64: { scalar: "numeric" },
  double: { scalar: "numeric" },
  time: { scalar: "untyped" },
  microTime: { scalar: "untyped" },
  quantity: { scalar: "untyped" },
  intOrString: deduced,
};

const types = new WeakMap<Schema, MergeType>();
/** The types of nodes below one that preserves unknown fields, which preserve them, too. */
const preservingTypes = new WeakMap<Schema, MergeType>();

/** Returns the type of values of a schema; made once for each. */
export function mergeTypeOf(schema: Schema): MergeType {
  return typeOf(schema, false);
}

/**
 * Returns the type of a node. Only nodes of custom kinds preserve unknown fields; the type of a built-in one does not
 * depend on its place.
 */
function typeOf(schema: Schema, isBelowPreserving: boolean): MergeType {
  const structural = schema.type === "union" ? undefined : schema.structural;
  const preserves = structural !== undefined && (isBelowPreserving || structural.preservesUnknownFields);
  const known = preserves ? preservingTypes : types;
  let type = known.get(schema);
  if (type === undefined) {
    type = createType(schema, preserves);
    known.set(schema, type);
  }
  return type;
}

function createType(schema: Schema, preserves: boolean): MergeType {
  const type = typeByForm(schema, preserves);
  const source = schema.type === "union" ? undefined : schema.structural?.source;
  if (source === undefined) {
    return type;
  }
  const stated = textAt(source, "type");
  if (stated === "") {
    // A node that describes members or items but states no type allows any value.
    return { ...deduced, ...type };
  }
  return statedForm(stated) in type ? type : typeAsStated(source, stated);
}

function statedForm(type: string): keyof MergeType {
  return type === "object" ? "map" : type === "array" ? "list" : "scalar";
}

/**
 * Returns the type of a node of a custom kind that describes members or items which values of its stated type do not have:
 * v1.29 goes by the stated type.
 */
function typeAsStated(source: JsonObject, stated: string): MergeType {
  if (stated !== "array") {
    return statedScalar(stated, source["format"]) ?? deduced;
  }
  const listType = textAt(source, "x-kubernetes-list-type");
  const { items } = source;
  return {
    list: {
      atomic: listType !== "map" && listType !== "set",
      keys: listKeys(textsAt(source, "x-kubernetes-list-map-keys"), () => undefined),
      items: (isJsonObject(items) ? statedScalar(textAt(items, "type"), items["format"]) : undefined) ?? deduced,
    },
  };
}

function typeByForm(schema: Schema, preserves: boolean): MergeType {
  switch (schema.type) {
    case "object":
      return structType(schema, preserves);
    case "map": {
      const { values, mapType } = schema;
      const atomic = mapType === "atomic";
      let others: MergeType | undefined;
      return {
        map: {
          ...noMembers,
          atomic,
          get others() {
            others ??= typeOf(values, preserves);
            return others;
          },
        },
      };
    }
    case "list":
      return { list: listMerge(schema, undefined, preserves) };
    case "scalar":
      return scalarType(schema);
    case "union":
      return deduced;
    case "json":
      return schema.form === "value" ? deduced : schema.form === "fields" ? freeStruct : untyped;
  }
}

function scalarType({ scalar, structural }: ScalarSchema): MergeType {
  const source = structural?.source;
  return (source && statedScalar(textAt(source, "type"), source["format"])) ?? scalarForms[scalar];
}

/**
 * Returns the type of a scalar of a custom kind; undefined for another type. Text with a format may be any value, except that
 * bytes are text.
 */
function statedScalar(type: string, format: JsonValue | undefined): MergeType | undefined {
  switch (type) {
    case "string": {
      const isFormatted = typeof format === "string" && format !== "" && format !== "byte";
      return isFormatted ? { scalar: "untyped" } : scalarForms.string;
    }
    case "boolean":
      return scalarForms.boolean;
    case "integer":
    case "number":
      return scalarForms.double;
    default:
      return undefined;
  }
}

/** The members of every embedded object, whether its schema names them or not. */
const embeddedMembers: ReadonlyMap<string, MergeType> = new Map([
  ["apiVersion", scalarForms.string],
  ["kind", scalarForms.string],
]);
const objectMeta = "k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta";

function structType(schema: ObjectSchema, preserves: boolean): MergeType {
  if (schema.structural?.isDeduced === true) {
    return freeStruct;
  }
  const atomic = schema.mapType === "atomic";
  const isEmbedded = schema.structural?.isEmbeddedResource === true;
  if (schema.properties.size === 0 && !isEmbedded) {
    return { map: { ...noMembers, atomic, others: deduced } };
  }
  const members = new Map<string, MergeType | undefined>();
  const find = (name: string): MergeType | undefined => {
    const field = schema.properties.get(name);
    if (isEmbedded && (field === undefined || name === "metadata")) {
      return name === "metadata" ? mergeTypeOf(messageSchema(objectMeta)) : embeddedMembers.get(name);
    }
    return field === undefined ? undefined : memberType(field, preserves);
  };
  return {
    map: {
      atomic,
      hasMembers: true,
      others: preserves ? deduced : undefined,
      member(name) {
        let type = members.get(name);
        if (type === undefined) {
          type = find(name);
          if (type !== undefined) {
            members.set(name, type);
          }
        }
        return type;
      },
    },
  };
}

/** Returns the type of a member. A list without a marker of its own has that of strategic merge patch. */
function memberType(field: Field, preserves: boolean): MergeType {
  const { schema } = field;
  if (schema.type === "list" && schema.listType === undefined && field.patchStrategy.includes("merge")) {
    return { list: listMerge(schema, field, preserves) };
  }
  return typeOf(schema, preserves);
}

function listMerge(schema: ListSchema, byStrategy: Field | undefined, preserves: boolean): ListMerge {
  const { items, listType } = schema;
  const mergeKeys = byStrategy?.patchMergeKey === undefined ? [] : [byStrategy.patchMergeKey];
  const names = listType === "map" ? schema.listMapKeys : mergeKeys;
  let type: MergeType | undefined;
  return {
    atomic: byStrategy === undefined && listType !== "map" && listType !== "set",
    keys: listKeys(names, (name) => keyDefault(items, name)),
    get items() {
      type ??= typeOf(items, preserves);
      return type;
    },
  };
}

function listKeys(names: readonly string[], defaultOf: (name: string) => JsonValue | undefined): readonly ListKey[] {
  const keys = names.map((name, place) => ({ name, place, default: defaultOf(name) }));
  return keys.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const zeroValues: Partial<Record<ScalarKind, JsonValue>> = {
  string: "",
  boolean: false,
  int32: 0,
  int64: 0,
  double: 0,
};

/**
 * Returns the default that v1.29 publishes for a key: the stated one, or the zero value of a member that is always
 * written.
 */
function keyDefault(items: Schema, name: string): JsonValue | undefined {
  const field = items.type === "object" ? items.properties.get(name) : undefined;
  if (field === undefined || (field.default !== undefined && field.unpublishedDefault !== true)) {
    return field?.default;
  }
  const isAlwaysWritten = !field.pointer && !field.omitEmpty && field.schema.type === "scalar";
  return isAlwaysWritten && field.schema.type === "scalar" ? zeroValues[field.schema.scalar] : undefined;
}
