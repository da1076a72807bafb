import type { KindValidation } from "@gatehouse/apiserver/registry";
import { FieldErrors, FieldPath, selectsLabels, validateLabelSelector } from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, listAt } from "@gatehouse/envelopes/json";
import { validatePolicyRules } from "./policy-rule.js";

const selectorsPath = FieldPath.of("aggregationRule").child("clusterRoleSelectors");

/** Rules of Role. v1.29 lists every error of an update twice. */
export const roleValidation: KindValidation = {
  create: (role, errors) => validatePolicyRules(role, errors, { namespaced: true }),
  update(role, _old, errors) {
    errors.recheckMetadata("object");
    validatePolicyRules(role, errors, { namespaced: true });
    errors.recheckMetadata("object");
    validatePolicyRules(role, errors, { namespaced: true });
    errors.recheckMetadata("change");
  },
};

/** Rules of ClusterRole. v1.29 lists every error of an update twice. */
export const clusterRoleValidation: KindValidation = {
  create: (role, errors) => validateClusterRole(role, errors, false),
  update(role, old, errors) {
    const allowInvalidValues = hasInvalidSelector(old);
    errors.recheckMetadata("object");
    validateClusterRole(role, errors, allowInvalidValues);
    errors.recheckMetadata("object");
    validateClusterRole(role, errors, allowInvalidValues);
    errors.recheckMetadata("change");
  },
};

function validateClusterRole(role: JsonObject, errors: FieldErrors, allowInvalidValues: boolean): void {
  validatePolicyRules(role, errors, { namespaced: false });
  if (!isSet(role, "aggregationRule")) {
    return;
  }
  const selectors = listAt(role, "aggregationRule", "clusterRoleSelectors");
  if (selectors.length === 0) {
    errors.required(selectorsPath, "at least one clusterRoleSelector required if aggregationRule is non-nil");
  }
  for (const [index, selector] of selectors.entries()) {
    if (errors.isFull) {
      return;
    }
    validateLabelSelector(selector, selectorsPath.index(index), errors, { allowInvalidValues });
    if (selectsLabels(selector, {}) === undefined) {
      errors.invalid(selectorsPath.index(index), null, "invalid label selector.");
    }
  }
}

function hasInvalidSelector(role: JsonObject): boolean {
  const errors = new FieldErrors();
  for (const selector of listAt(role, "aggregationRule", "clusterRoleSelectors")) {
    validateLabelSelector(selector, selectorsPath, errors);
  }
  return errors.list.length > 0;
}
