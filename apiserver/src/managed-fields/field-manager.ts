import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import type { WaitingSteps } from "@gatehouse/envelopes/scheduling";
import { metaOf, timestamp } from "../objects/object-meta.js";
import { ApplyConflictsError } from "./apply-conflicts.js";
import { capManagers } from "./cap-managers.js";
import { checkValue, isPlainlyOfType } from "./check-value.js";
import { difference, type FieldSet, fieldsAt, isEmpty, isSameSet, recursiveDifference, union } from "./field-set.js";
import { FieldsError } from "./fields-error.js";
import { appliedFieldsOf } from "./fields-of.js";
import { allowedByLastApplied, hasLastApplied, kubectlManager, setLastApplied } from "./last-applied.js";
import {
  type ManagedEntry,
  type ManagerIdentity,
  type Managers,
  managerEntry,
  managerKey,
  readManagers,
  withoutManagers,
  writeManagers,
} from "./managers.js";
import { mergeValues } from "./merge.js";
import { convertingOnce, type MergedKind } from "./merged-kind.js";
import { type LeftOut, newFieldsText } from "./new-fields-text.js";
import { identityOf } from "./object-identity.js";
import { prune } from "./prune.js";
import { reconcileManagers, takeFields } from "./take-fields.js";
import { refuseTooManyFields } from "./too-many-fields.js";
import { isSameValue } from "./typed-value.js";

const unownedMetadata = [
  "name",
  "namespace",
  "creationTimestamp",
  "selfLink",
  "uid",
  "clusterName",
  "generation",
  "managedFields",
  "resourceVersion",
];

/** The fields that no manager owns: they identify the object, or only the server writes them. */
const unowned = fieldsAt([
  ["f:apiVersion"],
  ["f:kind"],
  ["f:metadata"],
  ...unownedMetadata.map((name) => ["f:metadata", `f:${name}`]),
]);

/** The unowned members, in the form in which they are left out of a creator's fields. */
const unownedMembers: LeftOut = new Map<string, LeftOut | "whole">([
  ["apiVersion", "whole"],
  ["kind", "whole"],
  ["metadata", new Map(unownedMetadata.map((name) => [name, "whole"]))],
]);

/** The manager in whose name an object is written, and the time of the write. */
export interface Writer {
  /** Name of the manager; empty when it is unknown. */
  readonly manager: string;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
}

/** The result of an apply. */
export interface Applied {
  /** The merged object, neither decoded nor defaulted; undefined when only ownership changes. */
  readonly object: JsonObject | undefined;
  readonly managers: Managers;
}

const nobody: Managers = new Map();
const ownerBeforeApply = "before-first-apply";

/** Tracks the ownership of fields of the objects of one kind, in one version and below one path (KEP-555). */
export class FieldManager {
  readonly #kind: MergedKind;
  readonly #subresource: string;
  /** The members left out of a creator's fields; undefined when a reset field is inside of a member. */
  readonly #leftOut: LeftOut | undefined;

  /** `subresource` is empty for the object itself. */
  constructor(kind: MergedKind, subresource: string) {
    this.#kind = kind;
    this.#subresource = subresource;
    this.#leftOut = leftOutWith(kind.resetFields);
  }

  /**
   * Writes the owners of the fields into a new state of an object. `live` is the state before, undefined for a new
   * object. An object whose fields cannot be tracked has no managers afterwards: a write never fails for it. Waits only if a
   * manager owns fields in a version that needs a conversion webhook. Returns true if the entry of the writer has the time of
   * this write.
   */
  *update(live: JsonObject | undefined, object: JsonObject, writer: Writer): WaitingSteps<boolean> {
    const before = live ?? this.#kind.blank;
    const meta = metaOf(object);
    const sent = meta["managedFields"];
    const kept = live === undefined ? undefined : (metaOf(live)["managedFields"] as JsonValue | undefined);
    if (sent !== undefined) {
      delete meta["managedFields"];
    }
    let after: Tracked | undefined;
    try {
      if (live === undefined && sent === undefined && this.#leftOut !== undefined) {
        if (refuseTooManyFields(this.#kind.type, object)) {
          yield;
        }
        if (this.#create(object, this.#leftOut, writer)) {
          return metaOf(object)["managedFields"] !== undefined;
        }
      }
      const managers = this.#managersOf(sent, kept);
      // After a reset the writer owns what it changes besides (KEP-555); v1.29 tracks nothing then.
      const isTracked = managers.size > 0 || live === undefined || this.#resets(sent);
      after = isTracked ? yield* this.#afterUpdate(before, object, managers, writer) : undefined;
    } catch (error) {
      if (!(error instanceof FieldsError)) {
        throw error;
      }
    }
    const entries = after === undefined ? undefined : writeManagers(after.managers);
    if (entries !== undefined) {
      meta["managedFields"] = entries;
    }
    return after?.isTimed ?? false;
  }

  /**
   * Returns the managers that the client sends, if they can be read; otherwise the former ones. A subresource cannot
   * change them.
   */
  #managersOf(sent: JsonValue | undefined, kept: JsonValue | undefined): Managers {
    if (this.#resets(sent)) {
      return nobody;
    }
    if (this.#subresource === "") {
      const managers = isSameValue(sent, kept) ? nobody : readOrNobody(sent, "client");
      if (managers.size > 0) {
        return managers;
      }
    }
    return readOrNobody(kept, "store");
  }

  #resets(sent: JsonValue | undefined): boolean {
    return this.#subresource === "" && isReset(sent);
  }

  /** Makes the creator the owner of a new object that names no managers. False when the fields need the general way. */
  #create(object: JsonObject, leftOut: LeftOut, writer: Writer): boolean {
    const { type, blank, mayBeStale } = this.#kind;
    const text = newFieldsText({ type, blank, object, leftOut, mayBeStale });
    if (text !== undefined && text !== "{}") {
      const identity = this.#identity(writer.manager, "Update");
      metaOf(object)["managedFields"] = [managerEntry(identity, timestamp(writer.nowMs), text)];
    }
    return text !== undefined;
  }

  /** Throws FieldsError for an object that is not of its kind, any more; `what` cannot be done with it then. */
  #refuseStale(object: JsonObject, what: (identity: string) => string): void {
    const { type, mayBeStale } = this.#kind;
    if (!mayBeStale) {
      return;
    }
    const value = withoutManagers(object);
    if (isPlainlyOfType(type, value)) {
      return;
    }
    try {
      checkValue(type, value, "allowed");
    } catch (error) {
      throw error instanceof FieldsError ? error.during(what(identityOf(object))) : error;
    }
  }

  *#afterUpdate(
    live: JsonObject,
    object: JsonObject,
    managers: Managers,
    { manager, nowMs }: Writer,
  ): WaitingSteps<Tracked> {
    const kind = this.#kindFor(managers);
    const becomesLarge = refuseTooManyFields(this.#kind.type, object);
    if (becomesLarge) {
      yield;
    }
    this.#refuseStale(object, smdTyped("new"));
    const isLarge = refuseTooManyFields(this.#kind.type, live) || becomesLarge;
    if (isLarge) {
      yield;
    }
    this.#refuseStale(live, smdTyped("live"));
    if (isLarge) {
      yield;
    }
    const before = withoutManagers(live);
    const reconciled = yield* reconcileManagers(kind, before, managers, isLarge);
    const taking = { kind, before, after: object, taker: undefined, force: true, isLarge };
    const { managers: others, comparison } = yield* takeFields(taking, reconciled);
    if (isLarge) {
      yield;
    }
    const fields = difference(recursiveDifference(comparison.changed, kind.resetFields), unowned);
    if (isEmpty(fields)) {
      return { managers: capManagers(others), isTimed: false };
    }
    if (isLarge) {
      yield;
    }
    const identity = this.#identity(manager, "Update");
    const key = managerKey(identity);
    const left = others.get(key)?.fields;
    const owned = left === undefined ? fields : union(fields, left);
    if (isLarge) {
      yield;
    }
    const known = reconciled.get(key)?.fields;
    const entry: ManagedEntry = {
      ...identity,
      time: timestamp(nowMs),
      // Most writers change what is theirs already: that set's text is known.
      fields: known !== undefined && isSameSet(owned, known) ? known : owned,
    };
    return { managers: capManagers(new Map([...others, [key, entry]])), isTimed: true };
  }

  /** Returns the kind for one write. Most objects are owned in one version, and nothing is converted. */
  #kindFor(managers: Managers): MergedKind {
    for (const { apiVersion } of managers.values()) {
      if (apiVersion !== this.#kind.apiVersion) {
        return convertingOnce(this.#kind);
      }
    }
    return this.#kind;
  }

  #identity(manager: string, operation: "Apply" | "Update"): ManagerIdentity {
    return {
      manager: manager === "" ? "unknown" : manager,
      operation,
      apiVersion: this.#kind.apiVersion,
      subresource: this.#subresource,
    };
  }

  /**
   * Merges an applied configuration into the current state, or into an empty one, in steps. Throws ApplyConflictsError when
   * that takes fields from other managers without `force`, and FieldsError when either cannot be merged.
   */
  *apply(live: JsonObject | undefined, config: JsonObject, writer: Writer, force: boolean): WaitingSteps<Applied> {
    const known = readManagers(live === undefined ? undefined : metaOf(live)["managedFields"], "store");
    const before = withoutManagers(live ?? this.#kind.blank);
    yield;
    refuseTooManyFields(this.#kind.type, before);
    const managers = known.size > 0 || live === undefined ? known : yield* this.#ownersBeforeApply(before, writer);
    this.#refuseStale(before, (identity) => `failed to create typed live object (${identity})`);
    yield;
    const applied = yield* this.#applyOrMigrate(before, config, managers, writer, force);
    if (writer.manager !== kubectlManager || !hasLastApplied(applied.object ?? before)) {
      return applied;
    }
    return { ...applied, object: setLastApplied(applied.object ?? before, config) };
  }

  /** Makes an owner for all fields that an object has when it is applied to for the first time. */
  *#ownersBeforeApply(live: JsonObject, writer: Writer): WaitingSteps<Managers> {
    try {
      const owner = { ...writer, manager: ownerBeforeApply };
      return (yield* this.#afterUpdate(this.#kind.blank, live, nobody, owner)).managers;
    } catch (error) {
      throw error instanceof FieldsError ? error.during("failed to create manager for existing fields") : error;
    }
  }

  /**
   * Applies a configuration; kubectl may take over without force the fields that it has applied itself by client-side
   * apply.
   */
  *#applyOrMigrate(
    before: JsonObject,
    config: JsonObject,
    managers: Managers,
    writer: Writer,
    force: boolean,
  ): WaitingSteps<Applied> {
    try {
      return yield* this.#merge(before, config, managers, writer, force);
    } catch (error) {
      if (!(error instanceof ApplyConflictsError) || writer.manager !== kubectlManager) {
        throw error;
      }
      const allowed = allowedByLastApplied(this.#kind, before);
      const left = allowed === undefined ? error : error.without(allowed);
      if (left !== undefined) {
        throw left;
      }
      return yield* this.#merge(before, config, managers, writer, true);
    }
  }

  *#merge(
    before: JsonObject,
    config: JsonObject,
    managers: Managers,
    writer: Writer,
    force: boolean,
  ): WaitingSteps<Applied> {
    const kind = this.#kindFor(managers);
    const reconciled = yield* reconcileManagers(kind, before, managers, true);
    yield;
    const merged = mergeValues(kind.type, before, config) as JsonObject;
    yield;
    const identity = this.#identity(writer.manager, "Apply");
    const key = managerKey(identity);
    const last = reconciled.get(key);
    const fields = recursiveDifference(appliedFieldsOf(kind.type, config), kind.resetFields);
    const claimed: ManagedEntry = { ...identity, time: last?.time, fields };
    const claiming = new Map([...reconciled, [key, claimed]]);
    yield;
    const after = yield* pruned(prune(kind, merged, claiming, last, fields));
    yield;
    const { managers: owners } = yield* takeFields({ kind, before, after, taker: key, force, isLarge: true }, claiming);
    yield;
    const isChanged = !isSameValue(before, after);
    return {
      object: isChanged ? after : undefined,
      managers: withClaim(owners, key, { ...claimed, time: isChanged ? timestamp(writer.nowMs) : last?.time }),
    };
  }
}

/** The managers after an update; `isTimed` if the entry of the writer has the time of the write. */
interface Tracked {
  readonly managers: Managers;
  readonly isTimed: boolean;
}

function smdTyped(which: "new" | "live"): (identity: string) => string {
  return (identity) => `failed to convert ${which} object (${identity}) to smd typed`;
}

function* pruned(work: WaitingSteps<JsonObject>): WaitingSteps<JsonObject> {
  try {
    return yield* work;
  } catch (error) {
    throw error instanceof FieldsError ? error.during("failed to prune fields") : error;
  }
}

/** Returns the members left out of a creator's fields; undefined when a reset field is inside of a member. */
function leftOutWith(resetFields: FieldSet): LeftOut | undefined {
  const leftOut = new Map(unownedMembers);
  for (const element in resetFields) {
    if (!isEmpty(resetFields[element] as FieldSet) || element === "f:metadata") {
      return undefined;
    }
    leftOut.set(element.slice(2), "whole");
  }
  return leftOut;
}

function withClaim(managers: Managers, key: string, claimed: ManagedEntry): Managers {
  const fields: FieldSet = difference(claimed.fields, unowned);
  const next = new Map(managers);
  next.delete(key);
  return isEmpty(fields) ? next : next.set(key, { ...claimed, fields });
}

/** Reports whether entries ask for a reset, as one empty entry does; an empty list does not (KEP-555). */
function isReset(entries: JsonValue | undefined): boolean {
  if (!Array.isArray(entries)) {
    return false;
  }
  const [only] = entries;
  return entries.length === 1 && isJsonObject(only) && Object.keys(only).length === 0;
}

function readOrNobody(entries: JsonValue | undefined, from: "store" | "client"): Managers {
  try {
    return readManagers(entries, from);
  } catch (error) {
    if (error instanceof FieldsError) {
      return nobody;
    }
    throw error;
  }
}
