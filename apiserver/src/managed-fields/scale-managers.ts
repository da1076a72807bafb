import { difference, fieldAt, hasField, inTextOrder, isEmpty } from "./field-set.js";
import type { ManagedEntry, Managers } from "./managers.js";
import type { PathElement } from "./path-element.js";

/** The version in which every Scale is. */
export const scaleApiVersion = "autoscaling/v1";

const replicasInScale: readonly PathElement[] = ["f:spec", "f:replicas"];

/**
 * Returns the path of the replicas in a version of a scaled kind; empty where it has none, undefined for an unknown
 * version.
 */
export type ReplicasPath = (apiVersion: string) => readonly PathElement[] | undefined;

/** Returns the managers of a Scale: the owners of the replicas of the scaled object. */
export function managersOfScale(ofObject: Managers, replicasIn: ReplicasPath): Managers {
  const managers = new Map<string, ManagedEntry>();
  for (const [key, entry] of ofObject) {
    const path = replicasIn(entry.apiVersion);
    if (path !== undefined && path.length > 0 && hasField(entry.fields, path)) {
      managers.set(key, { ...entry, apiVersion: scaleApiVersion, fields: fieldAt(replicasInScale) });
    }
  }
  return managers;
}

/**
 * Returns the managers of a scaled object after a write of its Scale: a manager that has lost the replicas there has
 * lost them here, and one that has gained them there owns them here, in the version `apiVersion`.
 */
export function managersAfterScale(
  ofObject: Managers,
  ofScale: Managers,
  apiVersion: string,
  replicasIn: ReplicasPath,
): Managers {
  const managers = new Map<string, ManagedEntry>();
  const left = new Map(ofScale);
  for (const [key, entry] of ofObject) {
    const path = replicasIn(entry.apiVersion);
    if (path === undefined) {
      continue;
    }
    if (path.length === 0 || !hasField(entry.fields, path) || left.delete(key)) {
      managers.set(key, entry);
      continue;
    }
    const fields = difference(entry.fields, fieldAt(path));
    if (!isEmpty(fields)) {
      managers.set(key, { ...entry, fields });
    }
  }
  for (const [key, entry] of left) {
    if (hasField(entry.fields, replicasInScale)) {
      const fields = fieldAt(replicasIn(apiVersion) ?? replicasInScale);
      // v1.29 takes the time from the object's own managers.
      managers.set(key, { ...entry, apiVersion, fields, time: ofObject.get(key)?.time });
    }
  }
  return new Map([...managers].map(([key, entry]) => [key, { ...entry, fields: inTextOrder(entry.fields) }]));
}
