import { isSameState } from "@gatehouse/apiserver/objects";
import type { KindRules } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, listAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { checkMatchConditions } from "../../rules/match-conditions.js";
import { checkMatchResources } from "../../rules/match-resources.js";
import { checkAuditAnnotations } from "./audit-annotations.js";
import { checkParamKind } from "./param-kind.js";
import { checkPolicyStatus } from "./status.js";
import { checkValidation } from "./validation.js";
import { checkVariable } from "./variable.js";

const spec = FieldPath.of("spec");
const failurePolicies = ["Fail", "Ignore"];

/** Rules of ValidatingAdmissionPolicy. Expressions need only be present: nothing here compiles them. */
export const validatingAdmissionPolicyRules: KindRules = {
  create: (policy, errors) => checkPolicy(policy, errors, false),
  update(policy, old, errors) {
    errors.recheckMetadata("object");
    checkPolicy(policy, errors, hasSameConditions(policy, old));
  },
  subresources: { status: (policy, _old, errors) => checkPolicyStatus(policy, errors) },
};

function hasSameConditions(policy: JsonObject, old: JsonObject): boolean {
  return ["paramKind", "matchConditions"].every((name) =>
    isSameState(valueAt(policy, "spec", name), valueAt(old, "spec", name)),
  );
}

function checkPolicy(policy: JsonObject, errors: FieldErrors, sameConditions: boolean): void {
  const failurePolicy = textAt(policy, "spec", "failurePolicy");
  if (!isSet(policy, "spec", "failurePolicy")) {
    errors.required(spec.child("failurePolicy"));
  } else if (!failurePolicies.includes(failurePolicy)) {
    errors.notSupported(spec.child("failurePolicy"), failurePolicy, failurePolicies);
  }
  if (isSet(policy, "spec", "paramKind")) {
    checkParamKind(valueAt(policy, "spec", "paramKind"), spec.child("paramKind"), errors);
  }
  checkMatchConstraints(policy, errors);
  if (!sameConditions) {
    checkMatchConditions(listAt(policy, "spec", "matchConditions"), spec.child("matchConditions"), errors);
  }
  for (const [index, variable] of listAt(policy, "spec", "variables").entries()) {
    if (errors.isFull) {
      return;
    }
    checkVariable(variable, spec.child("variables").index(index), errors);
  }
  checkValidations(policy, errors);
}

/** Validates the match constraints, which need at least one rule that says what the expressions apply to. */
function checkMatchConstraints(policy: JsonObject, errors: FieldErrors): void {
  const path = spec.child("matchConstraints");
  if (!isSet(policy, "spec", "matchConstraints")) {
    errors.required(path);
    return;
  }
  checkMatchResources(valueAt(policy, "spec", "matchConstraints"), path, errors);
  if (listAt(policy, "spec", "matchConstraints", "resourceRules").length === 0) {
    errors.required(path.child("resourceRules"));
  }
}

function checkValidations(policy: JsonObject, errors: FieldErrors): void {
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
    checkValidation(validation, spec.child("validations").index(index), errors);
  }
  checkAuditAnnotations(annotations, textAt(policy, "metadata", "name"), spec.child("auditAnnotations"), errors);
}
