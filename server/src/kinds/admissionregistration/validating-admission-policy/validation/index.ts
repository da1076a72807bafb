import type { KindValidation } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { isSameState } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, listAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import type { Steps } from "@gatehouse/envelopes/scheduling";
import { validateMatchConditions } from "../../validation/match-conditions.js";
import { validateMatchResources } from "../../validation/match-resources.js";
import { validateAuditAnnotations } from "./audit-annotations.js";
import { validateParamKind } from "./param-kind.js";
import { PolicyExpressions } from "./policy-expressions.js";
import { validatePolicyStatus } from "./status.js";
import { validateValidation } from "./validation.js";
import { validateVariable } from "./variable.js";

const spec = FieldPath.of("spec");
const failurePolicies = ["Fail", "Ignore"];

/** Rules of ValidatingAdmissionPolicy. Its expressions are compiled; those that are stored may be of this release. */
export const validatingAdmissionPolicyValidation: KindValidation = {
  create: (policy, errors) => validatePolicy(policy, undefined, errors),
  update(policy, old, errors) {
    errors.recheckMetadata("object");
    return validatePolicy(policy, old, errors);
  },
  subresources: { status: (policy, _old, errors) => validatePolicyStatus(policy, errors) },
};

/** Validates a policy in steps: an expression may take a while to compile, and there may be thousands. */
function* validatePolicy(policy: JsonObject, old: JsonObject | undefined, errors: FieldErrors): Steps {
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
  const expressions = new PolicyExpressions(policy, old);
  if (old === undefined || !hasSameConditions(policy, old)) {
    const context = { hasParams: expressions.hasParams, stored: expressions.stored.matchConditions };
    const conditions = listAt(policy, "spec", "matchConditions");
    yield* validateMatchConditions(conditions, spec.child("matchConditions"), errors, context);
  }
  for (const [index, variable] of listAt(policy, "spec", "variables").entries()) {
    if (errors.isFull) {
      return;
    }
    validateVariable(variable, spec.child("variables").index(index), errors, expressions);
    yield;
  }
  yield* validateValidations(policy, errors, expressions);
}

/** Reports whether no match condition has changed, nor what they may use: then they are not validated again. */
function hasSameConditions(policy: JsonObject, old: JsonObject): boolean {
  return ["paramKind", "matchConditions"].every((name) =>
    isSameState(valueAt(policy, "spec", name), valueAt(old, "spec", name)),
  );
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

function* validateValidations(policy: JsonObject, errors: FieldErrors, expressions: PolicyExpressions): Steps {
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
    validateValidation(validation, spec.child("validations").index(index), errors, expressions);
    yield;
  }
  const policyName = textAt(policy, "metadata", "name");
  yield* validateAuditAnnotations(annotations, policyName, spec.child("auditAnnotations"), errors, expressions);
}
