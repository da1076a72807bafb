import type { JsonObject } from "@gatehouse/envelopes/json";
import type { Steps, WaitingSteps } from "@gatehouse/envelopes/scheduling";
import { difference, type FieldSet, intersection, isEmpty, noFields, union } from "./field-set.js";
import { appliedFieldsOf } from "./fields-of.js";
import type { ManagedEntry, Managers } from "./managers.js";
import type { MergeType } from "./merge-type.js";
import { inVersion, type MergedKind } from "./merged-kind.js";
import { withNamedFields } from "./named-fields.js";
import { removeFields } from "./remove-fields.js";

/**
 * Removes from a merged object the fields that its applier applied the last time and no longer does, unless another
 * manager owns them. `managers` are the current ones, with the applier's fields of this apply.
 */
export function* prune(
  kind: MergedKind,
  merged: JsonObject,
  managers: Managers,
  last: ManagedEntry | undefined,
  applied: FieldSet,
): WaitingSteps<JsonObject> {
  if (last === undefined || isEmpty(last.fields)) {
    return merged;
  }
  if (last.apiVersion === kind.apiVersion && isEmpty(difference(last.fields, applied))) {
    return merged;
  }
  const type = kind.typeIn(last.apiVersion);
  if (type === undefined) {
    return merged;
  }
  const what = "failed to convert merged object to last applied version";
  const converted = yield* inVersion(kind, merged, last.apiVersion, what);
  yield;
  const lastFields = withNamedFields(type, last.fields);
  yield;
  const removed = removeFields(type, converted, lastFields) as JsonObject;
  yield;
  const owned = yield* addBackOwned(kind, converted, removed, managers, last.apiVersion);
  const pruned = yield* addBackDangling(kind, type, converted, owned, { ...last, fields: lastFields });
  return yield* inVersion(kind, pruned, kind.apiVersion, "");
}

/**
 * Puts back fields that a manager owns: first in the version in which they were removed, which other versions may need
 * to be complete.
 */
function* addBackOwned(
  kind: MergedKind,
  merged: JsonObject,
  pruned: JsonObject,
  managers: Managers,
  firstVersion: string,
): WaitingSteps<JsonObject> {
  const ownedIn = new Map<string, FieldSet>();
  for (const { apiVersion, fields } of managers.values()) {
    ownedIn.set(apiVersion, union(ownedIn.get(apiVersion) ?? noFields, fields));
    yield;
  }
  const first = ownedIn.get(firstVersion);
  ownedIn.delete(firstVersion);
  const inOrder: [string, FieldSet][] = [
    ...(first === undefined ? [] : [[firstVersion, first] as [string, FieldSet]]),
    ...ownedIn,
  ];
  let [all, left] = [merged, pruned];
  for (const [apiVersion, owned] of inOrder) {
    const type = kind.typeIn(apiVersion);
    if (type !== undefined) {
      const what = (which: string): string =>
        `failed add back owned items: failed to convert ${which} object at version ${apiVersion}`;
      all = yield* inVersion(kind, all, apiVersion, what("merged"));
      left = yield* inVersion(kind, left, apiVersion, what("pruned"));
      const ofLeft = yield* namedFieldsOf(type, left);
      const ofManagers = withNamedFields(type, owned);
      yield;
      const kept = union(ofLeft, ofManagers);
      yield;
      const ofAll = yield* namedFieldsOf(type, all);
      const gone = difference(ofAll, kept);
      yield;
      left = removeFields(type, all, gone) as JsonObject;
      yield;
    }
  }
  return left;
}

/** Puts back fields that no manager owns: only those that the applier itself has owned go, `last.fields` with their structs. */
function* addBackDangling(
  kind: MergedKind,
  type: MergeType,
  merged: JsonObject,
  pruned: JsonObject,
  last: ManagedEntry,
): WaitingSteps<JsonObject> {
  const what = "failed add back dangling items: failed to convert pruned object to last applied version";
  const left = yield* namedFieldsOf(type, yield* inVersion(kind, pruned, last.apiVersion, what));
  const gone = difference(yield* namedFieldsOf(type, merged), left);
  yield;
  const dangling = intersection(gone, last.fields);
  yield;
  return removeFields(type, merged, dangling) as JsonObject;
}

function* namedFieldsOf(type: MergeType, object: JsonObject): Steps<FieldSet> {
  const applied = appliedFieldsOf(type, object);
  yield;
  const named = withNamedFields(type, applied);
  yield;
  return named;
}
