import { type FieldErrors, type FieldPath, isNumber } from "@gatehouse/apiserver/validation";
import { integerAt, isSet, type JsonValue, listAt, textAt, valueAt } from "@gatehouse/envelopes/json";

const selectPolicies = ["Disabled", "Max", "Min"];
const policyTypes = ["Percent", "Pods"];
const maxWindowSeconds = 3600;
const maxPeriodSeconds = 1800;

/** Validates the scaling rules of each direction, if set. */
export function validateBehavior(behavior: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  for (const direction of ["scaleUp", "scaleDown"]) {
    if (isSet(behavior, direction)) {
      validateScalingRules(valueAt(behavior, direction), path.child(direction), errors);
    }
  }
}

function validateScalingRules(rules: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const window = valueAt(rules, "stabilizationWindowSeconds");
  if (isNumber(window) && window < 0) {
    errors.invalid(path.child("stabilizationWindowSeconds"), window, "must be greater than or equal to zero");
  }
  if (isNumber(window) && window > maxWindowSeconds) {
    const detail = `must be less than or equal to ${maxWindowSeconds}`;
    errors.invalid(path.child("stabilizationWindowSeconds"), window, detail);
  }
  if (isSet(rules, "selectPolicy") && !selectPolicies.includes(textAt(rules, "selectPolicy"))) {
    errors.notSupported(path.child("selectPolicy"), textAt(rules, "selectPolicy"), selectPolicies);
  }
  const policies = listAt(rules, "policies");
  if (policies.length === 0) {
    errors.required(path.child("policies"), "must specify at least one Policy");
  }
  for (const [index, policy] of policies.entries()) {
    if (errors.isFull) {
      return;
    }
    validateScalingPolicy(policy, path.child("policies").index(index), errors);
  }
}

function validateScalingPolicy(policy: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const type = textAt(policy, "type");
  if (!policyTypes.includes(type)) {
    errors.notSupported(path.child("type"), type, policyTypes);
  }
  const value = integerAt(policy, "value");
  if (value <= 0) {
    errors.invalid(path.child("value"), value, "must be greater than zero");
  }
  const period = integerAt(policy, "periodSeconds");
  if (period <= 0) {
    errors.invalid(path.child("periodSeconds"), period, "must be greater than zero");
  }
  if (period > maxPeriodSeconds) {
    errors.invalid(path.child("periodSeconds"), period, `must be less than or equal to ${maxPeriodSeconds}`);
  }
}
