import { type FieldErrors, type FieldPath, validateFormat } from "@gatehouse/apiserver/validation";
import { goTexts } from "@gatehouse/envelopes/go";
import { isSet, type JsonValue, textAt, textsAt, valueAt } from "@gatehouse/envelopes/json";
import { validatePathSegmentName } from "@gatehouse/envelopes/validation";
import { validateResources } from "./resources.js";

const supportedOperations = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const scopes = ["*", "Cluster", "Namespaced"];

/** Validates a rule that says which requests a webhook or a policy applies to. */
export function validateRuleWithOperations(rule: JsonValue, path: FieldPath, errors: FieldErrors): void {
  validateOperations(rule, path.child("operations"), errors);
  const groups = textsAt(rule, "apiGroups");
  if (groups.length === 0) {
    errors.required(path.child("apiGroups"));
  }
  validateWildcard(groups, "API groups", path.child("apiGroups"), errors);
  const versions = textsAt(rule, "apiVersions");
  if (versions.length === 0) {
    errors.required(path.child("apiVersions"));
  }
  validateWildcard(versions, "API versions", path.child("apiVersions"), errors);
  for (const [index, version] of versions.entries()) {
    if (version === "" && !errors.isFull) {
      errors.required(path.child("apiVersions").index(index));
    }
  }
  validateResources(textsAt(rule, "resources"), path.child("resources"), errors);
  const scope = textAt(rule, "scope");
  if (isSet(rule, "scope") && !scopes.includes(scope)) {
    errors.notSupported(path.child("scope"), scope, scopes);
  }
}

/** Validates a rule with operations that may be limited to objects of some names. */
export function validateNamedRuleWithOperations(rule: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const names = new Set<string>();
  for (const [index, name] of textsAt(rule, "resourceNames").entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.child("resourceNames").index(index);
    validateFormat(name, validatePathSegmentName, at, errors);
    if (names.has(name)) {
      errors.duplicate(at, name);
    }
    names.add(name);
  }
  validateRuleWithOperations(rule, path, errors);
}

function validateOperations(rule: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const operations = textsAt(rule, "operations");
  if (operations.length === 0) {
    errors.required(path);
  }
  if (operations.length > 1 && operations.includes("*")) {
    const shown = goTexts("admissionregistration.OperationType", valueAt(rule, "operations"));
    errors.invalidShown(path, shown, "if '*' is present, must not specify other operations");
  }
  for (const [index, operation] of operations.entries()) {
    if (errors.isFull) {
      return;
    }
    if (!supportedOperations.includes(operation)) {
      errors.notSupported(path.index(index), operation, supportedOperations);
    }
  }
}

function validateWildcard(names: string[], what: string, path: FieldPath, errors: FieldErrors): void {
  if (names.length > 1 && names.includes("*")) {
    errors.invalid(path, names, `if '*' is present, must not specify other ${what}`);
  }
}
