import { goTexts } from "@gatehouse/apiserver/go";
import type { KindRules } from "@gatehouse/apiserver/registry";
import {
  checkFormat,
  checkLabelSelector,
  checkRequiredText,
  type FieldErrors,
  FieldPath,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, type JsonValue, textAt, textsAt, valueAt } from "@gatehouse/envelopes/json";
import { checkPathSegmentName, checkSubdomainName } from "@gatehouse/envelopes/validation";
import { checkMatchResources } from "../rules/match-resources.js";

const spec = FieldPath.of("spec");
const actions = ["Audit", "Deny", "Warn"];
const exclusive = "name and selector are mutually exclusive";

/** Rules of ValidatingAdmissionPolicyBinding. */
export const validatingAdmissionPolicyBindingRules: KindRules = {
  create: checkBinding,
  update: (binding, _old, errors) => checkBinding(binding, errors),
};

function checkBinding(binding: JsonObject, errors: FieldErrors): void {
  const policyName = textAt(binding, "spec", "policyName");
  if (checkRequiredText(policyName, spec.child("policyName"), errors)) {
    checkFormat(policyName, checkSubdomainName, spec.child("policyName"), errors);
  }
  if (isSet(binding, "spec", "paramRef")) {
    checkParamRef(valueAt(binding, "spec", "paramRef"), spec.child("paramRef"), errors);
  }
  if (isSet(binding, "spec", "matchResources")) {
    // Spelled as in v1.29.
    checkMatchResources(valueAt(binding, "spec", "matchResources"), spec.child("matchResouces"), errors);
  }
  checkActions(binding, spec.child("validationActions"), errors);
}

/** Validates a reference to parameters, by name or by selector but not by both. */
function checkParamRef(reference: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const name = textAt(reference, "name");
  const hasSelector = isSet(reference, "selector");
  if (name !== "") {
    checkFormat(name, checkPathSegmentName, path.child("name"), errors);
    if (hasSelector) {
      errors.forbidden(path.child("name"), exclusive);
    }
  }
  if (hasSelector) {
    checkLabelSelector(valueAt(reference, "selector"), path.child("selector"), errors);
    if (name !== "") {
      errors.forbidden(path.child("selector"), exclusive);
    }
  }
  if (name === "" && !hasSelector) {
    errors.required(path, "one of name or selector must be specified");
  }
  const action = textAt(reference, "parameterNotFoundAction");
  const actionPath = path.child("parameterNotFoundAction");
  if (checkRequiredText(action, actionPath, errors) && action !== "Deny" && action !== "Allow") {
    errors.notSupported(actionPath, action, ["Deny", "Allow"]);
  }
}

/** Validates the actions for a violation: each once, and not both a denial and a warning. */
function checkActions(binding: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const found = new Set<string>();
  for (const [index, action] of textsAt(binding, "spec", "validationActions").entries()) {
    if (errors.isFull) {
      return;
    }
    if (!actions.includes(action)) {
      errors.notSupported(path.index(index), action, actions);
    }
    if (found.has(action)) {
      errors.duplicate(path.index(index), action);
    }
    found.add(action);
  }
  if (found.has("Deny") && found.has("Warn")) {
    const shown = goTexts("admissionregistration.ValidationAction", valueAt(binding, "spec", "validationActions"));
    const detail =
      "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";
    errors.invalidShown(path, shown, detail);
  }
  if (found.size === 0) {
    errors.required(path, "at least one validation action is required");
  }
}
