import { structName } from "../go/served-type-name.js";
import type { JsonObject, JsonValue } from "../json/json.js";
import type { Field, ObjectSchema, Schema } from "../schema/schema.js";
import { type EmptyHandling, handledEmpty } from "./empty-members.js";
import { type NotesLeft, noteMember } from "./member-notes.js";

/**
 * The plan for one message in JSON, made once per schema: its members in wire order with inlined ones in their place,
 * and the value of each when it is absent. A decoder fills one slot per member and hands them to `emit`.
 */
export interface ObjectPlan {
  /** Go's name of the struct, for error texts. */
  readonly structName: string;
  readonly members: readonly Member[];
  /** Slot of a JSON key. */
  readonly slotOf: ReadonlyMap<string, number>;
  /** The slots of amounts. */
  readonly amountSlots: readonly number[];
}

/** The plan for one member. */
export interface Member {
  readonly key: string;
  readonly field: Field;
  /** Returns the value written for an unset member; undefined when none is written. */
  readonly absent: (() => JsonValue) | undefined;
  /** The present values that are left out. */
  readonly omit: "never" | "zero" | "empty";
  /** True if it is an amount that is always written. */
  readonly isAmount: boolean;
  /** True if null is written for an empty list or map once the object has passed through protobuf. */
  readonly nilWhenEmpty: boolean;
}

// Plans live as long as the schema they belong to.
const plans = new WeakMap<ObjectSchema, ObjectPlan>();

/** Returns the plan of a schema, made at its first use. */
export function objectPlan(schema: ObjectSchema): ObjectPlan {
  let plan = plans.get(schema);
  if (plan === undefined) {
    plan = createPlan(schema);
    plans.set(schema, plan);
  }
  return plan;
}

function createPlan(schema: ObjectSchema): ObjectPlan {
  const members = flatten(schema).map((field) => toMember(field));
  const slotOf = new Map(members.map((member, slot) => [member.key, slot]));
  const amountSlots = members.flatMap(({ field }, slot) => (isAmount(field.schema) ? [slot] : []));
  return { structName: structName(schema.name), members, slotOf, amountSlots };
}

function flatten(schema: ObjectSchema): Field[] {
  return schema.fields.flatMap((field) =>
    field.inline && field.schema.type === "object" ? flatten(field.schema) : [field],
  );
}

function toMember(field: Field): Member {
  const collection = isCollection(field.schema);
  const droppable = field.omitEmpty && !field.pointer;
  return {
    key: field.name,
    field,
    absent: absentValue(field),
    isAmount: !field.pointer && isAmount(field.schema),
    omit: !droppable ? "never" : collection ? "empty" : isPlainScalar(field.schema) ? "zero" : "never",
    nilWhenEmpty: !field.omitEmpty && collection && !(field.schema.type === "list" && field.schema.wrapped),
  };
}

function isAmount(schema: Schema): boolean {
  return schema.type === "scalar" && schema.scalar === "quantity";
}

function isCollection(schema: Schema): boolean {
  return schema.type === "list" || schema.type === "map";
}

/**
 * Reports whether a schema is a string, number, boolean or bytes, as Go's omitempty requires. Structs such as Time and
 * Quantity are not.
 */
function isPlainScalar(schema: Schema): boolean {
  if (schema.type !== "scalar") {
    return false;
  }
  const { scalar } = schema;
  return (
    scalar === "string" ||
    scalar === "boolean" ||
    scalar === "int32" ||
    scalar === "int64" ||
    scalar === "double" ||
    scalar === "bytes"
  );
}

function absentValue(field: Field): (() => JsonValue) | undefined {
  if (field.pointer) {
    return field.omitEmpty ? undefined : () => null;
  }
  if (field.omitEmpty && (isCollection(field.schema) || isPlainScalar(field.schema))) {
    return undefined;
  }
  return zeroValue(field.schema);
}

/** Returns a maker of the JSON form of Go's zero value of a type. Objects are made anew each time. */
export function zeroValue(schema: Schema): () => JsonValue {
  switch (schema.type) {
    case "object":
      return () => emit(objectPlan(schema), []);
    case "scalar":
      return constant(zeroScalars[schema.scalar]);
    default:
      return constant(null);
  }
}

/** Returns a maker of the zero value of a map's values. v1.29 shows bytes there as empty, not as null, once stored. */
export function zeroMapValue(values: Schema): () => JsonValue {
  return values.type === "scalar" && values.scalar === "bytes" ? constant("") : zeroValue(values);
}

function constant(value: JsonValue): () => JsonValue {
  return () => value;
}

const zeroScalars = {
  string: "",
  boolean: false,
  int32: 0,
  int64: 0,
  double: 0,
  bytes: null,
  time: null,
  microTime: null,
  duration: "0s",
  quantity: "0",
  intOrString: 0,
} as const;

/**
 * Writes the members in order. `slots[i]` belongs to `members[i]`; undefined means unset, `emptyMap` a map without keys.
 * Empty lists and maps that are always written are handled as `empty` says. Which of those that are left out were sent
 * empty, and which amounts were not sent, is noted in `notes`.
 */
export function emit(
  plan: ObjectPlan,
  slots: readonly (JsonValue | undefined)[],
  empty: EmptyHandling = "kept",
  notes?: NotesLeft,
): JsonObject {
  const out: JsonObject = {};
  const { members } = plan;
  for (let i = 0; i < members.length; i++) {
    const member = members[i] as Member;
    const value = slots[i];
    if (value === undefined) {
      if (member.absent !== undefined) {
        out[member.key] = member.absent();
        if (member.isAmount && notes !== undefined) {
          noteMember(out, member.key, notes);
        }
      }
    } else if (member.omit === "never" ? true : member.omit === "zero" ? !isZero(value) : !isEmpty(value)) {
      const written = value === emptyMap ? {} : value;
      out[member.key] = member.nilWhenEmpty && isEmpty(value) ? handledEmpty(out, member.key, written, empty) : written;
    } else if (notes !== undefined && member.omit === "empty" && value !== null) {
      noteMember(out, member.key, notes);
    }
  }
  return out;
}

function isZero(value: JsonValue): boolean {
  return value === "" || value === 0 || value === false || value === null || value === 0n;
}

/**
 * The value that a decoder puts into the slot of an empty map. Asking a large map whether it has keys would sort all of
 * them.
 */
export const emptyMap: JsonObject = Object.freeze({});

function isEmpty(value: JsonValue): boolean {
  return value === emptyMap || value === null || (Array.isArray(value) && value.length === 0);
}

/** Sets a key that a peer chose: `__proto__` becomes a member like any other. */
export function setKey(target: JsonObject, key: string, value: JsonValue): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

/** Compares keys by their UTF-8 bytes, as Go does. */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) {
      // Surrogates stand for code points above all others, although their numbers are lower than those of U+E000 and up.
      return (x >= 0xd800 && x < 0xe000 ? x + 0x10000 : x) - (y >= 0xd800 && y < 0xe000 ? y + 0x10000 : y);
    }
  }
  return a.length - b.length;
}

const surrogates = /[\ud800-\udfff]/;

/** Returns the keys in order; the same array when they already are. */
export function sortKeys(keys: string[]): string[] {
  for (let i = 1; i < keys.length; i++) {
    if (compareKeys(keys[i - 1] as string, keys[i] as string) > 0) {
      // The order of code units is that of bytes but for surrogates, and is found several times as fast.
      return keys.some((key) => surrogates.test(key)) ? keys.sort(compareKeys) : keys.sort();
    }
  }
  return keys;
}
