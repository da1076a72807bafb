import { goStringText, goTypeOfJson, goValueText } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { member, patchDoesNotApply, withoutHolders, withoutNulls } from "@gatehouse/envelopes/json-patch";
import type { Steps } from "@gatehouse/envelopes/scheduling";
import type { MergeWork } from "./merge-work.js";
import { patchFailed } from "./patch-errors.js";

/** Rules for the merge of one list field. */
export interface ListMergeOptions {
  /** The member that identifies an item; empty for lists of scalars. */
  readonly mergeKey: string;
  /** The patch names scalars to delete (`$deleteFromPrimitiveList`). */
  readonly isDeletion: boolean;
  /** Merges an item with the patch item of the same key. */
  readonly mergeItems: (original: JsonObject, patch: JsonObject) => Steps<JsonObject>;
  /** Counts the items that are looked at. */
  readonly work: MergeWork;
}

/**
 * Merges a patch list into a list: scalars are united, objects are paired by the merge key and merged, and `$patch` items
 * delete one item or replace all. Patch items come out in the patch's order, others in theirs (see `interleave`).
 */
export function* mergeList(original: JsonArray, patch: JsonArray, options: ListMergeOptions): Steps<JsonArray> {
  yield* options.work.spend(original.length + patch.length);
  if (original.length === 0 && patch.length === 0) {
    return original;
  }
  if (itemKind(original, patch) === "scalar") {
    return options.isDeletion ? withoutItems(original, patch) : mergeScalars(original, patch);
  }
  if (options.mergeKey === "") {
    throw patchFailed("cannot merge lists without merge key for struct");
  }
  return yield* mergeObjects(original, patch, options);
}

/**
 * Merges a list whose patch brings a `$setElementOrder`, and sorts it: items that the order names come in its order,
 * others keep theirs. Undefined when there is no list at all.
 */
export function* mergeOrderedList(
  original: JsonArray | undefined,
  patch: JsonArray | undefined,
  order: JsonArray,
  options: ListMergeOptions & { readonly replaces: boolean },
): Steps<JsonArray | undefined> {
  yield* options.work.spend(order.length + (original?.length ?? 0) + (patch?.length ?? 0));
  checkOrder(patch ?? [], order, options.mergeKey);
  if (original === undefined && patch === undefined) {
    return undefined;
  }
  const before = original ?? [];
  const merged =
    original === undefined
      ? (withoutHolders(patch as JsonArray, "$patch") as JsonArray)
      : patch === undefined || options.replaces
        ? (patch ?? before)
        : yield* mergeList(before, patch, options);
  if (options.mergeKey !== "") {
    checkOrderItems(merged, order, options.mergeKey);
  }
  if (before.length === 0 && (patch ?? []).length === 0) {
    throw patchFailed("no elements in any of the given slices");
  }
  itemKind(before, patch ?? []);
  const keyOf = options.mergeKey === "" ? scalarKey : objectKey(options.mergeKey);
  const isMerged = original !== undefined && patch !== undefined && !options.replaces && options.mergeKey !== "";
  return interleave(merged, order, isMerged ? changedInPlace(before, patch, options.mergeKey) : before, keyOf);
}

/**
 * Returns the server's list as v1.29 sees it when it sorts what has become of it: the merge has changed that list in place, so
 * that new items have come into the places of deleted ones, as many as there are.
 */
function changedInPlace(original: JsonArray, patch: JsonArray, mergeKey: string): JsonArray {
  const deleted = new Set(patch.filter(isDeletion).map((item) => optionalKey(item, mergeKey)));
  if (deleted.size === 0) {
    return original;
  }
  const kept = original.filter((item) => !deleted.has(optionalKey(item, mergeKey)));
  const known = new Set(kept.map((item) => optionalKey(item, mergeKey)));
  const added: JsonValue[] = [];
  for (const item of patch) {
    const key = optionalKey(item, mergeKey);
    if (!isDeletion(item) && !known.has(key)) {
      known.add(key);
      added.push(item);
    }
  }
  return [...kept, ...added.slice(0, original.length - kept.length)];
}

/** Checks that what an order names are objects, up to where each item of a list is found in it. */
function checkOrderItems(list: JsonArray, order: JsonArray, mergeKey: string): void {
  const place = order.findIndex((item) => !isJsonObject(item));
  if (place < 0) {
    return;
  }
  const keys = new Set(order.slice(0, place).map((item) => optionalKey(item, mergeKey)));
  const keyOf = objectKey(mergeKey);
  if (list.some((item) => !keys.has(keyOf(item)))) {
    throw patchFailed(`value for key ${place} is not a map`);
  }
}

type KeyOf = (item: JsonValue) => JsonValue;

const scalarKey: KeyOf = (item) => item;

function objectKey(mergeKey: string): KeyOf {
  return (item) => {
    if (!isJsonObject(item)) {
      throw patchFailed(`expected a map[string]interface {}, but received a ${goTypeOfJson(item)}`);
    }
    return keyValue(item, mergeKey);
  };
}

function keyValue(item: JsonObject, mergeKey: string): JsonValue {
  const value = member(item, mergeKey);
  if (value === undefined) {
    throw patchFailed(`map: ${goValueText(item)} does not contain declared merge key: ${mergeKey}`);
  }
  return value;
}

/** Returns the type of the items of both lists. Throws unless they all have one type, and it is not a list. */
function itemKind(original: JsonArray, patch: JsonArray): "scalar" | "object" {
  let first: string | undefined;
  for (const list of [original, patch]) {
    for (const item of list) {
      const type = itemType(item);
      first ??= type;
      if (first === "list") {
        throw patchDoesNotApply("lists of lists are not supported");
      }
      if (type !== first || type === "null") {
        throw patchFailed(`list element types are not identical: ${goValueText([original, patch])}`);
      }
    }
  }
  return first === "object" ? "object" : "scalar";
}

function itemType(item: JsonValue): string {
  if (Array.isArray(item)) {
    return "list";
  }
  const type = typeof item;
  return item === null ? "null" : type === "bigint" ? "number" : type;
}

function withoutItems(original: JsonArray, deleted: JsonArray): JsonArray {
  const gone = new Set(deleted);
  return original.filter((item) => !gone.has(item));
}

function mergeScalars(original: JsonArray, patch: JsonArray): JsonArray {
  return interleave([...new Set([...original, ...patch])], patch, original, scalarKey);
}

function* mergeObjects(original: JsonArray, patch: JsonArray, options: ListMergeOptions): Steps<JsonArray> {
  const { deletedKeys, replaces, changes } = readDirectives(patch, options.mergeKey);
  const keyOf = objectKey(options.mergeKey);
  if (replaces) {
    return sortByPlace(changes, placesOf(changes, keyOf), keyOf);
  }
  const kept =
    deletedKeys.size === 0
      ? original
      : original.filter((item) => !deletedKeys.has(optionalKey(item, options.mergeKey)));
  const merged = yield* mergeByKey(kept, changes, options);
  return interleave(merged, changes, kept, keyOf);
}

interface Directives {
  readonly deletedKeys: Set<JsonValue | undefined>;
  readonly replaces: boolean;
  /** The patch without its directive items. */
  readonly changes: JsonObject[];
}

function readDirectives(patch: JsonArray, mergeKey: string): Directives {
  const deletedKeys = new Set<JsonValue | undefined>();
  const changes: JsonObject[] = [];
  let replaces = false;
  for (const item of patch as JsonObject[]) {
    if (!Object.hasOwn(item, "$patch")) {
      changes.push(item);
      continue;
    }
    const directive = item["$patch"] ?? null;
    if (directive === "delete") {
      deletedKeys.add(keyValue(item, mergeKey));
    } else if (directive === "replace") {
      replaces = true;
    } else if (directive === "merge") {
      throw patchFailed("merging lists cannot yet be specified in the patch");
    } else {
      throw patchFailed(`unknown patch type: ${goStringText(directive)} in map: ${goValueText(item)}`);
    }
  }
  return { deletedKeys, replaces, changes };
}

function optionalKey(item: JsonValue, mergeKey: string): JsonValue | undefined {
  return isJsonObject(item) ? member(item, mergeKey) : undefined;
}

/** Merges every change into the first item of its key, or appends it when there is none. */
function* mergeByKey(original: JsonArray, changes: readonly JsonObject[], options: ListMergeOptions): Steps<JsonArray> {
  const merged = original.slice();
  const places = new Map<JsonValue | undefined, number>();
  for (const [place, item] of original.entries()) {
    addFirst(places, optionalKey(item, options.mergeKey), place);
  }
  for (const change of changes) {
    const key = keyValue(change, options.mergeKey);
    const place = places.get(key);
    if (place === undefined) {
      places.set(key, merged.length);
      merged.push(withoutNulls(change));
    } else {
      merged[place] = yield* options.mergeItems(merged[place] as JsonObject, change);
    }
  }
  return merged;
}

/**
 * Sorts the items of a merged list. Those that `patchOrder` names ("patch items") take its order; the others
 * ("server-only items") keep the order they had in `serverOrder`. A server-only item goes before the next patch item only
 * if both are known to `serverOrder` and it stood before it there. Items that are still `$patch: delete` go last.
 */
function interleave(merged: JsonArray, patchOrder: JsonArray, serverOrder: JsonArray, keyOf: KeyOf): JsonArray {
  const patchPlaces = placesOf(patchOrder, keyOf);
  const serverPlaces = placesOf(serverOrder, keyOf);
  const patchItems: JsonValue[] = [];
  const serverItems: JsonValue[] = [];
  for (const item of merged) {
    (patchPlaces.has(keyOf(item)) ? patchItems : serverItems).push(item);
  }
  const right = sortByPlace(patchItems, patchPlaces, keyOf);
  const left = sortByPlace(serverItems, serverPlaces, keyOf);
  const result: JsonValue[] = [];
  let next = 0;
  for (const item of right) {
    const place = serverPlaces.get(keyOf(item));
    while (place !== undefined && next < left.length) {
      const candidate = left[next] as JsonValue;
      const candidatePlace = serverPlaces.get(keyOf(candidate));
      if (candidatePlace === undefined || candidatePlace >= place) {
        break;
      }
      result.push(candidate);
      next++;
    }
    result.push(item);
  }
  return result.concat(left.slice(next));
}

function placesOf(list: JsonArray, keyOf: KeyOf): Map<JsonValue, number> {
  const places = new Map<JsonValue, number>();
  for (const [place, item] of list.entries()) {
    addFirst(places, keyOf(item), place);
  }
  return places;
}

function addFirst<Key>(places: Map<Key, number>, key: Key, place: number): void {
  if (!places.has(key)) {
    places.set(key, place);
  }
}

function sortByPlace(items: JsonValue[], places: ReadonlyMap<JsonValue, number>, keyOf: KeyOf): JsonValue[] {
  const remaining = items.filter((item) => !isDeletion(item));
  const isKnown = (item: JsonValue): boolean => places.has(keyOf(item));
  if (remaining.length <= maxInsertions && !remaining.every(isKnown)) {
    sortByInsertion(remaining, places, keyOf);
  } else {
    remaining.sort((a, b) => (places.get(keyOf(a)) ?? -1) - (places.get(keyOf(b)) ?? -1));
  }
  return remaining.length === items.length ? remaining : remaining.concat(items.filter(isDeletion));
}

/** The number of items up to which Go's stable sort inserts one after the other. */
const maxInsertions = 20;

/**
 * Sorts items of which some have no place, as v1.29 does: to its comparison, such an item is less than any other, and any other
 * is less than it, so that the result depends on the way of sorting.
 */
function sortByInsertion(items: JsonValue[], places: ReadonlyMap<JsonValue, number>, keyOf: KeyOf): void {
  const isLess = (a: JsonValue, b: JsonValue): boolean => {
    const [first, second] = [places.get(keyOf(a)), places.get(keyOf(b))];
    return first === undefined || second === undefined || first < second;
  };
  for (let end = 1; end < items.length; end++) {
    for (let at = end; at > 0 && isLess(items[at] as JsonValue, items[at - 1] as JsonValue); at--) {
      [items[at - 1], items[at]] = [items[at] as JsonValue, items[at - 1] as JsonValue];
    }
  }
}

function isDeletion(item: JsonValue): boolean {
  return isJsonObject(item) && member(item, "$patch") === "delete";
}

/**
 * Checks a patch list against its `$setElementOrder`: each item that is not a directive must be named there, in the
 * same order. Behind the last one that is named no directive may stand but deletions.
 */
function checkOrder(patch: JsonArray, order: JsonArray, mergeKey: string): void {
  if (patch.length === 0 || order.length === 0) {
    return;
  }
  const keyOf = mergeKey === "" ? scalarKey : objectKey(mergeKey);
  if (mergeKey !== "") {
    for (const item of patch) {
      if (!isJsonObject(item)) {
        throw patchFailed(`expected a map[string]interface {}, but received a ${goTypeOfJson(item)}`);
      }
    }
  }
  const changes = mergeKey === "" ? patch : patch.filter((item) => !isDeletion(item));
  let next = 0;
  let named = 0;
  while (next < changes.length && named < order.length) {
    const item = changes[next] as JsonValue;
    if (isJsonObject(item) && Object.hasOwn(item, "$patch")) {
      next++;
      continue;
    }
    if (keyOf(item) === keyOf(order[named] as JsonValue)) {
      next++;
    }
    named++;
  }
  if (next < changes.length) {
    throw patchFailed(
      `The order in patch list:\n${goValueText(patch)}\n doesn't match $setElementOrder list:\n${goValueText(order)}\n`,
    );
  }
}
