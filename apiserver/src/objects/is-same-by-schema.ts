import { compareQuantity, parseQuantity, wasSentEmpty } from "@gatehouse/envelopes/codec";
import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import type { Field, Schema } from "@gatehouse/envelopes/schema";

/**
 * The mode of comparison. `semantic` takes an empty list or map for none, and equal amounts for the same; `exact`
 * distinguishes a list or map that was sent empty from one that was not sent.
 */
export type Sameness = "semantic" | "exact";

/**
 * Reports whether two decoded values of one schema are the same as v1.29 holds them in memory: an empty struct differs
 * from none if Go has a pointer, a zero equals none if it does not.
 */
export function isSameBySchema(
  schema: Schema,
  a: JsonValue | undefined,
  b: JsonValue | undefined,
  sameness: Sameness = "semantic",
): boolean {
  if (a === b) {
    return true;
  }
  switch (schema.type) {
    case "object":
      return areSameMembers(schema.properties, membersOf(a), membersOf(b), sameness);
    case "map":
      return areSameEntries(schema.values, membersOf(a), membersOf(b), sameness);
    case "list":
      return areSameItems(schema.items, itemsOf(a), itemsOf(b), sameness);
    case "union":
      return isSameUnion(schema.object, a, b, sameness);
    case "json":
      return isSameJson(a ?? undefined, b ?? undefined);
    case "scalar":
      return isSameScalar(schema.scalar, a, b);
  }
}

/** Compares a member of two objects as `isSameBySchema` does; `path` leads to it, the schema is that of the objects. */
export function isSameMember(
  schema: Schema,
  a: JsonObject,
  b: JsonObject,
  path: readonly string[],
  sameness: Sameness,
): boolean {
  const [name = "", ...rest] = path;
  const field = schema.type === "object" ? schema.properties.get(name) : undefined;
  if (field === undefined) {
    throw new TypeError(`there is no member ${name}`);
  }
  return rest.length === 0
    ? isSameField(field, a, b, sameness)
    : isSameMember(field.schema, membersOf(a[name]), membersOf(b[name]), rest, sameness);
}

function areSameMembers(
  properties: ReadonlyMap<string, Field>,
  a: JsonObject,
  b: JsonObject,
  sameness: Sameness,
): boolean {
  if (sameness === "semantic") {
    // Most members that a struct may have are in neither of the two.
    return arePresentMembersSame(properties, a, b);
  }
  for (const field of properties.values()) {
    if (!field.inline && !isSameField(field, a, b, sameness)) {
      return false;
    }
  }
  return true;
}

function arePresentMembersSame(properties: ReadonlyMap<string, Field>, a: JsonObject, b: JsonObject): boolean {
  const isSame = (name: string): boolean => {
    const field = properties.get(name);
    return field === undefined || field.inline || isSameField(field, a, b, "semantic");
  };
  for (const name in a) {
    if (a[name] !== b[name] && !isSame(name)) {
      return false;
    }
  }
  for (const name in b) {
    if (a[name] === undefined && !isSame(name)) {
      return false;
    }
  }
  return true;
}

function isSameField(field: Field, a: JsonObject, b: JsonObject, sameness: Sameness): boolean {
  const { name, schema } = field;
  const [inA, inB] = [a[name] ?? undefined, b[name] ?? undefined];
  if (inA === undefined || inB === undefined) {
    if (inA === inB) {
      return sameness === "semantic" || wasSentEmpty(a, name) === wasSentEmpty(b, name);
    }
    if (field.pointer || (sameness === "exact" && (schema.type === "list" || schema.type === "map"))) {
      return false;
    }
  }
  return isSameBySchema(schema, inA, inB, sameness);
}

function areSameEntries(values: Schema, a: JsonObject, b: JsonObject, sameness: Sameness): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSameBySchema(values, a[name], b[name], sameness))
  );
}

function areSameItems(items: Schema, a: readonly JsonValue[], b: readonly JsonValue[], sameness: Sameness): boolean {
  return a.length === b.length && a.every((item, index) => isSameBySchema(items, item, b[index], sameness));
}

/** Compares two values of a union, each a schema or its alternative. */
function isSameUnion(object: Schema, a: JsonValue | undefined, b: JsonValue | undefined, sameness: Sameness): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return (
      a.length === b.length &&
      a.every((item, index) =>
        isJsonObject(item) ? isSameBySchema(object, item, b[index], sameness) : item === b[index],
      )
    );
  }
  return isObject(a) && isObject(b) && isSameBySchema(object, a, b, sameness);
}

function isSameScalar(scalar: string, a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (scalar === "quantity") {
    return compareQuantity(parseQuantity(amountOf(a)), parseQuantity(amountOf(b))) === 0;
  }
  const isNumber = typeof a === "bigint" || typeof b === "bigint";
  return isNumber ? isSameJson(a ?? 0, b ?? 0) : (a ?? zeroOf(b)) === (b ?? zeroOf(a));
}

function amountOf(value: JsonValue | undefined): string {
  return value === undefined || value === null || value === "" ? "0" : String(value);
}

/** Returns Go's zero value of the type that `value` has. */
function zeroOf(value: JsonValue | undefined): JsonValue {
  return typeof value === "number" ? 0 : typeof value === "boolean" ? false : "";
}

function membersOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return value !== undefined && isJsonObject(value);
}
