import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "@gatehouse/envelopes";
import { metaOf, timestamp } from "../objects/object-meta.js";
import { ApplyConflicts } from "./apply-conflicts.js";
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
import { convertingOnce, type FieldsWork, type MergedKind } from "./merged-kind.js";
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

/** What nobody owns: it says what the object is, or only the server writes it. */
const unowned = fieldsAt([
  ["f:apiVersion"],
  ["f:kind"],
  ["f:metadata"],
  ...unownedMetadata.map((name) => ["f:metadata", `f:${name}`]),
]);

/** The same as what is left out of what a creator owns. */
const unownedMembers: LeftOut = new Map<string, LeftOut | "whole">([
  ["apiVersion", "whole"],
  ["kind", "whole"],
  ["metadata", new Map(unownedMetadata.map((name) => [name, "whole"]))],
]);

/** By whom and when an object is written. */
export interface Writer {
  /** Empty when nothing is known of them. */
  readonly manager: string;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
}

/** What an apply has led to. */
export interface Applied {
  /** The merged object, neither decoded nor defaulted; undefined when nothing changes but who owns what. */
  readonly object: JsonObject | undefined;
  readonly managers: Managers;
}

const nobody: Managers = new Map();
const ownerBeforeApply = "before-first-apply";

/** Keeps track of who owns which fields of the objects of one kind, in one version and below one path (KEP-555). */
export class FieldManager {
  readonly #kind: MergedKind;
  readonly #subresource: string;
  /** Undefined when what is reset is inside of members of an object. */
  readonly #leftOut: LeftOut | undefined;

  /** `subresource` is empty for the object itself. */
  constructor(kind: MergedKind, subresource: string) {
    this.#kind = kind;
    this.#subresource = subresource;
    this.#leftOut = leftOutWith(kind.resetFields);
  }

  /**
   * Writes into a new state of an object who owns its fields. `live` is the state before, undefined for a new object. What
   * cannot be tracked has no managers afterwards: a write never fails for it. Done at once, but where somebody owns fields
   * in a version that others convert to.
   */
  *update(live: JsonObject | undefined, object: JsonObject, writer: Writer): FieldsWork<void> {
    const before = live ?? this.#kind.blank;
    const meta = metaOf(object);
    const sent = meta["managedFields"];
    const kept = live === undefined ? undefined : (metaOf(live)["managedFields"] as JsonValue | undefined);
    if (sent !== undefined) {
      delete meta["managedFields"];
    }
    let entries: JsonArray | undefined;
    try {
      if (live === undefined && sent === undefined && this.#create(object, writer)) {
        return;
      }
      const managers = this.#managersOf(sent, kept);
      // After a reset the writer owns what it changes besides (KEP-555); v1.29 tracks nothing then.
      const isTracked = managers.size > 0 || live === undefined || this.#resets(sent);
      entries = isTracked ? writeManagers(yield* this.#afterUpdate(before, object, managers, writer)) : undefined;
    } catch (error) {
      if (!(error instanceof FieldsError)) {
        throw error;
      }
    }
    if (entries !== undefined) {
      meta["managedFields"] = entries;
    }
  }

  /** The same for a kind of one version, of which nothing is ever waited for. */
  updateAtOnce(live: JsonObject | undefined, object: JsonObject, writer: Writer): void {
    this.update(live, object, writer).next();
  }

  /** Those whom the client names, if they can be read; otherwise those there were. A subresource has no say in it. */
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

  /** Who creates an object, and says nothing of owners, owns all of it. False when that is not so easily told. */
  #create(object: JsonObject, writer: Writer): boolean {
    if (this.#leftOut === undefined) {
      return false;
    }
    refuseTooManyFields(this.#kind.type, object);
    this.#refuseStale(object, smdTyped("new"));
    const text = newFieldsText(this.#kind.type, this.#kind.blank, object, this.#leftOut);
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
  ): FieldsWork<Managers> {
    const kind = this.#kindFor(managers);
    refuseTooManyFields(this.#kind.type, object);
    this.#refuseStale(object, smdTyped("new"));
    refuseTooManyFields(this.#kind.type, live);
    this.#refuseStale(live, smdTyped("live"));
    const before = withoutManagers(live);
    const reconciled = yield* reconcileManagers(kind, before, managers);
    const taking = { kind, before, after: object, taker: undefined, force: true };
    const { managers: others, comparison } = yield* takeFields(taking, reconciled);
    const fields = difference(recursiveDifference(comparison.changed, kind.resetFields), unowned);
    if (isEmpty(fields)) {
      return capManagers(others);
    }
    const identity = this.#identity(manager, "Update");
    const key = managerKey(identity);
    const left = others.get(key)?.fields;
    const owned = left === undefined ? fields : union(fields, left);
    const known = reconciled.get(key)?.fields;
    const entry: ManagedEntry = {
      ...identity,
      time: timestamp(nowMs),
      // Most writers change what is theirs already: that set's text is known.
      fields: known !== undefined && isSameSet(owned, known) ? known : owned,
    };
    return capManagers(new Map([...others, [key, entry]]));
  }

  /** Most objects are owned in one version, and nothing is converted. */
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
   * Merges what is applied into the state of now, or into nothing; a generator that pauses where others may have their
   * turn. Throws ApplyConflicts when that takes fields from others without `force`, and FieldsError when what is applied,
   * or is there, cannot be merged.
   */
  *apply(live: JsonObject | undefined, config: JsonObject, writer: Writer, force: boolean): FieldsWork<Applied> {
    const known = readManagers(live === undefined ? undefined : metaOf(live)["managedFields"], "store");
    const before = withoutManagers(live ?? this.#kind.blank);
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

  /** Whatever there is when an object is applied to for the first time has an owner from then on. */
  *#ownersBeforeApply(live: JsonObject, writer: Writer): FieldsWork<Managers> {
    try {
      return yield* this.#afterUpdate(this.#kind.blank, live, nobody, { ...writer, manager: ownerBeforeApply });
    } catch (error) {
      throw error instanceof FieldsError ? error.during("failed to create manager for existing fields") : error;
    }
  }

  /** kubectl may take over without force what it applied itself when that was still done by clients. */
  *#applyOrMigrate(
    before: JsonObject,
    config: JsonObject,
    managers: Managers,
    writer: Writer,
    force: boolean,
  ): FieldsWork<Applied> {
    try {
      return yield* this.#merge(before, config, managers, writer, force);
    } catch (error) {
      if (!(error instanceof ApplyConflicts) || writer.manager !== kubectlManager) {
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
  ): FieldsWork<Applied> {
    const kind = this.#kindFor(managers);
    const reconciled = yield* reconcileManagers(kind, before, managers);
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
    const { managers: owners } = yield* takeFields({ kind, before, after, taker: key, force }, claiming);
    yield;
    const isChanged = !isSameValue(before, after);
    return {
      object: isChanged ? after : undefined,
      managers: withClaim(owners, key, { ...claimed, time: isChanged ? timestamp(writer.nowMs) : last?.time }),
    };
  }
}

function smdTyped(which: "new" | "live"): (identity: string) => string {
  return (identity) => `failed to convert ${which} object (${identity}) to smd typed`;
}

function* pruned(work: FieldsWork<JsonObject>): FieldsWork<JsonObject> {
  try {
    return yield* work;
  } catch (error) {
    throw error instanceof FieldsError ? error.during("failed to prune fields") : error;
  }
}

/** What is left out of what a creator owns; undefined when a reset field is inside of a member. */
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

/** One empty entry asks for a new beginning; an empty list does not (KEP-555). */
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
