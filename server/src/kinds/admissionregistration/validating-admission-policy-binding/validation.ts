import type { KindValidation } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  FieldPath,
  validateFormat,
  validateLabelSelector,
  validateRequiredText,
} from "@gatehouse/apiserver/validation";
import { goTexts } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, type JsonValue, textAt, textsAt, valueAt } from "@gatehouse/envelopes/json";
import { validatePathSegmentName, validateSubdomainName } from "@gatehouse/envelopes/validation";
import { validateMatchResources } from "../validation/match-resources.js";

const spec = FieldPath.of("spec");
const actions = ["Audit", "Deny", "Warn"];
const exclusive = "name and selector are mutually exclusive";

/** Rules of ValidatingAdmissionPolicyBinding. */
export const validatingAdmissionPolicyBindingValidation: KindValidation = {
  create: validateBinding,
  update: (binding, _old, errors) => validateBinding(binding, errors),
};

function validateBinding(binding: JsonObject, errors: FieldErrors): void {
  const policyName = textAt(binding, "spec", "policyName");
  if (validateRequiredText(policyName, spec.child("policyName"), errors)) {
    validateFormat(policyName, validateSubdomainName, spec.child("policyName"), errors);
  }
  if (isSet(binding, "spec", "paramRef")) {
    validateParamRef(valueAt(binding, "spec", "paramRef"), spec.child("paramRef"), errors);
  }
  if (isSet(binding, "spec", "matchResources")) {
    // Spelled as in v1.29.
    validateMatchResources(valueAt(binding, "spec", "matchResources"), spec.child("matchResouces"), errors);
  }
  validateActions(binding, spec.child("validationActions"), errors);
}

/** Validates a reference to parameters, by name or by selector but not by both. */
function validateParamRef(reference: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const name = textAt(reference, "name");
  const hasSelector = isSet(reference, "selector");
  if (name !== "") {
    validateFormat(name, validatePathSegmentName, path.child("name"), errors);
    if (hasSelector) {
      errors.forbidden(path.child("name"), exclusive);
    }
  }
  if (hasSelector) {
    validateLabelSelector(valueAt(reference, "selector"), path.child("selector"), errors);
    if (name !== "") {
      errors.forbidden(path.child("selector"), exclusive);
    }
  }
  if (name === "" && !hasSelector) {
    errors.required(path, "one of name or selector must be specified");
  }
  const action = textAt(reference, "parameterNotFoundAction");
  const actionPath = path.child("parameterNotFoundAction");
  if (validateRequiredText(action, actionPath, errors) && action !== "Deny" && action !== "Allow") {
    errors.notSupported(actionPath, action, ["Deny", "Allow"]);
  }
}

/** Validates the actions for a violation: each once, and not both a denial and a warning. */
function validateActions(binding: JsonObject, path: FieldPath, errors: FieldErrors): void {
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
