import { integerAt, type JsonObject, ownObject } from "@gatehouse/envelopes/json";
import { metaOf, timestamp } from "../../objects/object-meta.js";
import type { DeletionStrategy } from "../../registry/strategies/deletion-strategy.js";
import type { DeleteOptions } from "../delete-options.js";
import { finalizersForDeletion } from "./deletion-finalizers.js";

/**
 * The effect of a deletion. `pending`: none, the object is being deleted already. `mark`: the object, which has been
 * changed in place, is written as terminating. `markAndRemove`: it is written so and then removed at once, since
 * nothing holds it: watchers of kinds with a grace period see both. `remove`: it is removed as it is.
 */
export type DeletionPlan = "pending" | "mark" | "markAndRemove" | "remove";

/**
 * The way in which deleted pods that have a node are removed. `graceful`: by their kubelet, after their grace period.
 * `immediate`: at once, whatever grace period they have or are given, because there is no kubelet.
 */
export type PodTermination = "graceful" | "immediate";

/**
 * The facts that a deletion depends on besides the object. Without garbage collection its finalizers are left out,
 * since no controller would take them off.
 */
export interface DeletionConditions {
  readonly strategy: DeletionStrategy;
  readonly garbageCollection: boolean;
  readonly podTermination: PodTermination;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
}

/** Decides on the deletion of an object and prepares it. */
export function planDeletion(conditions: DeletionConditions, object: JsonObject, options: DeleteOptions): DeletionPlan {
  const { strategy, nowMs } = conditions;
  if (strategy.beginDeletion !== undefined && !options.fromCollection && isAlive(object)) {
    strategy.beginDeletion(object, timestamp(nowMs), conditions.garbageCollection ? options : {});
    return "mark";
  }
  if (isHeldWhileEnding(strategy, object)) {
    return "pending";
  }
  const grace = graceOf(conditions, object, options.gracePeriodSeconds);
  if (grace === "pending") {
    return "pending";
  }
  const meta = metaOf(object);
  if (grace !== undefined) {
    beginGrace(object, nowMs, grace);
  }
  if (conditions.garbageCollection) {
    const finalizers = finalizersForDeletion(strategy, object, options);
    if (finalizers.length > 0) {
      meta.finalizers = [...finalizers];
    } else {
      delete meta.finalizers;
    }
  }
  const isHeld = (meta.finalizers?.length ?? 0) > 0;
  if (grace !== undefined) {
    return isHeld || grace > 0 ? "mark" : "markAndRemove";
  }
  if (!isHeld) {
    return "remove";
  }
  markAsDeleting(object, nowMs);
  return "mark";
}

/** Reports whether an object ends already and is held by finalizers of its kind: v1.29 then leaves it as it is. */
function isHeldWhileEnding({ ownFinalizers }: DeletionStrategy, object: JsonObject): boolean {
  return ownFinalizers !== undefined && !isAlive(object) && ownFinalizers(object).length > 0;
}

function isAlive(object: JsonObject): boolean {
  return metaOf(object).deletionTimestamp === undefined;
}

/**
 * Returns the options of a deletion as v1.29 completes them before it asks admission about them, "pending" for a deletion
 * that changes nothing, about which it asks nobody: the grace period, and for some kinds the uid. Objects of a collection are
 * deleted with copies of the options, so that admission sees these as they were sent.
 */
export function admittedOptions(
  conditions: DeletionConditions,
  object: JsonObject,
  options: DeleteOptions,
): DeleteOptions | "pending" {
  const { strategy } = conditions;
  const requested = options.gracePeriodSeconds;
  const grace = isHeldWhileEnding(strategy, object) ? "pending" : graceOf(conditions, object, requested);
  if (grace === "pending") {
    return "pending";
  }
  if (options.fromCollection === true) {
    return options;
  }
  const { uid } = metaOf(object);
  return {
    ...options,
    gracePeriodSeconds: grace ?? (requested === undefined ? undefined : atLeastNow(requested)),
    ...(strategy.comparesPreconditions === true && uid !== undefined
      ? { preconditions: { uid, ...options.preconditions } }
      : {}),
  };
}

/** A negative grace period is one second. */
function atLeastNow(seconds: number): number {
  return seconds < 0 ? 1 : seconds;
}

/**
 * Returns the seconds that an object of a kind with graceful deletion (a pod) is given, "pending" where it is given as much or
 * less already: a deletion under way can only be hastened. Undefined where there is no grace: the kind knows none, or it is over.
 */
function graceOf(
  { strategy, podTermination }: DeletionConditions,
  object: JsonObject,
  requestedSeconds: number | undefined,
): number | "pending" | undefined {
  if (strategy.gracePeriodSeconds === undefined) {
    return undefined;
  }
  const requested =
    podTermination === "immediate" ? 0 : requestedSeconds === undefined ? undefined : atLeastNow(requestedSeconds);
  const meta = metaOf(object);
  if (meta.deletionTimestamp === undefined) {
    return strategy.gracePeriodSeconds(object, requested);
  }
  const granted = Number(meta.deletionGracePeriodSeconds ?? 0);
  if (granted === 0) {
    return undefined;
  }
  return requested === undefined || requested >= granted ? "pending" : requested;
}

/** Gives an object a time to end, or an earlier one. */
function beginGrace(object: JsonObject, nowMs: number, seconds: number): void {
  const meta = metaOf(object);
  if (meta.deletionTimestamp === undefined) {
    meta.deletionTimestamp = timestamp(nowMs + seconds * 1000);
    countGeneration(object);
  } else {
    const granted = Number(meta.deletionGracePeriodSeconds ?? 0);
    meta.deletionTimestamp = timestamp(Date.parse(meta.deletionTimestamp) + (seconds - granted) * 1000);
  }
  meta.deletionGracePeriodSeconds = seconds;
}

/** Marks an object as terminating. */
function markAsDeleting(object: JsonObject, nowMs: number): void {
  const meta = metaOf(object);
  if (meta.deletionTimestamp === undefined) {
    countGeneration(object);
  }
  if (meta.deletionTimestamp === undefined || Date.parse(meta.deletionTimestamp) > nowMs) {
    meta.deletionTimestamp = timestamp(nowMs);
  }
  meta.deletionGracePeriodSeconds = 0;
}

/**
 * Increments metadata.generation where it is counted: a deletion changes the desired state. Where it is not counted,
 * clients may have set any number, and the one after the largest is the smallest, as in Go.
 */
function countGeneration(object: JsonObject): void {
  const metadata = ownObject(object, "metadata");
  const generation = integerAt(metadata, "generation");
  if (generation > 0) {
    const next = BigInt.asIntN(64, BigInt(generation) + 1n);
    metadata["generation"] = Number.isSafeInteger(Number(next)) ? Number(next) : next;
  }
}
