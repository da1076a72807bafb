import { compareQuantity, parseQuantity } from "../../codec/scalars/quantity.js";
import type { JsonArray, JsonObject, JsonValue } from "../../json/json.js";
import type { GoType } from "../internal-types.js";
import { type Edit, editScript, type Likeness } from "./edit-script.js";

/** The side of a record that one of the values does not have, unlike a nil value. */
export const missing = Symbol("missing");
export type Side = JsonValue | undefined | typeof missing;

/** Two values of one type side by side, with the values inside them. */
export interface Difference {
  readonly type: GoType;
  readonly x: Side;
  readonly y: Side;
  readonly isSame: boolean;
  /** The members, items or entries; empty where the values are compared as a whole. */
  readonly records: () => readonly DifferenceRecord[];
  /** The difference of the values that two pointers lead to; undefined if one of them is nil. */
  readonly target: () => Difference | undefined;
}

/** One member, item or entry of a difference. */
export interface DifferenceRecord {
  /** The name of the member or the key of the entry; empty for items. */
  readonly key: string;
  readonly value: Difference;
}

/** Compares two values, as go-cmp does. Values inside them are compared only on demand. */
export function difference(type: GoType, x: Side, y: Side): Difference {
  const isSame = isEqual(type, x, y);
  let records: readonly DifferenceRecord[] | undefined;
  let target: Difference | undefined;
  return {
    type,
    x,
    y,
    isSame,
    records: () => {
      records ??= recordsOf(type, x, y, isSame);
      return records;
    },
    target: () => {
      // Pointers to times have a method of their own to compare them.
      if (type.kind === "pointer" && type.to.kind !== "time" && !isNil(x) && !isNil(y)) {
        target ??= difference(type.to, x, y);
      }
      return target;
    },
  };
}

/** Reports whether a side has no value or a nil one. */
export function isNil(side: Side): boolean {
  return side === undefined || side === null || side === missing;
}

function recordsOf(type: GoType, x: Side, y: Side, isSame: boolean): readonly DifferenceRecord[] {
  if (x === missing || y === missing) {
    return [];
  }
  switch (type.kind) {
    case "struct":
      return type.fields().map((field) => ({
        key: field.name,
        value: difference(field.type, field.read(objectOf(x)), field.read(objectOf(y))),
      }));
    case "slice":
      return isNil(x) || isNil(y) ? [] : itemsOf(type.of, x as JsonArray, y as JsonArray, isSame);
    case "map":
      return isNil(x) || isNil(y) ? [] : entriesOf(type.of, objectOf(x), objectOf(y));
    default:
      return [];
  }
}

/** Returns the object that members are read from; an empty one for nil. */
function objectOf(side: Side): JsonObject {
  return isNil(side) ? {} : (side as JsonObject);
}

function itemsOf(type: GoType, x: JsonArray, y: JsonArray, isSame: boolean): readonly DifferenceRecord[] {
  const edits: readonly Edit[] = isSame
    ? x.map(() => "same" as const)
    : editScript(x.length, y.length, (a, b) => likeness(type, x[a], y[b]));
  const records: DifferenceRecord[] = [];
  let a = 0;
  let b = 0;
  for (const edit of edits) {
    const left = edit === "inserted" ? missing : x[a++];
    const right = edit === "removed" ? missing : y[b++];
    records.push({ key: "", value: difference(type, left, right) });
  }
  return records;
}

function entriesOf(type: GoType, x: JsonObject, y: JsonObject): readonly DifferenceRecord[] {
  const sideOf = (map: JsonObject, key: string): Side => (Object.hasOwn(map, key) ? map[key] : missing);
  return [...new Set([...Object.keys(x), ...Object.keys(y)])]
    .sort()
    .map((key) => ({ key, value: difference(type, sideOf(x, key), sideOf(y, key)) }));
}

function isEqual(type: GoType, x: Side, y: Side): boolean {
  if (x === missing || y === missing) {
    return x === y;
  }
  switch (type.kind) {
    case "struct":
      return (
        x === y || type.fields().every((field) => isEqual(field.type, field.read(objectOf(x)), field.read(objectOf(y))))
      );
    case "pointer":
      return isNil(x) || isNil(y) ? isNil(x) === isNil(y) : isEqual(type.to, x, y);
    case "slice":
      return isNil(x) || isNil(y)
        ? isNil(x) === isNil(y)
        : (x as JsonArray).length === (y as JsonArray).length &&
            (x as JsonArray).every((item, index) => isEqual(type.of, item, (y as JsonArray)[index]));
    case "map":
      return isNil(x) || isNil(y)
        ? isNil(x) === isNil(y)
        : entriesOf(type.of, objectOf(x), objectOf(y)).every(({ value }) => value.isSame);
    case "quantity":
      return isSameQuantity(x, y);
    default:
      return scalarOf(type, x) === scalarOf(type, y);
  }
}

/** Compares quantities by amount, however they are written. */
export function isSameQuantity(x: JsonValue | undefined, y: JsonValue | undefined): boolean {
  return (
    (x ?? "0") === (y ?? "0") || compareQuantity(parseQuantity(String(x ?? "0")), parseQuantity(String(y ?? "0"))) === 0
  );
}

function scalarOf(type: GoType, side: Side): JsonValue {
  const value = side === missing ? undefined : side;
  if (value !== undefined && value !== null) {
    return value;
  }
  return type.kind === "int" ? 0 : type.kind === "bool" ? false : "";
}

/** Returns how alike two items are: similar when at most one part more differs than is equal. */
function likeness(type: GoType, x: JsonValue | undefined, y: JsonValue | undefined): Likeness {
  if (isEqual(type, x, y)) {
    return "same";
  }
  const { same, different } = countParts(type, x, y);
  return same + 1 >= different ? "similar" : "different";
}

interface Parts {
  same: number;
  different: number;
}

/** Counts the smallest parts that are equal and those that differ. */
function countParts(type: GoType, x: Side, y: Side, parts: Parts = { same: 0, different: 0 }): Parts {
  if (x === missing || y === missing) {
    parts.different++;
  } else if (type.kind === "struct") {
    for (const field of type.fields()) {
      countParts(field.type, field.read(objectOf(x)), field.read(objectOf(y)), parts);
    }
  } else if (type.kind === "pointer" && !isNil(x) && !isNil(y)) {
    countParts(type.to, x, y, parts);
  } else if ((type.kind === "slice" || type.kind === "map") && !isNil(x) && !isNil(y)) {
    for (const { value } of recordsOf(type, x, y, false)) {
      countParts(value.type, value.x, value.y, parts);
    }
  } else if (isEqual(type, x, y)) {
    parts.same++;
  } else {
    parts.different++;
  }
  return parts;
}
