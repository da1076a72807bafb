import {
  type FieldErrors,
  type FieldPath,
  validateFormat,
  validateQualifiedText,
} from "@gatehouse/apiserver/validation";
import { type JsonValue, listAt, textAt } from "@gatehouse/envelopes/json";
import { validateSubdomainName } from "@gatehouse/envelopes/validation";

/** Validates a NodeSelector: terms of which one must match. */
export function validateNodeSelector(selector: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const terms = listAt(selector, "nodeSelectorTerms");
  const termsPath = path.child("nodeSelectorTerms");
  if (terms.length === 0) {
    errors.required(termsPath, "must have at least one node selector term");
  }
  for (const [index, term] of terms.entries()) {
    if (errors.isFull) {
      return;
    }
    validateNodeSelectorTerm(term, termsPath.index(index), errors);
  }
}

/** Validates a term: requirements on labels and fields of the node, all of which must be met. */
export function validateNodeSelectorTerm(term: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const checks = { matchExpressions: validateLabelRequirement, matchFields: validateFieldRequirement };
  for (const [name, check] of Object.entries(checks)) {
    for (const [index, requirement] of listAt(term, name).entries()) {
      if (errors.isFull) {
        return;
      }
      check(requirement, path.child(name).index(index), errors);
    }
  }
}

function validateLabelRequirement(requirement: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const operator = textAt(requirement, "operator");
  const { length } = listAt(requirement, "values");
  const values = path.child("values");
  switch (operator) {
    case "In":
    case "NotIn":
      if (length === 0) {
        errors.required(values, "must be specified when `operator` is 'In' or 'NotIn'");
      }
      break;
    case "Exists":
    case "DoesNotExist":
      if (length > 0) {
        errors.forbidden(values, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      }
      break;
    case "Gt":
    case "Lt":
      if (length !== 1) {
        errors.required(values, "must be specified single value when `operator` is 'Lt' or 'Gt'");
      }
      break;
    default:
      errors.invalid(path.child("operator"), operator, "not a valid selector operator");
  }
  validateQualifiedText(textAt(requirement, "key"), path.child("key"), errors);
}

/** Validates a requirement on a field of the node; only `metadata.name` can be selected. */
function validateFieldRequirement(requirement: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const operator = textAt(requirement, "operator");
  const values = listAt(requirement, "values");
  if (operator !== "In" && operator !== "NotIn") {
    errors.invalid(path.child("operator"), operator, "not a valid selector operator");
  } else if (values.length !== 1) {
    errors.required(
      path.child("values"),
      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
    );
  }
  const key = textAt(requirement, "key");
  if (key !== "metadata.name") {
    errors.invalid(path.child("key"), key, "not a valid field selector key");
    return;
  }
  for (const [index, value] of values.entries()) {
    if (errors.isFull) {
      return;
    }
    validateFormat(String(value), validateSubdomainName, path.child("values").index(index), errors);
  }
}
