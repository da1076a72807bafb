import {
  checkFormat,
  checkLabelSelector,
  checkQualifiedText,
  checkRequiredText,
  type FieldErrors,
  type FieldPath,
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
import { checkLabelName } from "@gatehouse/envelopes/validation";
import { checkNodeSelector, checkNodeSelectorTerm } from "../../../../validation/node-selector.js";
import type { PodOptions } from "./pod-options.js";

const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";

/** Validates the affinity of a pod to nodes and other pods. */
export function checkAffinity(spec: JsonObject, path: FieldPath, errors: FieldErrors, options: PodOptions): void {
  if (!isSet(spec, "affinity")) {
    return;
  }
  const affinity = objectAt(spec, "affinity");
  if (isSet(affinity, "nodeAffinity")) {
    checkNodeAffinity(objectAt(affinity, "nodeAffinity"), path.child("nodeAffinity"), errors);
  }
  for (const name of ["podAffinity", "podAntiAffinity"]) {
    checkPodAffinity(objectAt(affinity, name), path.child(name), errors, options);
  }
}

function checkNodeAffinity(affinity: JsonObject, path: FieldPath, errors: FieldErrors): void {
  if (isSet(affinity, required)) {
    checkNodeSelector(affinity[required], path.child(required), errors);
  }
  for (const [index, term] of listAt(affinity, preferred).entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.child(preferred).index(index);
    checkWeight(term, at, errors);
    checkNodeSelectorTerm(valueAt(term, "preference"), at.child("preference"), errors);
  }
}

function checkWeight(term: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const weight = integerAt(term, "weight");
  if (weight <= 0 || weight > 100) {
    errors.invalid(path.child("weight"), weight, "must be in the range 1-100");
  }
}

function checkPodAffinity(affinity: JsonObject, path: FieldPath, errors: FieldErrors, options: PodOptions): void {
  for (const [index, term] of listAt(affinity, required).entries()) {
    if (errors.isFull) {
      return;
    }
    checkPodAffinityTerm(term, path.child(required).index(index), errors, options);
  }
  for (const [index, term] of listAt(affinity, preferred).entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.child(preferred).index(index);
    checkWeight(term, at, errors);
    checkPodAffinityTerm(objectAt(term, "podAffinityTerm"), at.child("podAffinityTerm"), errors, options);
  }
}

function checkPodAffinityTerm(term: JsonValue, path: FieldPath, errors: FieldErrors, options: PodOptions): void {
  const strictness = { allowInvalidValues: options.allowInvalidSelectorValues };
  for (const name of ["labelSelector", "namespaceSelector"]) {
    checkLabelSelector(valueAt(term, name), path.child(name), errors, strictness);
  }
  for (const namespace of listAt(term, "namespaces")) {
    if (errors.isFull) {
      return;
    }
    checkFormat(String(namespace ?? ""), checkLabelName, path.child("namespace"), errors);
  }
  checkLabelKeys(term, path, errors);
  const key = textAt(term, "topologyKey");
  checkRequiredText(key, path.child("topologyKey"), errors, "can not be empty");
  checkQualifiedText(key, path.child("topologyKey"), errors);
}

/** Validates `matchLabelKeys` and `mismatchLabelKeys`: labels whose values are those of the pod itself. */
function checkLabelKeys(term: JsonValue, path: FieldPath, errors: FieldErrors): void {
  const same = listAt(term, "matchLabelKeys");
  const other = listAt(term, "mismatchLabelKeys");
  const selector = valueAt(term, "labelSelector");
  checkKeys(same, selector, path.child("matchLabelKeys"), errors);
  checkKeys(other, selector, path.child("mismatchLabelKeys"), errors);
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

function checkKeys(keys: JsonArray, selector: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  if (keys.length > 0 && (selector === undefined || selector === null)) {
    errors.forbidden(path, "must not be specified when labelSelector is not set");
    return;
  }
  for (const [index, key] of keys.entries()) {
    if (errors.isFull) {
      return;
    }
    checkQualifiedText(String(key ?? ""), path.index(index), errors);
  }
}
