import {
  type FieldErrors,
  type FieldPath,
  validateFormat,
  validateLabelSelector,
  validateQualifiedText,
  validateRequiredText,
} from "@gatehouse/apiserver/validation";
import {
  integerAt,
  isSet,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  textAt,
  valueAt,
} from "@gatehouse/envelopes/json";
import { validateLabelName } from "@gatehouse/envelopes/validation";
import { validateNodeSelector, validateNodeSelectorTerm } from "../../../../validation/node-selector.js";
import type { PodOptions } from "./pod-options.js";

const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";

/** Validates the affinity of a pod to nodes and other pods. */
export function validateAffinity(spec: JsonObject, path: FieldPath, errors: FieldErrors, options: PodOptions): void {
  if (!isSet(spec, "affinity")) {
    return;
  }
  const affinity = objectAt(spec, "affinity");
  if (isSet(affinity, "nodeAffinity")) {
    validateNodeAffinity(objectAt(affinity, "nodeAffinity"), path.child("nodeAffinity"), errors);
  }
  for (const name of ["podAffinity", "podAntiAffinity"]) {
    validatePodAffinity(objectAt(affinity, name), path.child(name), errors, options);
  }
}

function validateNodeAffinity(affinity: JsonObject, path: FieldPath, errors: FieldErrors): void {
  if (isSet(affinity, required)) {
    validateNodeSelector(affinity[required], path.child(required), errors);
  }
  for (const [index, term] of listAt(affinity, preferred).entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.child(preferred).index(index);
    validateWeight(term, at, errors);
    validateNodeSelectorTerm(valueAt(term, "preference"), at.child("preference"), errors);
  }
}

function validateWeight(term: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const weight = integerAt(term, "weight");
  if (weight <= 0 || weight > 100) {
    errors.invalid(path.child("weight"), weight, "must be in the range 1-100");
  }
}

function validatePodAffinity(affinity: JsonObject, path: FieldPath, errors: FieldErrors, options: PodOptions): void {
  for (const [index, term] of listAt(affinity, required).entries()) {
    if (errors.isFull) {
      return;
    }
    validatePodAffinityTerm(term, path.child(required).index(index), errors, options);
  }
  for (const [index, term] of listAt(affinity, preferred).entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.child(preferred).index(index);
    validateWeight(term, at, errors);
    validatePodAffinityTerm(objectAt(term, "podAffinityTerm"), at.child("podAffinityTerm"), errors, options);
  }
}

function validatePodAffinityTerm(term: JsonValue, path: FieldPath, errors: FieldErrors, options: PodOptions): void {
  const strictness = { allowInvalidValues: options.allowInvalidSelectorValues };
  for (const name of ["labelSelector", "namespaceSelector"]) {
    validateLabelSelector(valueAt(term, name), path.child(name), errors, strictness);
  }
  for (const namespace of listAt(term, "namespaces")) {
    if (errors.isFull) {
      return;
    }
    validateFormat(String(namespace ?? ""), validateLabelName, path.child("namespace"), errors);
  }
  validateLabelKeys(term, path, errors);
  const key = textAt(term, "topologyKey");
  validateRequiredText(key, path.child("topologyKey"), errors, "can not be empty");
  validateQualifiedText(key, path.child("topologyKey"), errors);
}

/** Validates `matchLabelKeys` and `mismatchLabelKeys`: labels whose values are those of the pod itself. */
function validateLabelKeys(term: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const same = listAt(term, "matchLabelKeys");
  const other = listAt(term, "mismatchLabelKeys");
  const selector = valueAt(term, "labelSelector");
  validateKeys(same, selector, path.child("matchLabelKeys"), errors);
  validateKeys(other, selector, path.child("mismatchLabelKeys"), errors);
  if (same.length === 0) {
    return;
  }
  const indexes = new Map(same.map((key, index) => [key, index]));
  const selected = new Set(Object.keys(objectAt(selector, "matchLabels")));
  for (const expression of listAt(selector, "matchExpressions")) {
    if (errors.isFull) {
      return;
    }
    const key = textAt(expression, "key");
    const index = indexes.get(key);
    // The selector already holds the requirements made of the keys; only a repeated one came from the client.
    if (index !== undefined && selected.has(key)) {
      errors.invalid(path.index(index), key, "exists in both matchLabelKeys and labelSelector");
    }
    selected.add(key);
  }
  const others = new Set(other);
  for (const [index, key] of same.entries()) {
    if (others.has(key) && !errors.isFull) {
      const detail = "exists in both matchLabelKeys and mismatchLabelKeys";
      errors.invalid(path.child("matchLabelKeys").index(index), key, detail);
    }
  }
}

function validateKeys(keys: JsonArray, selector: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  if (keys.length > 0 && (selector === undefined || selector === null)) {
    errors.forbidden(path, "must not be specified when labelSelector is not set");
    return;
  }
  for (const [index, key] of keys.entries()) {
    if (errors.isFull) {
      return;
    }
    validateQualifiedText(String(key ?? ""), path.index(index), errors);
  }
}
