import type { JsonObject } from "@gatehouse/envelopes";
import { ApplyConflicts, type Conflict } from "./apply-conflicts.js";
import { type Comparison, compareValues } from "./compare.js";
import { difference, intersection, isEmpty, pathsOf, recursiveDifference } from "./field-set.js";
import { compareTexts, type ManagedEntry, type Managers, withoutIdle } from "./managers.js";
import type { MergeType } from "./merge-type.js";
import type { MergedKind } from "./merged-kind.js";
import { reconcileWithType } from "./named-fields.js";

/** A change of an object, by whom it is made and how. */
export interface Taking {
  readonly kind: MergedKind;
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** The key of the manager who makes the change: nothing is taken from that one. */
  readonly taker: string | undefined;
  /** Whether fields are taken from those who own them; otherwise that is a conflict. */
  readonly force: boolean;
}

/** Who owns what after fields have been taken, and what the change was in the version in which it was made. */
export interface Taken {
  readonly managers: Managers;
  readonly comparison: Comparison;
}

/** Takes from the managers of an object what a change changes or removes. Throws ApplyConflicts, and FieldsError. */
export function takeFields(taking: Taking, managers: Managers): Taken {
  const { kind, taker, force } = taking;
  const comparisons = new Map<string, Comparison>();
  const comparison = comparisonIn(taking, kind.type);
  comparisons.set(kind.apiVersion, comparison);
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
      changes = comparisonIn(convertedTo(taking, entry.apiVersion), type);
      comparisons.set(entry.apiVersion, changes);
    }
    if (!force && !isEmpty(changes.changed)) {
      for (const path of pathsOf(intersection(entry.fields, changes.changed))) {
        conflicts.push({ managerKey: key, manager: entry, path });
      }
    }
    const fields = difference(difference(entry.fields, changes.changed), changes.removed);
    left.set(key, fields === entry.fields ? entry : { ...entry, fields });
  }
  if (conflicts.length > 0) {
    throw new ApplyConflicts(conflicts);
  }
  return { managers: withoutIdle(left), comparison };
}

function comparisonIn({ kind, before, after }: Taking, type: MergeType): Comparison {
  const { changed, removed } = compareValues(type, before, after);
  return {
    changed: recursiveDifference(changed, kind.resetFields),
    removed: recursiveDifference(removed, kind.resetFields),
  };
}

function convertedTo(taking: Taking, apiVersion: string): Taking {
  const { kind, before, after } = taking;
  return { ...taking, before: kind.convert(before, apiVersion), after: kind.convert(after, apiVersion) };
}

/** The managers, their fields brought up to the schema of now; those of versions that are no longer served are gone. */
export function reconcileManagers(kind: MergedKind, managers: Managers): Managers {
  const reconciled = new Map<string, ManagedEntry>();
  for (const [key, entry] of managers) {
    const type = kind.typeIn(entry.apiVersion);
    if (type !== undefined) {
      const fields = reconcileWithType(type, entry.fields);
      reconciled.set(key, fields === entry.fields ? entry : { ...entry, fields });
    }
  }
  return reconciled;
}
