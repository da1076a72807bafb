import { metaOf, timestamp } from "@gatehouse/apiserver/objects";
import { isSameState } from "@gatehouse/envelopes/go";
import { conditionOfType, integerAt, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import type { ExpectedPods } from "./expected-pods.js";
import type { PodSummary } from "./pod-summary.js";

/** Milliseconds after which a pod whose eviction was allowed counts as healthy again, as in v1.29. */
const deletionTimeoutMs = 120_000;

/** Evictions that have been allowed, of pods that are not being deleted yet. */
export interface Disruptions {
  /** The times at which evictions were allowed, by the name of the pod. */
  readonly pods: JsonObject;
  /** The time at which the first of them is given up, in milliseconds since the epoch; undefined for none. */
  readonly recheckAt: number | undefined;
  /** The names of pods that are still there after that time. */
  readonly notDeleted: readonly string[];
}

/** Returns the disrupted pods of a budget that are still to be expected to go. */
export function pendingDisruptions(budget: JsonObject, pods: readonly PodSummary[], nowMs: number): Disruptions {
  const disrupted = objectAt(budget, "status", "disruptedPods");
  const remaining: JsonObject = {};
  const notDeleted: string[] = [];
  let recheckAt: number | undefined;
  for (const { name, isTerminating } of pods) {
    const time = Object.hasOwn(disrupted, name) ? textAt(disrupted, name) : "";
    const expectedAt = time === "" ? Number.NaN : Date.parse(time) + deletionTimeoutMs;
    if (!isTerminating && expectedAt >= nowMs) {
      remaining[name] = time;
      recheckAt = Math.min(recheckAt ?? expectedAt, expectedAt);
    } else if (!isTerminating && expectedAt < nowMs) {
      notDeleted.push(name);
    }
  }
  return { pods: remaining, recheckAt, notDeleted };
}

/** Counts the pods that are ready and will stay. */
export function countHealthy(pods: readonly PodSummary[], disruptions: Disruptions): number {
  return pods.filter(
    ({ name, isReady, isTerminating }) => isReady && !isTerminating && !Object.hasOwn(disruptions.pods, name),
  ).length;
}

/** Returns the budget with its new status; undefined when nothing changes. */
export function withStatus(
  budget: JsonObject,
  { expected, desiredHealthy }: ExpectedPods,
  currentHealthy: number,
  disruptions: Disruptions,
  nowMs: number,
): JsonObject | undefined {
  const spare = Math.max(0, currentHealthy - desiredHealthy);
  // A budget that has seen no pods yet allows nothing, since it will not have seen the first ones either.
  const disruptionsAllowed = expected <= 0 ? 0 : spare;
  const { generation = 0 } = metaOf(budget);
  const status: JsonObject = {
    observedGeneration: generation,
    // Left out when there are none, so that the controller does not own them.
    ...(Object.keys(disruptions.pods).length > 0 && { disruptedPods: disruptions.pods }),
    disruptionsAllowed,
    currentHealthy,
    desiredHealthy,
    expectedPods: expected,
  };
  const { conditions: _conditions, ...before } = objectAt(budget, "status");
  const condition = allowedCondition(disruptionsAllowed > 0, generation);
  if (isSameState(withZeros(before), status) && hasCondition(budget, condition)) {
    return undefined;
  }
  return {
    ...budget,
    status: { ...status, conditions: [{ ...condition, message: "", lastTransitionTime: timestamp(nowMs) }] },
  };
}

/** Returns the budget with the status for a failed computation: it allows nothing, and gives the reason. */
export function withFailure(budget: JsonObject, problem: string, nowMs: number): JsonObject | undefined {
  const before = objectAt(budget, "status");
  const known = conditionOfType(listAt(before, "conditions"), "DisruptionAllowed");
  const isTold = known?.["reason"] === "SyncFailed" && known["message"] === problem;
  if (isTold && Number(integerAt(before, "disruptionsAllowed")) === 0) {
    return undefined;
  }
  const observed = Number(integerAt(before, "observedGeneration"));
  const isFalse = known?.["status"] === "False";
  const condition: JsonObject = {
    type: "DisruptionAllowed",
    status: "False",
    ...(observed !== 0 && { observedGeneration: observed }),
    lastTransitionTime: isFalse ? (known["lastTransitionTime"] ?? null) : timestamp(nowMs),
    reason: "SyncFailed",
    message: problem,
  };
  const others = listAt(before, "conditions").filter((other) => other !== known);
  return { ...budget, status: { ...before, disruptionsAllowed: 0, conditions: [...others, condition] } };
}

function allowedCondition(isAllowed: boolean, observedGeneration: number | bigint): JsonObject {
  return {
    type: "DisruptionAllowed",
    status: isAllowed ? "True" : "False",
    observedGeneration,
    reason: isAllowed ? "SufficientPods" : "InsufficientPods",
  };
}

function hasCondition(budget: JsonObject, { status, reason }: JsonObject): boolean {
  const known = conditionOfType(listAt(budget, "status", "conditions"), "DisruptionAllowed");
  return known?.["status"] === status && known?.["reason"] === reason;
}

function withZeros(status: JsonObject): JsonObject {
  return {
    observedGeneration: 0,
    disruptionsAllowed: 0,
    currentHealthy: 0,
    desiredHealthy: 0,
    expectedPods: 0,
    ...status,
  };
}
