import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { type FindOldItem, oldItems } from "./correlate-items.js";
import type { Stopwatch } from "./stopwatch.js";

/**
 * A value that is compared with the old one in its place, so that a mistake in an unchanged part of an object does not
 * stop an update (feature gate CRDValidationRatcheting).
 */
export interface ComparedValue {
  /** True if the value is what it was. For a value without an old one, true if the nearest one above is what it was. */
  readonly isUnchanged: boolean;
  member(name: string): ComparedValue;
  item(index: number): ComparedValue;
  /** Returns true if a value that a path such as `a.list[0].b` leads through is what it was. */
  isUnchangedAt(path: string): boolean;
}

/** Compares an object with the one that it replaces. The comparisons, which happen when they are asked for, are measured. */
export function compareValues(
  value: JsonValue,
  old: JsonValue,
  schema: JsonObject,
  stopwatch: Stopwatch,
): ComparedValue {
  return new PairOfValues(value, old, schema, stopwatch);
}

/** A value without an old value in its place, or a part of one. */
class UnpairedValue implements ComparedValue {
  readonly #above: ComparedValue;

  constructor(above: ComparedValue) {
    this.#above = above;
  }

  get isUnchanged(): boolean {
    return this.#above.isUnchanged;
  }

  member(): ComparedValue {
    return this;
  }

  item(): ComparedValue {
    return this;
  }

  isUnchangedAt(): boolean {
    return this.isUnchanged;
  }
}

class PairOfValues implements ComparedValue {
  readonly #value: JsonValue;
  readonly #old: JsonValue;
  readonly #schema: JsonObject;
  readonly #stopwatch: Stopwatch;
  #findOldItem: FindOldItem | undefined;
  #isSame: boolean | undefined;

  constructor(value: JsonValue, old: JsonValue, schema: JsonObject, stopwatch: Stopwatch) {
    this.#stopwatch = stopwatch;
    this.#value = value;
    this.#old = old;
    this.#schema = schema;
  }

  get isUnchanged(): boolean {
    this.#isSame ??= this.#stopwatch.measure(() => this.#compare());
    return this.#isSame;
  }

  member(name: string): ComparedValue {
    return this.#pairedMember(name) ?? new UnpairedValue(this);
  }

  item(index: number): ComparedValue {
    return this.#pairedItem(index) ?? new UnpairedValue(this);
  }

  isUnchangedAt(path: string): boolean {
    return this.isUnchanged || this.#partsOn(path).some(([part, rest]) => part.isUnchangedAt(rest));
  }

  /** Returns the parts that a path may lead to, each with the rest of the path: names may have dots. */
  #partsOn(path: string): readonly (readonly [ComparedValue, string])[] {
    const [, index] = /^\[(\d+)\]/.exec(path) ?? [];
    const item = index === undefined ? undefined : this.#pairedItem(Number(index));
    if (item !== undefined) {
      return [[item, path.slice(path.indexOf("]") + 1)]];
    }
    const rest = path.startsWith(".") ? path.slice(1) : path;
    const names = isJsonObject(this.#value) ? Object.keys(this.#value) : [];
    return names.flatMap((name) => {
      const isNext = rest === name || rest.startsWith(`${name}.`) || rest.startsWith(`${name}[`);
      const member = isNext ? this.#pairedMember(name) : undefined;
      return member === undefined ? [] : [[member, rest.slice(name.length)] as const];
    });
  }

  #pairedMember(name: string): ComparedValue | undefined {
    const schema = memberSchema(this.#schema, name);
    const value = memberOf(this.#value, name);
    const old = memberOf(this.#old, name);
    return schema === undefined || value === undefined || old === undefined
      ? undefined
      : new PairOfValues(value, old, schema, this.#stopwatch);
  }

  #pairedItem(index: number): ComparedValue | undefined {
    const { items } = this.#schema;
    if (!Array.isArray(this.#value) || !Array.isArray(this.#old) || !isJsonObject(items)) {
      return undefined;
    }
    this.#findOldItem ??= oldItems(this.#schema, this.#old);
    const value = this.#value[index];
    const old = value === undefined ? undefined : this.#findOldItem(value);
    return value === undefined || old === undefined ? undefined : new PairOfValues(value, old, items, this.#stopwatch);
  }

  #compare(): boolean {
    const value = this.#value;
    const old = this.#old;
    if (Array.isArray(value) && Array.isArray(old)) {
      if (this.#schema["x-kubernetes-list-type"] !== "map") {
        return isSameJson(value, old);
      }
      return (
        value.length === old.length && value.every((_item, index) => this.#pairedItem(index)?.isUnchanged === true)
      );
    }
    if (isJsonObject(value) && isJsonObject(old)) {
      const names = Object.keys(value);
      return (
        names.length === Object.keys(old).length &&
        names.every((name) => this.#pairedMember(name)?.isUnchanged === true)
      );
    }
    return isSameJson(value, old);
  }
}

function memberOf(value: JsonValue, name: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function memberSchema({ properties, additionalProperties }: JsonObject, name: string): JsonObject | undefined {
  const property = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isJsonObject(property) ? property : isJsonObject(additionalProperties) ? additionalProperties : undefined;
}
