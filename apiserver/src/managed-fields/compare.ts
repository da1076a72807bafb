import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { type FieldSet, inOrder, nodeOf, noFields, union } from "./field-set.js";
import { allFieldsOf, memberType } from "./fields-of.js";
import { itemsByElement } from "./list-items.js";
import type { ListMerge, MapMerge, MergeType } from "./merge-type.js";
import { type PathElement, valueElement } from "./path-element.js";
import { formOf, isSameValue, itemsOf, membersOf, ownMember } from "./typed-value.js";

/** The differences between a value and the one before. */
export interface Comparison {
  /** Fields that are new or have another value. */
  readonly changed: FieldSet;
  readonly removed: FieldSet;
}

/** The differences at one place and below it; members are nodes of sets, undefined where there are none. */
interface Difference {
  changed: FieldSet | undefined;
  removed: FieldSet | undefined;
}

/** Compares two values of a type. Throws FieldsError when items of a list cannot be told apart. */
export function compareValues(type: MergeType, before: JsonValue, after: JsonValue): Comparison {
  const found = compareNodes(type, before, after);
  return { changed: found?.changed ?? noFields, removed: found?.removed ?? noFields };
}

function compareNodes(
  type: MergeType,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Difference | undefined {
  if (before === undefined) {
    return after === undefined ? undefined : { changed: allFieldsOf(type, after), removed: undefined };
  }
  if (after === undefined) {
    return { changed: undefined, removed: allFieldsOf(type, before) };
  }
  if (before === after) {
    return undefined;
  }
  const [first, second] = [formOf(type, before), formOf(type, after)];
  if (first === second) {
    return compareAs(first, type, before, after);
  }
  return unite(compareAs(first, type, before, after), compareAs(second, type, before, after));
}

function compareAs(form: string, type: MergeType, before: JsonValue, after: JsonValue): Difference | undefined {
  if (form === "map" && type.map?.atomic === false) {
    const [left, right] = [membersOf(before), membersOf(after)];
    if (left !== undefined || right !== undefined) {
      return compareMembers(type.map, left ?? {}, right ?? {});
    }
  }
  if (form === "list" && type.list?.atomic === false) {
    const [left, right] = [itemsOf(before), itemsOf(after)];
    if (left !== undefined || right !== undefined) {
      return compareItems(type.list, left ?? [], right ?? []);
    }
  }
  return isSameValue(before, after) ? undefined : { changed: noFields, removed: undefined };
}

/** Differences of children, collected in any order. */
class Children {
  readonly #changed: Record<PathElement, FieldSet> = {};
  readonly #removed: Record<PathElement, FieldSet> = {};

  add(element: PathElement, difference: Difference | undefined): void {
    if (difference?.changed !== undefined) {
      this.#changed[element] = difference.changed;
    }
    if (difference?.removed !== undefined) {
      this.#removed[element] = difference.removed;
    }
  }

  difference(): Difference | undefined {
    const changed = nodeOf(inOrder(this.#changed), false);
    const removed = nodeOf(inOrder(this.#removed), false);
    return changed === undefined && removed === undefined ? undefined : { changed, removed };
  }
}

function compareMembers(map: MapMerge, before: JsonObject, after: JsonObject): Difference | undefined {
  let children: Children | undefined;
  const compare = (name: string): void => {
    const difference = compareNodes(memberType(map, name), ownMember(before, name), ownMember(after, name));
    if (difference !== undefined) {
      children ??= new Children();
      children.add(`f:${name}`, difference);
    }
  };
  for (const name in after) {
    if (after[name] !== undefined && after[name] !== ownMember(before, name)) {
      compare(name);
    }
  }
  for (const name in before) {
    if (before[name] !== undefined && ownMember(after, name) === undefined) {
      compare(name);
    }
  }
  return children?.difference();
}

function compareItems(
  list: ListMerge,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): Difference | undefined {
  // Most updates leave a list as it was; then its items need no path elements.
  if (isSameValue(before as JsonValue[], after as JsonValue[])) {
    return undefined;
  }
  const children = new Children();
  const left = itemsByElement(list, before);
  const right = itemsByElement(list, after);
  for (const [element, items] of left) {
    children.add(element, compareSame(list, items, right.get(element) ?? []));
  }
  for (const [element, items] of right) {
    if (!left.has(element)) {
      children.add(element, compareSame(list, [], items));
    }
  }
  return children.difference();
}

/** Compares the values under one path element. Duplicates are compared as a whole. */
function compareSame(
  list: ListMerge,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): Difference | undefined {
  if (before.length <= 1 && after.length <= 1) {
    return compareNodes(list.items, before[0], after[0]);
  }
  if (before.length >= 2 && after.length >= 2) {
    const isSame = isSameValue(before as JsonValue[], after as JsonValue[]);
    return isSame ? undefined : { changed: noFields, removed: undefined };
  }
  const single = compareNodes(
    list.items,
    before.length >= 2 ? undefined : before[0],
    after.length >= 2 ? undefined : after[0],
  );
  return unite(
    single,
    before.length >= 2 ? { changed: undefined, removed: noFields } : { changed: noFields, removed: undefined },
  );
}

function unite(a: Difference | undefined, b: Difference | undefined): Difference | undefined {
  if (a === undefined || b === undefined) {
    return a ?? b;
  }
  return { changed: uniteNodes(a.changed, b.changed), removed: uniteNodes(a.removed, b.removed) };
}

const place = valueElement("");

function uniteNodes(a: FieldSet | undefined, b: FieldSet | undefined): FieldSet | undefined {
  return a === undefined || b === undefined ? (a ?? b) : union({ [place]: a }, { [place]: b })[place];
}
