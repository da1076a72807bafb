import type { GroupResource } from "@gatehouse/envelopes/status";
import { claimEvaluator } from "./claims.js";
import { objectCountEvaluator, resourceCountedAs } from "./object-count.js";
import { podEvaluator } from "./pods.js";
import type { QuotaEvaluator } from "./quota-evaluator.js";
import { serviceEvaluator } from "./services.js";

/** Evaluators of resources that are more than counted. */
const special: readonly QuotaEvaluator[] = [podEvaluator, serviceEvaluator, claimEvaluator];

/** Returns the evaluator of a resource. */
export function quotaEvaluator(resource: GroupResource): QuotaEvaluator {
  return (
    special.find((evaluator) => isSame(evaluator.resource, resource)) ??
    objectCountEvaluator({ group: resource.group, resource: resource.resource })
  );
}

/** Finds the evaluator of an amount by its name in quotas; undefined for an unknown name. */
export function evaluatorOfAmount(name: string): QuotaEvaluator | undefined {
  const evaluator = special.find(({ matches }) => matches(name));
  if (evaluator !== undefined) {
    return evaluator;
  }
  const counted = resourceCountedAs(name);
  return counted === undefined ? undefined : objectCountEvaluator(counted);
}

function isSame(a: GroupResource, b: GroupResource): boolean {
  return a.group === b.group && a.resource === b.resource;
}
