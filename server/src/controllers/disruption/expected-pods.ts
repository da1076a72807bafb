import type { ObjectClient } from "@gatehouse/apiserver/client";
import { scaledIntOrPercent } from "@gatehouse/envelopes/codec";
import { type JsonObject, type JsonValue, objectAt, textAt } from "@gatehouse/envelopes/json";
import { scaleOf } from "./controller-scale.js";
import type { PodSummary } from "./pod-summary.js";

/** The number of pods that a budget expects, and the number that must be healthy. */
export interface ExpectedPods {
  readonly expected: number;
  readonly desiredHealthy: number;
  /** True if pods without a controller are not counted, although a share of the pods is wanted. */
  readonly hasUnmanaged: boolean;
}

/** Computes the pods that a budget expects of those it selects. Throws when their controllers cannot be found. */
export async function expectedPods(
  client: ObjectClient,
  namespace: string,
  budget: JsonObject,
  pods: readonly PodSummary[],
): Promise<ExpectedPods> {
  const { minAvailable, maxUnavailable } = objectAt(budget, "spec");
  if (maxUnavailable !== undefined && maxUnavailable !== null) {
    const { expected, hasUnmanaged } = await expectedScale(client, namespace, pods);
    const unavailable = scaled(maxUnavailable, expected);
    return { expected, desiredHealthy: Math.max(0, expected - unavailable), hasUnmanaged };
  }
  if (typeof minAvailable === "string") {
    const { expected, hasUnmanaged } = await expectedScale(client, namespace, pods);
    return { expected, desiredHealthy: scaled(minAvailable, expected), hasUnmanaged };
  }
  return typeof minAvailable === "number"
    ? { expected: pods.length, desiredHealthy: minAvailable, hasUnmanaged: false }
    : { expected: 0, desiredHealthy: 0, hasUnmanaged: false };
}

/** Returns a number, or a percentage of the total, rounded up. */
function scaled(value: JsonValue, total: number): number {
  const number = typeof value === "number" || typeof value === "string" ? scaledIntOrPercent(value, total, true) : 0;
  if (number === undefined) {
    throw new Error("invalid value for IntOrString: invalid type: string is not a percentage");
  }
  return number;
}

/** Sums the replicas that the controllers of pods want. Pods without a controller do not count. */
async function expectedScale(
  client: ObjectClient,
  namespace: string,
  pods: readonly PodSummary[],
): Promise<Omit<ExpectedPods, "desiredHealthy">> {
  const scales = new Map<string, number>();
  const seen = new Set<string>();
  for (const { name, controller } of pods) {
    const uid = textAt(controller, "uid");
    if (controller === undefined || seen.has(uid)) {
      continue;
    }
    const scale = await scaleOf(client, namespace, controller);
    if (scale === undefined) {
      throw new Error(`found no controllers for pod ${JSON.stringify(name)}`);
    }
    seen.add(uid);
    scales.set(scale.uid, scale.replicas);
  }
  const expected = [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
  return { expected, hasUnmanaged: pods.some(({ controller }) => controller === undefined) };
}
