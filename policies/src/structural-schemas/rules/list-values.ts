import {
  isJsonObject,
  isSameJson,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  listAt,
} from "@gatehouse/envelopes/json";
import { BoxedDouble, CelList, type CelValue, EvaluationError } from "../../cel/index.js";
import { escapedName } from "./escaped-names.js";
import type { ReadValue } from "./read-value.js";

/**
 * Returns the reader of lists that are sets or maps, which compare without regard to order and add up without repetition,
 * or whose items are read; undefined where expressions see the list as it is.
 */
export function readerOfList(schema: JsonObject, readItem: ReadValue | undefined): ReadValue | undefined {
  const make = listMaker(schema, readItem);
  return make && ((value) => (Array.isArray(value) ? make(value) : value));
}

function listMaker(schema: JsonObject, readItem: ReadValue | undefined): ((list: JsonArray) => CelValue) | undefined {
  switch (schema["x-kubernetes-list-type"]) {
    case "set":
      return (list) => new SetList(itemsOf(list, readItem), list);
    case "map": {
      // v1.29 reads the keys by their names in expressions: one that has to be escaped never has a value.
      const keys = listAt(schema, "x-kubernetes-list-map-keys").map((key) => escapedName(String(key)) ?? String(key));
      return (list) => new MapList(list, keys);
    }
    default:
      return readItem && ((list) => itemsOf(list, readItem));
  }
}

function itemsOf(list: JsonArray, readItem: ReadValue | undefined): readonly CelValue[] {
  return readItem === undefined ? list : list.map((item) => (item === null ? null : readItem(item)));
}

/** A list with `x-kubernetes-list-type: set`. */
class SetList extends CelList {
  readonly items: readonly CelValue[];
  readonly #members: readonly CelValue[];
  #known: Set<CelValue> | undefined;

  /** Takes the items as expressions see them, and as v1.29 compares them: those of a schema in JSON. */
  constructor(items: readonly CelValue[], members: readonly CelValue[]) {
    super();
    this.items = items;
    this.#members = members;
  }

  equals(other: readonly CelValue[]): boolean {
    return other.length === this.items.length && other.every((item) => this.#set().has(item));
  }

  concat(other: readonly CelValue[]): CelValue {
    const known = new Set(this.#set());
    const added = other.filter((item) => {
      const member = hashable(item);
      const isNew = !known.has(member);
      known.add(member);
      return isNew;
    });
    return new SetList([...this.items, ...added], [...this.#members, ...added]);
  }

  #set(): Set<CelValue> {
    this.#known ??= new Set(this.#members.map(hashable));
    return this.#known;
  }
}

/** Returns the value by which v1.29 looks for an item of a set. Items that are no scalars end the evaluation. */
function hashable(item: CelValue): CelValue {
  if (typeof item !== "object" || item === null || item instanceof BoxedDouble) {
    return item;
  }
  if (Array.isArray(item)) {
    throw new EvaluationError("internal error: runtime error: hash of unhashable type []interface {}");
  }
  if (isJsonObject(item as JsonValue) && Object.getPrototypeOf(item) === Object.prototype) {
    throw new EvaluationError("internal error: runtime error: hash of unhashable type map[string]interface {}");
  }
  return item;
}

/** A list with `x-kubernetes-list-type: map`. */
class MapList extends CelList {
  readonly items: readonly CelValue[];
  readonly #keys: readonly string[];
  #byKey: Map<string, CelValue> | undefined;

  constructor(items: readonly CelValue[], keys: readonly string[]) {
    super();
    this.items = items;
    this.#keys = keys;
  }

  equals(other: readonly CelValue[]): boolean {
    if (other.length !== this.items.length) {
      return false;
    }
    this.#byKey ??= new Map(this.items.map((item) => [this.#keyOf(item), item]));
    for (const item of other) {
      const own = this.#byKey.get(this.#keyOf(item));
      if (own === undefined || !isSameJson(own as JsonValue, item as JsonValue)) {
        return false;
      }
    }
    return true;
  }

  concat(other: readonly CelValue[]): CelValue {
    const places = new Map(this.items.map((item, index) => [this.#keyOf(item), index]));
    const sum = [...this.items];
    for (const item of other) {
      const place = places.get(this.#keyOf(item));
      if (place === undefined) {
        sum.push(item);
      } else {
        sum[place] = item;
      }
    }
    return new MapList(sum, this.#keys);
  }

  #keyOf(item: CelValue): string {
    const object = item as JsonObject;
    return JSON.stringify(this.#keys.map((key) => (Object.hasOwn(object, key) ? comparable(object[key]) : null)));
  }
}

function comparable(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === "bigint" ? { integer: String(value) } : value;
}
