import type { KindValidation } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { isSameState } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, listAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { expressionsOf, validateMatchConditions } from "../../validation/match-conditions.js";
import { validateMatchResources } from "../../validation/match-resources.js";
import { validateAuditAnnotations } from "./audit-annotations.js";
import { validateParamKind } from "./param-kind.js";
import { validatePolicyStatus } from "./status.js";
import { validateValidation } from "./validation.js";
import { validateVariable } from "./variable.js";

const spec = FieldPath.of("spec");
const failurePolicies = ["Fail", "Ignore"];

/** Rules of ValidatingAdmissionPolicy. Expressions need only be present: nothing here compiles them. */
export const validatingAdmissionPolicyValidation: KindValidation = {
  create: (policy, errors) => validatePolicy(policy, errors, new Set()),
  update(policy, old, errors) {
    errors.recheckMetadata("object");
    const stored = expressionsOf(listAt(old, "spec", "matchConditions"));
    validatePolicy(policy, errors, hasSameConditions(policy, old) ? undefined : new Set(stored));
  },
  subresources: { status: (policy, _old, errors) => validatePolicyStatus(policy, errors) },
};

function hasSameConditions(policy: JsonObject, old: JsonObject): boolean {
  return ["paramKind", "matchConditions"].every((name) =>
    isSameState(valueAt(policy, "spec", name), valueAt(old, "spec", name)),
  );
}

/** Validates a policy. `stored`: expressions of match conditions that are stored; undefined if none have changed. */
function validatePolicy(policy: JsonObject, errors: FieldErrors, stored: ReadonlySet<string> | undefined): void {
  const failurePolicy = textAt(policy, "spec", "failurePolicy");
  if (!isSet(policy, "spec", "failurePolicy")) {
    errors.required(spec.child("failurePolicy"));
  } else if (!failurePolicies.includes(failurePolicy)) {
    errors.notSupported(spec.child("failurePolicy"), failurePolicy, failurePolicies);
  }
  if (isSet(policy, "spec", "paramKind")) {
    validateParamKind(valueAt(policy, "spec", "paramKind"), spec.child("paramKind"), errors);
  }
  validateMatchConstraints(policy, errors);
  if (stored !== undefined) {
    const context = { hasParams: isSet(policy, "spec", "paramKind"), stored };
    validateMatchConditions(listAt(policy, "spec", "matchConditions"), spec.child("matchConditions"), errors, context);
  }
  for (const [index, variable] of listAt(policy, "spec", "variables").entries()) {
    if (errors.isFull) {
      return;
    }
    validateVariable(variable, spec.child("variables").index(index), errors);
  }
  validateValidations(policy, errors);
}

/** Validates the match constraints, which need at least one rule that says what the expressions apply to. */
function validateMatchConstraints(policy: JsonObject, errors: FieldErrors): void {
  const path = spec.child("matchConstraints");
  if (!isSet(policy, "spec", "matchConstraints")) {
    errors.required(path);
    return;
  }
  validateMatchResources(valueAt(policy, "spec", "matchConstraints"), path, errors);
  if (listAt(policy, "spec", "matchConstraints", "resourceRules").length === 0) {
    errors.required(path.child("resourceRules"));
  }
}

function validateValidations(policy: JsonObject, errors: FieldErrors): void {
  const validations = listAt(policy, "spec", "validations");
  const annotations = listAt(policy, "spec", "auditAnnotations");
  if (validations.length + annotations.length === 0) {
    for (const name of ["validations", "auditAnnotations"]) {
      errors.required(spec.child(name), "validations or auditAnnotations must contain at least one item");
    }
    return;
  }
  for (const [index, validation] of validations.entries()) {
    if (errors.isFull) {
      return;
    }
    validateValidation(validation, spec.child("validations").index(index), errors);
  }
  validateAuditAnnotations(annotations, textAt(policy, "metadata", "name"), spec.child("auditAnnotations"), errors);
}
