import type { GroupResource } from "@gatehouse/envelopes";
import { claimEvaluator } from "./claims.js";
import { objectCountEvaluator, resourceCountedAs } from "./object-count.js";
import { podEvaluator } from "./pods.js";
import type { QuotaEvaluator } from "./quota-evaluator.js";
import { serviceEvaluator } from "./services.js";

/** What is more than counted. */
const special: readonly QuotaEvaluator[] = [podEvaluator, serviceEvaluator, claimEvaluator];

/** How the objects of a resource count. */
export function quotaEvaluator(resource: GroupResource): QuotaEvaluator {
  return (
    special.find((evaluator) => isSame(evaluator.resource, resource)) ??
    objectCountEvaluator({ group: resource.group, resource: resource.resource })
  );
}

/** Whose objects decide about an amount, by the name that quotas have for it; undefined when nobody knows the name. */
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
