import { addQuantity, compareQuantity, parseQuantity, type Quantity } from "@gatehouse/envelopes/codec";
import { type JsonObject, type JsonValue, listAt, objectAt, scalarAt, textAt } from "@gatehouse/envelopes/json";

/** The class of a pod, in the words of `status.qosClass`. */
type QualityOfService = "BestEffort" | "Burstable" | "Guaranteed";

/** Resources that decide about the class of a pod. */
const decisiveResources = ["cpu", "memory"] as const;

type Amounts = Map<string, Quantity>;

/**
 * Returns the class in the status of a pod, without a check; when there is none, the class that follows from its
 * resources.
 */
export function qualityOfService(pod: JsonObject): string {
  return textAt(pod, "status", "qosClass") || computedQualityOfService(pod);
}

/**
 * Computes the class that decides which pods a node evicts first: Guaranteed when every container has limits for CPU
 * and memory and all requests equal them, BestEffort when nothing is requested, Burstable otherwise.
 */
export function computedQualityOfService(pod: JsonObject): QualityOfService {
  const requests: Amounts = new Map();
  const limits: Amounts = new Map();
  let allLimited = true;
  for (const container of [...listAt(pod, "spec", "containers"), ...listAt(pod, "spec", "initContainers")]) {
    addAmounts(requests, container, "requests");
    const limited = addAmounts(limits, container, "limits");
    allLimited &&= limited === decisiveResources.length;
  }
  if (requests.size === 0 && limits.size === 0) {
    return "BestEffort";
  }
  return allLimited && sameAmounts(requests, limits) ? "Guaranteed" : "Burstable";
}

/** Adds the amounts of one container. Returns the number of decisive resources that it names. */
function addAmounts(sum: Amounts, container: JsonValue, member: "requests" | "limits"): number {
  const amounts = objectAt(container, "resources", member);
  let named = 0;
  for (const resource of decisiveResources) {
    const text = scalarAt(amounts, resource);
    if (text === undefined) {
      continue;
    }
    const amount = parseQuantity(text);
    if (amount.unscaled > 0n) {
      named++;
      const before = sum.get(resource);
      sum.set(resource, before === undefined ? amount : addQuantity(before, amount));
    }
  }
  return named;
}

function sameAmounts(a: Amounts, b: Amounts): boolean {
  if (a.size !== b.size) {
    return false;
  }
  for (const [resource, amount] of a) {
    const other = b.get(resource);
    if (other === undefined || compareQuantity(amount, other) !== 0) {
      return false;
    }
  }
  return true;
}
