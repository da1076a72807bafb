import type { KindValidation } from "@gatehouse/apiserver/registry";
import {
  FieldErrors,
  FieldPath,
  validateAtMost100Percent,
  validateConditions,
  validateIntOrPercent,
  validateLabelSelector,
  validateNonnegativeMembers,
} from "@gatehouse/apiserver/validation";
import { goLiteral, goPointer } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, listAt, objectAt, textAt, valueAt } from "@gatehouse/envelopes/json";

const spec = FieldPath.of("spec");
const status = FieldPath.of("status");
const limits = ["minAvailable", "maxUnavailable"];
const counts = ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"];
const evictionPolicies = ["AlwaysAllow", "IfHealthyBudget"];

/** Rules of PodDisruptionBudget. */
export const podDisruptionBudgetValidation: KindValidation = {
  create: (budget, errors) => validateBudget(budget, errors, false),
  update: (budget, old, errors) => validateBudget(budget, errors, hasInvalidSelector(old)),
  subresources: {
    status(budget, _old, errors) {
      validateConditions(listAt(budget, "status", "conditions"), status.child("conditions"), errors);
      validateNonnegativeMembers(valueAt(budget, "status"), counts, status, errors);
    },
  },
};

function validateBudget(budget: JsonObject, errors: FieldErrors, allowInvalidValues: boolean): void {
  if (limits.every((name) => isSet(budget, "spec", name))) {
    const detail = "minAvailable and maxUnavailable cannot be both set";
    errors.invalidShown(spec, goSpec(objectAt(budget, "spec")), detail);
  }
  for (const name of limits) {
    const limit = valueAt(budget, "spec", name);
    validateIntOrPercent(limit, spec.child(name), errors);
    validateAtMost100Percent(limit, spec.child(name), errors);
  }
  validateLabelSelector(valueAt(budget, "spec", "selector"), spec.child("selector"), errors, { allowInvalidValues });
  const policy = textAt(budget, "spec", "unhealthyPodEvictionPolicy");
  if (isSet(budget, "spec", "unhealthyPodEvictionPolicy") && !evictionPolicies.includes(policy)) {
    errors.notSupported(spec.child("unhealthyPodEvictionPolicy"), policy, evictionPolicies);
  }
}

function hasInvalidSelector(budget: JsonObject): boolean {
  const errors = new FieldErrors();
  validateLabelSelector(valueAt(budget, "spec", "selector"), spec, errors);
  return errors.list.length > 0;
}

function goSpec(budget: JsonObject): string {
  return goLiteral("policy.PodDisruptionBudgetSpec", {
    MinAvailable: goPointer("intstr.IntOrString", budget["minAvailable"]),
    Selector: goPointer("v1.LabelSelector", budget["selector"]),
    MaxUnavailable: goPointer("intstr.IntOrString", budget["maxUnavailable"]),
    UnhealthyPodEvictionPolicy: goPointer(
      "policy.UnhealthyPodEvictionPolicyType",
      budget["unhealthyPodEvictionPolicy"],
    ),
  });
}
