import { setKey } from "@gatehouse/envelopes/codec";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { FieldsError } from "./fields-error.js";
import { memberType } from "./fields-of.js";
import { itemElements } from "./list-items.js";
import type { ListMerge, MapMerge, MergeType } from "./merge-type.js";
import { describePathElement, type PathElement } from "./path-element.js";
import { formOf, itemsOf, membersOf, ownMember } from "./typed-value.js";

/**
 * Merges an applied value into a live one: maps member by member, associative lists item by item. Neither is changed;
 * the result shares parts with both. Throws FieldsError when items of a list cannot be told apart.
 */
export function mergeValues(type: MergeType, live: JsonValue, applied: JsonValue): JsonValue {
  const form = formOf(type, applied);
  if (form === "map" && type.map?.atomic === false) {
    const [left, right] = [membersOf(live), membersOf(applied)];
    if (left !== undefined || right !== undefined) {
      return mergeMembers(type.map, left ?? {}, right ?? {});
    }
  }
  if (form === "list" && type.list?.atomic === false) {
    const [left, right] = [itemsOf(live), itemsOf(applied)];
    if (left !== undefined || right !== undefined) {
      return mergeItems(type.list, left ?? [], right ?? []);
    }
  }
  return applied;
}

function mergeMembers(map: MapMerge, live: JsonObject, applied: JsonObject): JsonObject {
  const merged: JsonObject = { ...live };
  for (const name in applied) {
    const value = applied[name];
    if (value !== undefined) {
      const before = ownMember(live, name);
      // A member called __proto__ is one like any other.
      setKey(merged, name, before === undefined ? value : mergeValues(memberType(map, name), before, value));
    }
  }
  return merged;
}

/**
 * Merges the items of two lists. Applied items keep their order; those of the live list alone keep their place between
 * those that both have. Duplicates in the live list stay unless an item with their key is applied.
 */
function mergeItems(list: ListMerge, live: readonly JsonValue[], applied: readonly JsonValue[]): JsonValue[] {
  const right = itemElements(list, applied);
  const left = itemElements(list, live);
  const appliedAt = placesOf(right);
  const liveAt = new Map<PathElement, JsonValue>();
  for (const [index, element] of left.entries()) {
    liveAt.set(element, liveAt.has(element) ? null : (live[index] as JsonValue));
  }
  const out: JsonValue[] = [];
  const merged = new Set<PathElement>();
  const take = (index: number): void => {
    const element = right[index] as PathElement;
    merged.add(element);
    const before = liveAt.get(element);
    const item = applied[index] as JsonValue;
    out.push(before === undefined ? item : mergeValues(list.items, before, item));
  };
  const shared = right.filter((element) => liveAt.has(element))[Symbol.iterator]();
  let nextShared = shared.next().value as PathElement | undefined;
  let l = 0;
  let r = 0;
  while (l < left.length || r < right.length) {
    const element = left[l];
    if (element !== undefined && r < right.length) {
      if (element === right[r]) {
        take(r);
        l++;
        r++;
        nextShared = shared.next().value as PathElement | undefined;
        continue;
      }
      if (appliedAt.has(element) && nextShared !== undefined && nextShared !== element) {
        // It is applied, too, but another one comes first.
        l++;
        continue;
      }
    }
    if (element !== undefined) {
      if (!appliedAt.has(element)) {
        out.push(live[l] as JsonValue);
        l++;
        continue;
      }
      if (merged.has(element)) {
        l++;
      }
    }
    if (r < right.length) {
      const next = right[r] as PathElement;
      take(r);
      r++;
      if (nextShared === next) {
        nextShared = shared.next().value as PathElement | undefined;
      }
    }
  }
  return out;
}

function placesOf(elements: readonly PathElement[]): ReadonlySet<PathElement> {
  const places = new Set<PathElement>();
  for (const element of elements) {
    if (places.has(element)) {
      throw new FieldsError(`duplicate entries for key ${describePathElement(element)}`);
    }
    places.add(element);
  }
  return places;
}
