import { copySorted } from "../codec/copy-sorted.js";
import { maxValues } from "../codec/json-value-count.js";
import { setKey } from "../codec/object-plan.js";
import { TooManyDefaultsError } from "../errors.js";
import type { JsonObject, JsonValue } from "../json/json.js";
import { jsonByteLength } from "../json-patch/json-members.js";
import type { Schema } from "../schema/schema.js";
import { structuralSearch } from "../schema/structural-search.js";

/**
 * Bytes of JSON that defaults may add to one object, which is as much as a stored object may have altogether: an object
 * that gets more could never be stored.
 */
export const maxDefaultedBytes = 1.5 * 1024 * 1024;

/**
 * Fills in, in place, the defaults that the schema of a custom kind states: for members that are absent, and for nulls
 * where none are allowed. What has been filled in gets defaults of its own. The work is in proportion to the value and to
 * what is added, whatever the size of the schema. Returns the number of bytes that have been added to the JSON of the
 * value. Throws TooManyDefaultsError and leaves a value with some of its defaults then.
 */
export function applyStructuralDefaults(schema: Schema, value: JsonValue): number {
  const filling = new Filling();
  filling.inside(schema, value);
  return filling.addedBytes;
}

/** A pass over a value, which counts what it adds. */
class Filling {
  addedBytes = 0;
  #addedValues = 0;

  /** Fills in what is absent inside of a value. */
  inside(schema: Schema, value: JsonValue): void {
    if (typeof value !== "object" || value === null || !leadsToDefaults(schema)) {
      return;
    }
    if (Array.isArray(value)) {
      if (schema.type === "list") {
        const { items } = schema;
        for (let index = 0; index < value.length; index++) {
          value[index] = this.#present(items, value[index] as JsonValue);
        }
      }
      return;
    }
    if (schema.type === "object") {
      this.#members(planOf(schema), value);
    } else if (schema.type === "map") {
      for (const key of Object.keys(value)) {
        value[key] = this.#present(schema.values, value[key] as JsonValue);
      }
    }
  }

  #members({ inner, stated }: ObjectPlan, object: JsonObject): void {
    // First what is there, so that nothing is visited twice: a default is completed when it is filled in.
    for (const name of Object.keys(object)) {
      const schema = inner.get(name);
      const present = object[name];
      if (schema !== undefined && present !== undefined) {
        const value = this.#present(schema, present);
        if (value !== present) {
          setKey(object, name, value);
        }
      }
    }
    for (const member of stated) {
      if (!Object.hasOwn(object, member.name) || object[member.name] === undefined) {
        this.#count(member.addition);
        setKey(object, member.name, this.#copy(member.schema, member.addition.value));
      }
    }
  }

  /** Returns a value, or the default in the place of a forbidden null. */
  #present(schema: Schema, value: JsonValue): JsonValue {
    if (value === null) {
      const addition = additionOf(schema);
      if (addition === undefined || isNullable(schema)) {
        return value;
      }
      this.#count(addition);
      return this.#copy(schema, addition.value);
    }
    this.inside(schema, value);
    return value;
  }

  #copy(schema: Schema, stated: JsonValue): JsonValue {
    const value = copySorted(stated);
    this.inside(schema, value);
    return value;
  }

  #count({ bytes, values }: Addition): void {
    this.addedBytes += bytes;
    this.#addedValues += values;
    if (this.addedBytes > maxDefaultedBytes || this.#addedValues > maxValues) {
      throw new TooManyDefaultsError();
    }
  }
}

/** A default, and what it adds to an object. */
interface Addition {
  readonly value: JsonValue;
  /** The length of its JSON in bytes. */
  readonly bytes: number;
  /** The number of values: itself and all in it. */
  readonly values: number;
}

/** A plan of the defaults of one schema: most members lead to none. */
interface ObjectPlan {
  /** Members that have defaults, or lead to some, by their names. */
  readonly inner: ReadonlyMap<string, Schema>;
  readonly stated: readonly StatedMember[];
}

interface StatedMember {
  readonly name: string;
  readonly schema: Schema;
  /** The cost of the default, the bytes of the member's name included. */
  readonly addition: Addition;
}

// Kept with the schemas, which never change.
const plans = new WeakMap<Schema, ObjectPlan>();
const additions = new WeakMap<Schema, Addition>();

function planOf(schema: Schema & { readonly type: "object" }): ObjectPlan {
  let plan = plans.get(schema);
  if (plan === undefined) {
    const inner = new Map<string, Schema>();
    const stated: StatedMember[] = [];
    for (const field of schema.fields) {
      if (leadsToDefaults(field.schema)) {
        inner.set(field.name, field.schema);
      }
      const addition = field.default === undefined ? undefined : additionOf(field.schema);
      if (addition !== undefined) {
        const bytes = addition.bytes + jsonByteLength(field.name) + 2;
        stated.push({ name: field.name, schema: field.schema, addition: { ...addition, bytes } });
      }
    }
    plan = { inner, stated };
    plans.set(schema, plan);
  }
  return plan;
}

/** Returns the default that a schema states itself; undefined if it states none. */
function additionOf(schema: Schema): Addition | undefined {
  const stated = schema.type === "union" ? undefined : schema.structural?.default;
  if (stated === undefined) {
    return undefined;
  }
  let addition = additions.get(schema);
  if (addition === undefined) {
    addition = { value: stated, bytes: jsonByteLength(stated), values: countValues(stated) };
    additions.set(schema, addition);
  }
  return addition;
}

function countValues(value: JsonValue): number {
  if (typeof value !== "object" || value === null) {
    return 1;
  }
  let count = 1;
  for (const item of Object.values(value)) {
    count += countValues(item ?? null);
  }
  return count;
}

function isNullable(schema: Schema): boolean {
  return schema.type === "union" || schema.structural?.nullable !== false;
}

/**
 * Reports whether a schema of a custom kind states a default, itself or inside of it. Most state few, and most objects are large:
 * only what leads to a default is visited.
 */
export const leadsToDefaults = structuralSearch(
  (schema) => schema.type !== "union" && schema.structural?.default !== undefined,
);
