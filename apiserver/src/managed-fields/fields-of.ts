import type { JsonValue } from "@gatehouse/envelopes/json";
import { type FieldSet, nodeOf, noFields, self } from "./field-set.js";
import { FieldsError } from "./fields-error.js";
import { itemsByElement } from "./list-items.js";
import type { ListMerge, MapMerge, MergeType } from "./merge-type.js";
import type { PathElement } from "./path-element.js";
import { formOf, isEmptyObject, itemsOf, membersOf, sortedNames } from "./typed-value.js";

/** Returns the type of a member of a map. Throws FieldsError for a member that the map may not have. */
export function memberType(map: MapMerge, name: string): MergeType {
  const type = map.member(name) ?? map.others;
  if (type === undefined) {
    throw new FieldsError(`.${name}: field not declared in schema`);
  }
  return type;
}

/**
 * Returns all fields that appear and go with a value: the value itself, and each map, item and leaf inside of it. In
 * the form of the node for the value in a set of fields.
 */
export function allFieldsOf(type: MergeType, value: JsonValue): FieldSet {
  const form = formOf(type, value);
  if (form === "map" && type.map?.atomic === false) {
    const object = membersOf(value);
    if (object !== undefined) {
      const node: Record<PathElement, FieldSet> = { [self]: noFields };
      for (const name of sortedNames(object)) {
        node[`f:${name}`] = allFieldsOf(memberType(type.map, name), object[name] as JsonValue);
      }
      return node;
    }
  }
  if (form === "list" && type.list?.atomic === false) {
    const items = itemsOf(value);
    if (items !== undefined) {
      return allItemsOf(type.list, items);
    }
  }
  return noFields;
}

function allItemsOf(list: ListMerge, items: readonly JsonValue[]): FieldSet {
  const nodes: Record<PathElement, FieldSet> = { [self]: noFields };
  for (const [element, same] of itemsByElement(list, items)) {
    // Duplicates are one field as a whole.
    nodes[element] = same.length === 1 ? allFieldsOf(list.items, same[0] as JsonValue) : noFields;
  }
  return nodes;
}

/**
 * Returns the fields that the applier of a value claims: leaves, items of lists and entries of maps, but not the
 * structs that lead to them.
 */
export function appliedFieldsOf(type: MergeType, value: JsonValue): FieldSet {
  return nodeOfApplied(type, value).children;
}

interface Applied {
  readonly children: FieldSet;
  readonly isLeaf: boolean;
}

const leaf: Applied = { children: noFields, isLeaf: true };
const nothing: Applied = { children: noFields, isLeaf: false };

function nodeOfApplied(type: MergeType, value: JsonValue): Applied {
  switch (formOf(type, value)) {
    case "map": {
      if (type.map?.atomic !== false) {
        return leaf;
      }
      const object = membersOf(value);
      return object === undefined ? nothing : { children: appliedMembers(type.map, object), isLeaf: false };
    }
    case "list": {
      if (type.list?.atomic !== false) {
        return leaf;
      }
      const items = itemsOf(value);
      return items === undefined ? nothing : { children: appliedItems(type.list, items), isLeaf: false };
    }
    default:
      return leaf;
  }
}

function appliedMembers(map: MapMerge, object: Readonly<Record<string, JsonValue | undefined>>): FieldSet {
  const nodes: Record<PathElement, FieldSet> = {};
  for (const name of sortedNames(object)) {
    const value = object[name] as JsonValue;
    const { children, isLeaf } = nodeOfApplied(memberType(map, name), value);
    const isNothing = value === null || (typeof value === "object" && !Array.isArray(value) && isEmptyObject(value));
    const node = nodeOf(children, isLeaf || isNothing || map.member(name) === undefined);
    if (node !== undefined) {
      nodes[`f:${name}`] = node;
    }
  }
  return nodes;
}

function appliedItems(list: ListMerge, items: readonly JsonValue[]): FieldSet {
  const nodes: Record<PathElement, FieldSet> = {};
  for (const [element, same] of itemsByElement(list, items)) {
    const children = same.length === 1 ? nodeOfApplied(list.items, same[0] as JsonValue).children : noFields;
    nodes[element] = nodeOf(children, true) as FieldSet;
  }
  return nodes;
}
