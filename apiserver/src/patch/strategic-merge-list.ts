import { goStringText, goTypeOfJson, goValueText } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { member, patchDoesNotApply, withoutNulls } from "@gatehouse/envelopes/json-patch";
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
    original === undefined || patch === undefined || options.replaces
      ? (patch ?? before)
      : yield* mergeList(before, patch, options);
  if (merged.length === 0) {
    return merged;
  }
  const keyOf = options.mergeKey === "" ? scalarKey : objectKey(options.mergeKey);
  itemKind(before, patch ?? []);
  return interleave(merged, order, before, keyOf);
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
    changes.forEach(keyOf);
    return changes;
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
  remaining.sort((a, b) => (places.get(keyOf(a)) ?? -1) - (places.get(keyOf(b)) ?? -1));
  return remaining.length === items.length ? remaining : remaining.concat(items.filter(isDeletion));
}

function isDeletion(item: JsonValue): boolean {
  return isJsonObject(item) && member(item, "$patch") === "delete";
}

/**
 * Checks a patch list against its `$setElementOrder`: each item that is not a directive must be named there, in the
 * same order.
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
  const changes = patch.filter((item) => !(isJsonObject(item) && Object.hasOwn(item, "$patch")));
  let next = 0;
  for (const item of order) {
    if (next < changes.length && keyOf(changes[next] as JsonValue) === keyOf(item)) {
      next++;
    }
  }
  if (next < changes.length) {
    throw patchFailed(
      `The order in patch list:\n${goValueText(patch)}\n doesn't match $setElementOrder list:\n${goValueText(order)}\n`,
    );
  }
}
