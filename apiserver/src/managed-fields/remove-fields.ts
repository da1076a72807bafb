import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { below, type FieldSet, hasField, isEmpty, isMember } from "./field-set.js";
import { memberType } from "./fields-of.js";
import { itemElements } from "./list-items.js";
import type { ListMerge, MapMerge, MergeType } from "./merge-type.js";
import { formOf, itemsOf, membersOf } from "./typed-value.js";

/**
 * Returns a value without the fields of a set and those below them. A map or list that loses all of its content becomes
 * null. The value is not changed; the result shares parts with it.
 */
export function removeFields(type: MergeType, value: JsonValue, fields: FieldSet): JsonValue {
  if (isEmpty(fields)) {
    return value;
  }
  switch (formOf(type, value)) {
    case "map": {
      const object = membersOf(value);
      return object === undefined || type.map?.atomic !== false ? null : withoutMembers(type.map, object, fields);
    }
    case "list": {
      const items = itemsOf(value);
      return items === undefined || type.list?.atomic !== false ? null : withoutItems(type.list, items, fields);
    }
    default:
      return value;
  }
}

function withoutMembers(map: MapMerge, object: JsonObject, fields: FieldSet): JsonValue {
  const kept: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(object)) {
    const node = fields[`f:${name}`];
    if (value !== undefined && !(node !== undefined && isMember(node))) {
      kept.push([name, node === undefined ? value : removeFields(memberType(map, name), value, below(node))]);
    }
  }
  return kept.length === 0 ? null : Object.fromEntries(kept);
}

function withoutItems(list: ListMerge, items: readonly JsonValue[], fields: FieldSet): JsonValue {
  const kept: JsonValue[] = [];
  for (const [index, element] of itemElements(list, items).entries()) {
    if (!hasField(fields, [element])) {
      const node = fields[element];
      const item = items[index] as JsonValue;
      kept.push(node === undefined ? item : removeFields(list.items, item, node));
    }
  }
  return kept.length === 0 ? null : kept;
}
