import { entryAt, hasEntryCount, keysOf } from "./maps.js";
import { compareNumbers } from "./order.js";
import { isList, isMap, isNumeric, isOpaque, itemsOf, type MapValue } from "./type-name.js";
import { CelList, type CelValue, Duration, Optional, Timestamp, TypeValue } from "./value.js";
import { countWork } from "./work.js";

/** The work of comparing two elements, and two entries, beside that of looking into them. */
const elementWork = 20;
const entryWork = 40;

/**
 * Returns true if two values are equal. Numbers of all types are compared by what they stand for; values of other types
 * that differ are not equal, and NaN equals nothing.
 */
export function isEqual(left: CelValue, right: CelValue): boolean {
  if (typeof left === "string" && typeof right === "string" && left.length === right.length) {
    countWork(left.length / 8);
  }
  if (left === right) {
    return true;
  }
  if (typeof left === "string" || typeof left === "boolean" || left === null || right === null) {
    return false;
  }
  if (isNumeric(left)) {
    return isNumeric(right) && compareNumbers(left, right) === 0;
  }
  if (isList(left)) {
    return isList(right) && isEqualList(left, right);
  }
  if (isMap(left)) {
    return isMap(right) && isEqualMap(left, right);
  }
  return isEqualObject(left, right);
}

/** Returns true if a list has an element that equals the value. */
export function hasElement(list: readonly CelValue[] | CelList, value: CelValue): boolean {
  const items = itemsOf(list);
  for (let index = 0; index < items.length; index++) {
    countWork(elementWork);
    if (isEqual(value, items[index] as CelValue)) {
      return true;
    }
  }
  return false;
}

function isEqualList(left: readonly CelValue[] | CelList, right: readonly CelValue[] | CelList): boolean {
  const others = itemsOf(right);
  if (left instanceof CelList) {
    return left.equals(others);
  }
  return (
    left.length === others.length &&
    left.every((item, index) => {
      countWork(elementWork);
      return isEqual(item, others[index] as CelValue);
    })
  );
}

function isEqualMap(left: MapValue, right: MapValue): boolean {
  const keys = keysOf(left);
  if (!hasEntryCount(right, keys.length)) {
    return false;
  }
  return keys.every((key) => {
    countWork(entryWork);
    const other = entryAt(right, key);
    return other !== undefined && isEqual(entryAt(left, key) as CelValue, other);
  });
}

function isEqualObject(left: CelValue, right: CelValue): boolean {
  if (left instanceof Timestamp) {
    return right instanceof Timestamp && left.nanoseconds === right.nanoseconds;
  }
  if (left instanceof Duration) {
    return right instanceof Duration && left.nanoseconds === right.nanoseconds;
  }
  if (left instanceof TypeValue) {
    return right instanceof TypeValue && left.name === right.name;
  }
  if (left instanceof Uint8Array) {
    return right instanceof Uint8Array && Buffer.compare(left, right) === 0;
  }
  if (left instanceof Optional) {
    return right instanceof Optional && isEqualOptional(left.value, right.value);
  }
  return isOpaque(left) && isOpaque(right) && left.typeName === right.typeName && left.equals(right);
}

function isEqualOptional(left: CelValue | undefined, right: CelValue | undefined): boolean {
  return left === undefined || right === undefined ? left === right : isEqual(left, right);
}
