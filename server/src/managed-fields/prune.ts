import type { JsonObject } from "@gatehouse/envelopes";
import { difference, type FieldSet, intersection, isEmpty, noFields, union } from "./field-set.js";
import { appliedFieldsOf } from "./fields-of.js";
import type { ManagedEntry, Managers } from "./managers.js";
import type { MergeType } from "./merge-type.js";
import type { MergedKind } from "./merged-kind.js";
import { withNamedFields } from "./named-fields.js";
import { removeFields } from "./remove-fields.js";

/**
 * Takes out of a merged object what its applier applied the last time and does not any more, unless somebody else owns
 * it. `managers` are those of now, the applier with what it applies now.
 */
export function prune(
  kind: MergedKind,
  merged: JsonObject,
  managers: Managers,
  last: ManagedEntry | undefined,
  applied: FieldSet,
): JsonObject {
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
  const converted = inVersion(kind, merged, last.apiVersion);
  const removed = removeFields(type, converted, withNamedFields(type, last.fields)) as JsonObject;
  const owned = addBackOwned(kind, converted, removed, managers, last.apiVersion);
  const pruned = addBackDangling(kind, type, converted, owned, last);
  return inVersion(kind, pruned, kind.apiVersion);
}

function inVersion(kind: MergedKind, object: JsonObject, apiVersion: string): JsonObject {
  return object["apiVersion"] === apiVersion ? object : kind.convert(object, apiVersion);
}

/** Puts back what somebody owns: first in the version in which it was removed, which others may need to be complete. */
function addBackOwned(
  kind: MergedKind,
  merged: JsonObject,
  pruned: JsonObject,
  managers: Managers,
  firstVersion: string,
): JsonObject {
  const ownedIn = new Map<string, FieldSet>();
  for (const { apiVersion, fields } of managers.values()) {
    ownedIn.set(apiVersion, union(ownedIn.get(apiVersion) ?? noFields, fields));
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
      all = inVersion(kind, all, apiVersion);
      left = inVersion(kind, left, apiVersion);
      const kept = union(namedFieldsOf(type, left), withNamedFields(type, owned));
      left = removeFields(type, all, difference(namedFieldsOf(type, all), kept)) as JsonObject;
    }
  }
  return left;
}

/** Puts back what nobody owns: only what the applier itself has owned goes. */
function addBackDangling(
  kind: MergedKind,
  type: MergeType,
  merged: JsonObject,
  pruned: JsonObject,
  last: ManagedEntry,
): JsonObject {
  const left = namedFieldsOf(type, inVersion(kind, pruned, last.apiVersion));
  const gone = difference(namedFieldsOf(type, merged), left);
  return removeFields(type, merged, intersection(gone, withNamedFields(type, last.fields))) as JsonObject;
}

function namedFieldsOf(type: MergeType, object: JsonObject): FieldSet {
  return withNamedFields(type, appliedFieldsOf(type, object));
}
