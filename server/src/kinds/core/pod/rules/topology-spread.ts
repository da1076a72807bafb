import {
  checkLabelSelector,
  checkQualifiedText,
  checkRequiredText,
  checkSupported,
  type FieldErrors,
  type FieldPath,
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
export function checkTopologySpread(spec: JsonObject, path: FieldPath, errors: FieldErrors, options: PodOptions): void {
  const constraints = listAt(spec, "topologySpreadConstraints");
  const last = new Map(constraints.map((constraint, index) => [kindOf(constraint), index]));
  for (const [index, constraint] of constraints.entries()) {
    if (errors.isFull) {
      return;
    }
    const isRepeated = (last.get(kindOf(constraint)) ?? index) > index;
    checkConstraint(constraint, isRepeated, path.index(index), errors, options);
  }
}

/** Returns a key of a constraint: no two constraints have the same. */
function kindOf(constraint: JsonValue): string {
  return `{${textAt(constraint, "topologyKey")}, ${textAt(constraint, "whenUnsatisfiable")}}`;
}

function checkConstraint(
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
  checkRequiredText(textAt(constraint, "topologyKey"), path.child("topologyKey"), errors, "can not be empty");
  const action = textAt(constraint, "whenUnsatisfiable");
  checkSupported(action, ["DoNotSchedule", "ScheduleAnyway"], path.child("whenUnsatisfiable"), errors);
  if (isRepeated) {
    errors.duplicate(path.child("{topologyKey, whenUnsatisfiable}"), kindOf(constraint));
  }
  checkMinDomains(constraint, action, path.child("minDomains"), errors);
  for (const name of ["nodeAffinityPolicy", "nodeTaintsPolicy"]) {
    if (isSet(constraint, name)) {
      checkSupported(textAt(constraint, name), ["Honor", "Ignore"], path.child(name), errors);
    }
  }
  checkMatchLabelKeys(constraint, path.child("matchLabelKeys"), errors);
  if (!options.allowInvalidSpreadSelectors) {
    checkLabelSelector(valueAt(constraint, "labelSelector"), path.child("labelSelector"), errors);
  }
}

function checkMinDomains(constraint: JsonValue, action: string, path: FieldPath, errors: FieldErrors): void {
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

function checkMatchLabelKeys(constraint: JsonValue, path: FieldPath, errors: FieldErrors): void {
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
    checkQualifiedText(key, path.index(index), errors);
    if (selected.has(key)) {
      errors.invalid(path.index(index), key, "exists in both matchLabelKeys and labelSelector");
    }
  }
}
