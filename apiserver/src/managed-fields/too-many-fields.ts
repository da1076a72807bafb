import { maxValues } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { FieldsError } from "./fields-error.js";
import { withoutManagers } from "./managers.js";
import type { MergeType } from "./merge-type.js";
import { formOf, itemsOf, membersOf } from "./typed-value.js";

/**
 * Largest number of fields of one object: that of the values of a body. Only defaults and merges make more, and objects that
 * have more are too large to be stored with owners, but for sets of very short values.
 */
const maxFields = maxValues;

/** Number of values above which each phase of the work on owners is a step of its own: each takes a millisecond for so many. */
const manyValues = 1000;

/**
 * Throws FieldsError when a value has more fields than the limit. An atomic value counts once. Returns true for a value with
 * so many that to work on all of them takes long.
 */
export function refuseTooManyFields(type: MergeType, value: JsonValue): boolean {
  // There are no more fields than values, and those are counted without asking for the type of each.
  const left = isJsonObject(value) ? valuesLeft(withoutManagers(value), maxFields - 1, 0) : -1;
  if (left < 0 && fieldsLeft(type, value, maxFields) < 0) {
    throw new FieldsError(`object has more than ${maxFields} fields that could have owners of their own`);
  }
  return left < maxFields - manyValues;
}

/** Largest depth at which values are counted without their types: free JSON may be deeper than the stack allows. */
const maxQuickDepth = 100;

/** Returns `left` less the number of values in a value, itself included; below zero when they are more, or too deep. */
function valuesLeft(value: JsonValue | undefined, left: number, depth: number): number {
  if (typeof value !== "object" || value === null) {
    return left - 1;
  }
  let rest = depth > maxQuickDepth ? -1 : left - 1;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && rest >= 0; i++) {
      rest = valuesLeft(value[i], rest, depth + 1);
    }
    return rest;
  }
  for (const name in value) {
    if (rest < 0) {
      break;
    }
    rest = valuesLeft(value[name], rest, depth + 1);
  }
  return rest;
}

function fieldsLeft(type: MergeType, value: JsonValue, left: number): number {
  let rest = left - 1;
  const form = formOf(type, value);
  if (form === "map" && type.map?.atomic === false) {
    const object = membersOf(value) ?? {};
    for (const name in object) {
      const inner = type.map.member(name) ?? type.map.others;
      const member = object[name];
      if (rest < 0) {
        break;
      }
      rest = inner === undefined || member === undefined ? rest - 1 : fieldsLeft(inner, member, rest);
    }
  } else if (form === "list" && type.list?.atomic === false) {
    for (const item of itemsOf(value) ?? []) {
      if (rest < 0) {
        break;
      }
      rest = fieldsLeft(type.list.items, item, rest);
    }
  }
  return rest;
}
