import { isConditionTrue, metaOf, setCondition, timestamp } from "@gatehouse/apiserver/objects";
import type { FeatureGates } from "@gatehouse/apiserver/options";
import type { Change, ServedResource } from "@gatehouse/apiserver/registry";
import type { RequestContext } from "@gatehouse/apiserver/request";
import type { CacheEntry } from "@gatehouse/apiserver/storage";
import { noWriteOptions, type OperationScope, trackFields } from "@gatehouse/apiserver/verbs";
import { SelectorError } from "@gatehouse/envelopes/errors";
import { integerAt, type JsonObject, objectAt, ownObject, textAt, valueAt } from "@gatehouse/envelopes/json";
import { type LabelSelectorObject, labelSelectorOf } from "@gatehouse/envelopes/selectors";
import { forbidden, StatusError } from "@gatehouse/envelopes/status";

/** Limit on the evictions that the budget's controller has not processed yet (as in v1.29). */
const maxDisruptedPods = 2000;

/** Returns the PodDisruptionBudgets that select a pod. One whose selector is invalid selects nothing. */
export async function budgetsOf(
  context: RequestContext,
  budgets: ServedResource,
  pod: JsonObject,
): Promise<readonly CacheEntry[]> {
  await budgets.storage.catchUp(context);
  const { namespace = "", labels } = metaOf(pod);
  const matching: CacheEntry[] = [];
  for (const entry of budgets.storage.cache.snapshot().entries(budgets.storage.prefixOf(namespace))) {
    if (selects(budgets.form.decode(entry), labels)) {
      matching.push(entry);
    }
  }
  return matching;
}

function selects(budget: JsonObject, labels: Readonly<Record<string, string>> | undefined): boolean {
  try {
    return labelSelectorOf(valueAt(budget, "spec", "selector") as LabelSelectorObject | undefined).matches(labels);
  } catch (error) {
    if (error instanceof SelectorError) {
      return false;
    }
    throw error;
  }
}

/**
 * Reports whether an unready pod may be evicted without a disruption: the budget has enough healthy pods, or its policy
 * allows it.
 */
export function mayGoUnready(budget: JsonObject, pod: JsonObject, features: FeatureGates): boolean {
  if (isConditionTrue(pod, "Ready")) {
    return false;
  }
  const policy = textAt(budget, "spec", "unhealthyPodEvictionPolicy");
  if (policy === "AlwaysAllow" && features.enabled("PDBUnhealthyPodEvictionPolicy")) {
    return true;
  }
  const desired = integerAt(budget, "status", "desiredHealthy");
  return desired > 0 && integerAt(budget, "status", "currentHealthy") >= desired;
}

/** The name in which v1.29's server writes to itself, and so owns what it has written. */
const ownManager = "kube-apiserver";

/**
 * Takes one disruption off a budget and notes the pod that it is for; the server itself owns that. `scope` is of budgets. Throws
 * 429 when none is left.
 */
export async function chargeBudget(
  scope: OperationScope,
  budget: CacheEntry,
  pod: JsonObject,
  dryRun: boolean,
): Promise<void> {
  const { environment, served: budgets } = scope;
  const charge = async (entry: CacheEntry | undefined): Promise<Change> => {
    if (entry === undefined) {
      return { type: "none" };
    }
    const live = budgets.form.decode(entry);
    const object = budgets.form.decode(entry);
    takeDisruption(object, metaOf(pod).name ?? "", timestamp(environment.now()));
    const written = { live, object, subresource: "status" };
    await trackFields(scope, written, { ...noWriteOptions, fieldManager: ownManager });
    budgets.form.canonicalize(object);
    return { type: "write", object: await budgets.form.toStored(object) };
  };
  if (dryRun) {
    await charge(budget);
  } else {
    await budgets.storage.change(budget.key, charge);
  }
}

function takeDisruption(budget: JsonObject, podName: string, now: string): void {
  const { name = "", generation = 0 } = metaOf(budget);
  const observed = integerAt(budget, "status", "observedGeneration");
  if (observed < generation) {
    throw tooManyDisruptions(name);
  }
  const allowed = Number(integerAt(budget, "status", "disruptionsAllowed"));
  if (allowed < 0) {
    throw refused(name, "pdb disruptions allowed is negative");
  }
  if (Object.keys(objectAt(budget, "status", "disruptedPods")).length > maxDisruptedPods) {
    throw refused(name, "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
  }
  if (allowed === 0) {
    const desired = integerAt(budget, "status", "desiredHealthy");
    const current = integerAt(budget, "status", "currentHealthy");
    throw violation(`The disruption budget ${name} needs ${desired} healthy pods and has ${current} currently`, {});
  }
  const status = ownObject(budget, "status");
  status["disruptionsAllowed"] = allowed - 1;
  status["disruptedPods"] = { ...objectAt(budget, "status", "disruptedPods"), [podName]: now };
  if (allowed === 1) {
    const condition = { type: "DisruptionAllowed", status: "False", observedGeneration: observed } as const;
    setCondition(budget, { ...condition, reason: "InsufficientPods", message: "" }, now);
  }
}

function refused(name: string, detail: string): StatusError {
  return forbidden({ group: "policy", resource: "poddisruptionbudget" }, name, detail);
}

/** Returns the 429 for a budget whose remaining disruptions are not known yet. */
export function tooManyDisruptions(name: string): StatusError {
  return violation(`The disruption budget ${name} is still being processed by the server.`, { retryAfterSeconds: 10 });
}

function violation(message: string, retry: { readonly retryAfterSeconds?: number }): StatusError {
  return new StatusError(429, "TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.", {
    causes: [{ reason: "DisruptionBudget", message }],
    ...retry,
  });
}
