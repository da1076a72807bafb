import { setKey } from "@gatehouse/envelopes/codec";
import { goStringText, goTypeOfJson, goValueText } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { member, shallowCopy, withoutHolders, withoutNulls } from "@gatehouse/envelopes/json-patch";
import { finishSteps, type Steps } from "@gatehouse/envelopes/scheduling";
import type { Field, ObjectSchema, Schema } from "@gatehouse/envelopes/schema";
import { badRequest } from "@gatehouse/envelopes/status";
import { MergeWork } from "./merge-work.js";
import { decodeObjectPatch, patchFailed } from "./patch-errors.js";
import { itemSchema, lookupField, lookupListField, strategyOf } from "./patch-metadata.js";
import { type ListMergeOptions, mergeList, mergeOrderedList } from "./strategic-merge-list.js";

const directiveKey = "$patch";
const retainKeysKey = "$retainKeys";
const setElementOrderPrefix = "$setElementOrder";
const deleteFromListPrefix = "$deleteFromPrimitiveList";

/** Returns the body of a strategic merge patch; throws 400 if it is not an object. */
export function decodeStrategicMergePatch(patch: JsonValue): JsonObject {
  return decodeObjectPatch(patch, "");
}

/**
 * The object with a strategic merge patch applied, as kube-apiserver 1.29 merges it: members are merged, null deletes,
 * lists follow the patch strategy and merge key of their field, and the directives `$patch`, `$retainKeys`,
 * `$setElementOrder/x` and `$deleteFromPrimitiveList/x` are obeyed. A part of the patch for which the object has nothing
 * to merge with is taken as it is, but for objects with a `$patch`; decoding then drops other directives as unknown.
 *
 * Neither argument is changed; the result shares parts with both, so copy what is to be changed afterwards. Throws 400
 * for a misshapen directive, 422 for lists of lists, 400 where kube-apiserver has no status, with its texts, and 413 when
 * the patch names items of lists so often that merging them would take too long.
 */
export function applyStrategicMergePatch(schema: ObjectSchema, original: JsonObject, patch: JsonObject): JsonObject {
  return finishSteps(strategicMergeSteps(schema, original, patch));
}

/** Applies a strategic merge patch as `applyStrategicMergePatch` does, in steps. */
export function strategicMergeSteps(
  schema: ObjectSchema,
  original: JsonObject,
  patch: JsonObject,
  work = new MergeWork(),
): Steps<JsonObject> {
  return mergeObject(schema, original, patch, work);
}

/** Merges two objects of one type. List merging comes back here with the items that a merge key pairs. */
function* mergeObject(schema: Schema, original: JsonObject, patch: JsonObject, work: MergeWork): Steps<JsonObject> {
  if (Object.hasOwn(patch, directiveKey)) {
    return replaceOrDelete(patch, work);
  }
  const keys = Object.keys(patch);
  yield* work.spend(Object.keys(original).length + keys.length);
  const result = shallowCopy(original);
  retainKeys(result, patch, work);
  const ordered = yield* mergeOrderedLists(schema, result, patch, work);
  for (const key of keys) {
    const change = patch[key];
    if (change === undefined || key === retainKeysKey || ordered?.has(key)) {
      continue;
    }
    if (key.startsWith(deleteFromListPrefix)) {
      const listKey = keyAfter(key, deleteFromListPrefix, "invalid patch format of primitive list");
      yield* mergeMember(schema, result, listKey, change, true, work);
    } else {
      yield* mergeMember(schema, result, key, change, false, work);
    }
  }
  return result;
}

function replaceOrDelete(patch: JsonObject, work: MergeWork): JsonObject {
  const directive = member(patch, directiveKey) ?? null;
  if (directive === "delete") {
    return {};
  }
  if (directive !== "replace") {
    throw patchFailed(`unknown patch type: ${goStringText(directive)} in map: ${goValueText(patch)}`);
  }
  work.noteObeyed(patch, directiveKey);
  const replacement = shallowCopy(patch);
  delete replacement[directiveKey];
  return replacement;
}

function* mergeMember(
  schema: Schema,
  result: JsonObject,
  key: string,
  change: JsonValue,
  isDeletion: boolean,
  work: MergeWork,
): Steps<void> {
  if (change === null) {
    delete result[key];
    return;
  }
  const current = member(result, key);
  if (Array.isArray(current) && Array.isArray(change)) {
    setKey(result, key, yield* mergeListMember(schema, key, current, change, isDeletion, work));
  } else if (isDeletion) {
    // Nothing to delete from.
  } else if (isJsonObject(current) && isJsonObject(change)) {
    const field = lookupField(schema, key);
    const replaces = strategyOf(field) === "replace";
    setKey(result, key, replaces ? change : yield* mergeObject(field.schema, current, change, work));
  } else {
    setNewMember(result, key, change);
  }
}

/** Sets what has nothing to merge with. Parts that are directives have nothing to act on, and are left out. */
function setNewMember(result: JsonObject, key: string, change: JsonValue): void {
  const value = withoutHolders(withoutNulls(change), directiveKey);
  if (value === undefined) {
    delete result[key];
  } else {
    setKey(result, key, value);
  }
}

function* mergeListMember(
  schema: Schema,
  key: string,
  current: JsonArray,
  change: JsonArray,
  isDeletion: boolean,
  work: MergeWork,
): Steps<JsonArray> {
  const field = lookupListField(schema, key);
  if (strategyOf(field) !== "merge" && !isDeletion) {
    return change;
  }
  return yield* mergeList(current, change, { ...listMergeOptions(field, work), isDeletion });
}

/**
 * Drops members that the patch's `$retainKeys` does not name. The directive must name every key that the patch itself
 * sets.
 */
function retainKeys(result: JsonObject, patch: JsonObject, work: MergeWork): void {
  if (!Object.hasOwn(patch, retainKeysKey)) {
    return;
  }
  work.noteObeyed(patch, retainKeysKey);
  const keep = patch[retainKeysKey];
  if (!Array.isArray(keep)) {
    throw badRequest("invalid patch format of retainKeys");
  }
  const kept = new Set<JsonValue>(keep);
  for (const key of Object.keys(patch)) {
    const isDirective =
      key === retainKeysKey || key.startsWith(deleteFromListPrefix) || key.startsWith(setElementOrderPrefix);
    if (!isDirective && patch[key] !== null && patch[key] !== undefined && !kept.has(key)) {
      throw badRequest("invalid patch format of retainKeys");
    }
  }
  for (const key of Object.keys(result)) {
    if (!kept.has(key)) {
      delete result[key];
    }
  }
}

/** Merges and sorts the lists that have a `$setElementOrder`; returns the keys of the patch that are dealt with. */
function* mergeOrderedLists(
  schema: Schema,
  result: JsonObject,
  patch: JsonObject,
  work: MergeWork,
): Steps<Set<string> | undefined> {
  let done: Set<string> | undefined;
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(setElementOrderPrefix)) {
      continue;
    }
    const order = listOrThrow(patch[key] ?? null);
    const listKey = keyAfter(key, setElementOrderPrefix, "invalid patch format of setElementOrder list");
    work.noteObeyed(patch, key);
    done ??= new Set();
    done.add(key);
    // An unset list may read null; that is no list to sort, and no error either.
    const current = optionalList(member(result, listKey) ?? undefined);
    const change = optionalList(member(patch, listKey));
    const field = lookupListField(schema, listKey);
    const options = { ...listMergeOptions(field, work), isDeletion: false, replaces: strategyOf(field) !== "merge" };
    const merged = yield* mergeOrderedList(current, change, order, options);
    if (merged !== undefined) {
      setKey(result, listKey, merged);
      done.add(listKey);
      work.noteObeyed(patch, listKey);
    }
  }
  return done;
}

function listMergeOptions(field: Field, work: MergeWork): Pick<ListMergeOptions, "mergeKey" | "mergeItems" | "work"> {
  const items = itemSchema(field);
  return { mergeKey: field.patchMergeKey ?? "", mergeItems: (a, b) => mergeObject(items, a, b, work), work };
}

function optionalList(value: JsonValue | undefined): JsonArray | undefined {
  return value === undefined ? undefined : listOrThrow(value);
}

function listOrThrow(value: JsonValue): JsonArray {
  if (!Array.isArray(value)) {
    throw patchFailed(`expected a []interface {}, but received a ${goTypeOfJson(value)}`);
  }
  return value;
}

/** Returns the key in a directive: `x` of `$setElementOrder/x`. */
function keyAfter(key: string, prefix: string, problem: string): string {
  if (key[prefix.length] !== "/") {
    throw badRequest(problem);
  }
  return key.slice(prefix.length + 1);
}
