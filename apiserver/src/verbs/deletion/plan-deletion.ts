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
    strategy.beginDeletion(object, timestamp(nowMs));
    return "mark";
  }
  const grace = beginGrace(conditions, object, options.gracePeriodSeconds);
  if (grace === "pending") {
    return "pending";
  }
  const meta = metaOf(object);
  if (conditions.garbageCollection) {
    const finalizers = finalizersForDeletion(strategy, object, options);
    if (finalizers.length > 0) {
      meta.finalizers = [...finalizers];
    } else {
      delete meta.finalizers;
    }
  }
  const isHeld = (meta.finalizers?.length ?? 0) > 0 || isHeldByItsKind(strategy, object);
  if (grace !== undefined) {
    return isHeld || grace > 0 ? "mark" : "markAndRemove";
  }
  if (!isHeld) {
    return "remove";
  }
  markAsDeleting(object, nowMs, strategy.ownFinalizers === undefined);
  return "mark";
}

/**
 * Reports whether finalizers of the kind hold an object. Such a kind goes in two steps, as in v1.29: the first deletion
 * never removes.
 */
function isHeldByItsKind({ ownFinalizers }: DeletionStrategy, object: JsonObject): boolean {
  return ownFinalizers !== undefined && (isAlive(object) || ownFinalizers(object).length > 0);
}

function isAlive(object: JsonObject): boolean {
  return metaOf(object).deletionTimestamp === undefined;
}

/**
 * Gives an object of a kind with graceful deletion (a pod) its time, and returns that in seconds. Undefined where there is
 * no grace: the kind knows none, or it is over. A deletion under way can only be hastened.
 */
function beginGrace(
  { strategy, podTermination, nowMs }: DeletionConditions,
  object: JsonObject,
  requestedSeconds: number | undefined,
): number | "pending" | undefined {
  if (strategy.gracePeriodSeconds === undefined) {
    return undefined;
  }
  const requested =
    podTermination === "immediate" ? 0 : requestedSeconds !== undefined && requestedSeconds < 0 ? 1 : requestedSeconds;
  const meta = metaOf(object);
  if (meta.deletionTimestamp === undefined) {
    const seconds = strategy.gracePeriodSeconds(object, requested);
    meta.deletionTimestamp = timestamp(nowMs + seconds * 1000);
    meta.deletionGracePeriodSeconds = seconds;
    countGeneration(object);
    return seconds;
  }
  const granted = Number(meta.deletionGracePeriodSeconds ?? 0);
  if (granted === 0) {
    return undefined;
  }
  if (requested === undefined || requested >= granted) {
    return "pending";
  }
  meta.deletionTimestamp = timestamp(Date.parse(meta.deletionTimestamp) + (requested - granted) * 1000);
  meta.deletionGracePeriodSeconds = requested;
  return requested;
}

/** Marks an object as terminating. For kinds with finalizers of their own v1.29 sets the time alone. */
function markAsDeleting(object: JsonObject, nowMs: number, withGrace: boolean): void {
  const meta = metaOf(object);
  if (meta.deletionTimestamp === undefined) {
    countGeneration(object);
  }
  if (meta.deletionTimestamp === undefined || Date.parse(meta.deletionTimestamp) > nowMs) {
    meta.deletionTimestamp = timestamp(nowMs);
  }
  if (withGrace) {
    meta.deletionGracePeriodSeconds = 0;
  }
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
