import type { JsonObject } from "@gatehouse/envelopes/json";
import type { WaitingSteps } from "@gatehouse/envelopes/scheduling";
import { ApplyConflictsError, type Conflict } from "./apply-conflicts.js";
import { type Comparison, compareValues } from "./compare.js";
import { difference, intersection, isEmpty, pathsOf, recursiveDifference } from "./field-set.js";
import { compareTexts, type ManagedEntry, type Managers, withoutIdle } from "./managers.js";
import type { MergeType } from "./merge-type.js";
import { inVersion, type MergedKind } from "./merged-kind.js";
import { reconcileWithType } from "./named-fields.js";

/** A change of an object, by whom it is made and how. */
export interface Taking {
  readonly kind: MergedKind;
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** Key of the manager that makes the change and loses nothing by it. */
  readonly taker: string | undefined;
  /** True if fields are taken from their owners; otherwise that is a conflict. */
  readonly force: boolean;
  /** True if an object is so large that the work on it yields after each phase. */
  readonly isLarge: boolean;
}

/** The owners after fields have been taken, and the change in the version in which it was made. */
export interface Taken {
  readonly managers: Managers;
  readonly comparison: Comparison;
}

/** Number of conflicts that are found in one step: making the path of each takes as long as it is deep. */
const conflictsPerStep = 64;

/** Takes changed and removed fields from the managers of an object. Throws ApplyConflictsError and FieldsError. */
export function* takeFields(taking: Taking, managers: Managers): WaitingSteps<Taken> {
  const { kind, taker, force, isLarge } = taking;
  const comparisons = new Map<string, Comparison>();
  const comparison = comparisonIn(taking, kind.apiVersion, kind.type);
  comparisons.set(kind.apiVersion, comparison);
  if (isLarge) {
    yield;
  }
  const left = new Map<string, ManagedEntry>();
  const conflicts: Conflict[] = [];
  for (const [key, entry] of [...managers].sort(([a], [b]) => compareTexts(a, b))) {
    const type = kind.typeIn(entry.apiVersion);
    if (key === taker) {
      left.set(key, entry);
      continue;
    }
    // Fields of a version that is gone belong to nobody.
    if (type === undefined) {
      continue;
    }
    let changes = comparisons.get(entry.apiVersion);
    if (changes === undefined) {
      changes = comparisonIn(yield* convertedTo(taking, entry.apiVersion), entry.apiVersion, type);
      comparisons.set(entry.apiVersion, changes);
    }
    if (!force && !isEmpty(changes.changed)) {
      const disputed = intersection(entry.fields, changes.changed);
      if (isLarge) {
        yield;
      }
      for (const path of pathsOf(disputed)) {
        conflicts.push({ managerKey: key, manager: entry, path });
        if (conflicts.length % conflictsPerStep === 0) {
          yield;
        }
      }
    }
    const unchanged = difference(entry.fields, changes.changed);
    if (isLarge) {
      yield;
    }
    const fields = difference(unchanged, changes.removed);
    if (isLarge) {
      yield;
    }
    left.set(key, fields === entry.fields ? entry : { ...entry, fields });
  }
  if (conflicts.length > 0) {
    throw new ApplyConflictsError(conflicts);
  }
  return { managers: withoutIdle(left), comparison };
}

function comparisonIn({ kind, before, after }: Taking, apiVersion: string, type: MergeType): Comparison {
  const comparison = compareValues(type, before, after);
  if (!kind.resetsInAllVersions && apiVersion !== kind.apiVersion) {
    return comparison;
  }
  return {
    changed: recursiveDifference(comparison.changed, kind.resetFields),
    removed: recursiveDifference(comparison.removed, kind.resetFields),
  };
}

function* convertedTo(taking: Taking, apiVersion: string): WaitingSteps<Taking> {
  const { kind } = taking;
  const before = yield* inVersion(kind, taking.before, apiVersion, "failed to convert old object");
  const after = yield* inVersion(kind, taking.after, apiVersion, "failed to convert new object");
  return { ...taking, before, after };
}

/**
 * Returns the managers with their fields in terms of the current schema, without those of versions that are no longer
 * served. Throws when an object cannot be converted to the version of a manager, since its fields are unknown then.
 */
export function* reconcileManagers(
  kind: MergedKind,
  live: JsonObject,
  managers: Managers,
  isLarge: boolean,
): WaitingSteps<Managers> {
  const reconciled = new Map<string, ManagedEntry>();
  for (const [key, entry] of managers) {
    const type = kind.typeIn(entry.apiVersion);
    if (type !== undefined) {
      yield* inVersion(kind, live, entry.apiVersion, "");
      const fields = reconcileWithType(type, entry.fields);
      if (isLarge) {
        yield;
      }
      reconciled.set(key, fields === entry.fields ? entry : { ...entry, fields });
    }
  }
  return reconciled;
}
