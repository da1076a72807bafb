import { type FieldErrors, type FieldPath, validateLabelSelector } from "@gatehouse/apiserver/validation";
import { isSet, type JsonValue, listAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { validateNamedRuleWithOperations } from "./rule-with-operations.js";

const matchPolicies = ["Equivalent", "Exact"];

/** Validates the MatchResources of a policy or its binding: the objects that it applies to. */
export function validateMatchResources(match: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  if (!isSet(match, "matchPolicy")) {
    errors.required(path.child("matchPolicy"));
  } else if (!matchPolicies.includes(textAt(match, "matchPolicy"))) {
    errors.notSupported(path.child("matchPolicy"), textAt(match, "matchPolicy"), matchPolicies);
  }
  for (const name of ["namespaceSelector", "objectSelector"]) {
    if (isSet(match, name)) {
      validateLabelSelector(valueAt(match, name), path.child(name), errors);
    } else {
      errors.required(path.child(name));
    }
  }
  for (const name of ["resourceRules", "excludeResourceRules"]) {
    for (const [index, rule] of listAt(match, name).entries()) {
      if (errors.isFull) {
        return;
      }
      validateNamedRuleWithOperations(rule, path.child(name).index(index), errors);
    }
  }
}
