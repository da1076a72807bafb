import {
  type FieldErrors,
  type FieldPath,
  validateLabelSelector,
  validateQualifiedText,
  validateRequiredText,
  validateSupported,
} from "@gatehouse/apiserver/validation";
import {
  integerAt,
  isSet,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  textAt,
  valueAt,
} from "@gatehouse/envelopes/json";
import type { PodOptions } from "./pod-options.js";

const notPositive = "must be greater than zero";

/** Validates the topology spread constraints of a pod. */
export function validateTopologySpread(
  spec: JsonObject,
  path: FieldPath,
  errors: FieldErrors,
  options: PodOptions,
): void {
  const constraints = listAt(spec, "topologySpreadConstraints");
  const last = new Map(constraints.map((constraint, index) => [kindOf(constraint), index]));
  for (const [index, constraint] of constraints.entries()) {
    if (errors.isFull) {
      return;
    }
    const isRepeated = (last.get(kindOf(constraint)) ?? index) > index;
    validateConstraint(constraint, isRepeated, path.index(index), errors, options);
  }
}

/** Returns a key of a constraint: no two constraints have the same. */
function kindOf(constraint: JsonValue): string {
  return `{${textAt(constraint, "topologyKey")}, ${textAt(constraint, "whenUnsatisfiable")}}`;
}

function validateConstraint(
  constraint: JsonValue,
  isRepeated: boolean,
  path: FieldPath,
  errors: FieldErrors,
  options: PodOptions,
): void {
  const skew = integerAt(constraint, "maxSkew");
  if (skew <= 0) {
    errors.invalid(path.child("maxSkew"), skew, notPositive);
  }
  validateRequiredText(textAt(constraint, "topologyKey"), path.child("topologyKey"), errors, "can not be empty");
  const action = textAt(constraint, "whenUnsatisfiable");
  validateSupported(action, ["DoNotSchedule", "ScheduleAnyway"], path.child("whenUnsatisfiable"), errors);
  if (isRepeated) {
    errors.duplicate(path.child("{topologyKey, whenUnsatisfiable}"), kindOf(constraint));
  }
  validateMinDomains(constraint, action, path.child("minDomains"), errors);
  for (const name of ["nodeAffinityPolicy", "nodeTaintsPolicy"]) {
    if (isSet(constraint, name)) {
      validateSupported(textAt(constraint, name), ["Honor", "Ignore"], path.child(name), errors);
    }
  }
  validateMatchLabelKeys(constraint, path.child("matchLabelKeys"), errors);
  if (!options.allowInvalidSpreadSelectors) {
    validateLabelSelector(valueAt(constraint, "labelSelector"), path.child("labelSelector"), errors);
  }
}

function validateMinDomains(constraint: JsonValue, action: string, path: FieldPath, errors: FieldErrors): void {
  if (!isSet(constraint, "minDomains")) {
    return;
  }
  const domains = integerAt(constraint, "minDomains");
  if (domains <= 0) {
    errors.invalid(path, domains, notPositive);
  }
  if (action !== "DoNotSchedule") {
    const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
    errors.invalid(path, domains, detail);
  }
}

function validateMatchLabelKeys(constraint: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const keys = listAt(constraint, "matchLabelKeys");
  if (keys.length === 0) {
    return;
  }
  if (!isSet(constraint, "labelSelector")) {
    errors.forbidden(path, "must not be specified when labelSelector is not set");
  }
  const selected = new Set([
    ...Object.keys(objectAt(constraint, "labelSelector", "matchLabels")),
    ...listAt(constraint, "labelSelector", "matchExpressions").map((expression) => textAt(expression, "key")),
  ]);
  for (const [index, item] of keys.entries()) {
    if (errors.isFull) {
      return;
    }
    const key = String(item ?? "");
    validateQualifiedText(key, path.index(index), errors);
    if (selected.has(key)) {
      errors.invalid(path.index(index), key, "exists in both matchLabelKeys and labelSelector");
    }
  }
}
