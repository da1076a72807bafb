import { type FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { type JsonObject, type JsonValue, listAt, textsAt } from "@gatehouse/envelopes/json";

const rules = FieldPath.of("rules");

/** Validates the rules of a role. Those of a namespaced role cannot have non-resource URLs. */
export function validatePolicyRules(
  role: JsonObject,
  errors: FieldErrors,
  { namespaced }: { namespaced: boolean },
): void {
  for (const [index, rule] of listAt(role, "rules").entries()) {
    if (errors.isFull) {
      return;
    }
    validatePolicyRule(rule, rules.index(index), errors, namespaced);
  }
}

function validatePolicyRule(rule: JsonValue, path: FieldPath, errors: FieldErrors, namespaced: boolean): void {
  if (listAt(rule, "verbs").length === 0) {
    errors.required(path.child("verbs"), "verbs must contain at least one value");
  }
  const urls = textsAt(rule, "nonResourceURLs");
  if (urls.length > 0) {
    if (namespaced) {
      errors.invalid(path.child("nonResourceURLs"), urls, "namespaced rules cannot apply to non-resource URLs");
    }
    if (["apiGroups", "resources", "resourceNames"].some((name) => listAt(rule, name).length > 0)) {
      const detail = "rules cannot apply to both regular resources and non-resource URLs";
      errors.invalid(path.child("nonResourceURLs"), urls, detail);
    }
    return;
  }
  if (listAt(rule, "apiGroups").length === 0) {
    errors.required(path.child("apiGroups"), "resource rules must supply at least one api group");
  }
  if (listAt(rule, "resources").length === 0) {
    errors.required(path.child("resources"), "resource rules must supply at least one resource");
  }
}
