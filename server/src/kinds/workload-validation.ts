import type { StrategyContext } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  FieldPath,
  goLabelSelector,
  isEmptySelector,
  type LabelSelectorOptions,
  selectsLabels,
  validateImmutable,
  validateLabelSelector,
  validateNonnegativeMembers,
} from "@gatehouse/apiserver/validation";
import { goTextMapOf } from "@gatehouse/envelopes/go";
import {
  integerAt,
  isSet,
  type JsonObject,
  type JsonValue,
  objectAt,
  textAt,
  valueAt,
} from "@gatehouse/envelopes/json";
import { podOptions } from "./core/pod/validation/options-of.js";
import type { PodOptions } from "./core/pod/validation/pod-options.js";

/** Path of the desired state of a workload; `statusPath` is that of the actual one. */
export const specPath: FieldPath = FieldPath.of("spec");
export const statusPath: FieldPath = FieldPath.of("status");

/** Returns the options for validating the template of a workload that replaces `old`. */
export function templateOptions(old: JsonObject | undefined, context: StrategyContext): PodOptions {
  return podOptions(valueAt(old, "spec", "template"), false, context);
}

/** Validates the selector of a workload by itself. `emptyFor` is v1.29's name of the kind. */
export function validateWorkloadSelector(spec: JsonObject, emptyFor: string, errors: FieldErrors): void {
  const path = specPath.child("selector");
  if (!isSet(spec, "selector")) {
    errors.required(path);
    return;
  }
  validateLabelSelector(spec["selector"], path, errors);
  validateNotEmpty(spec, emptyFor, errors);
}

/** Validates that the selector of a workload is not empty. `emptyFor` is v1.29's name of the kind. */
export function validateNotEmpty(spec: JsonObject, emptyFor: string, errors: FieldErrors): void {
  const { selector } = spec;
  if (isEmptySelector(selector)) {
    const detail = `empty selector is invalid for ${emptyFor}`;
    errors.invalidShown(specPath.child("selector"), goLabelSelector(selector), detail);
  }
}

/** Returns the labels of the pods that the template makes. */
export function templateLabels(spec: JsonObject): JsonObject {
  return objectAt(spec, "template", "metadata", "labels");
}

/** Adds the error of a selector that does not match the labels of its own template. */
export function reportMismatch(spec: JsonObject, errors: FieldErrors): void {
  errors.invalidShown(
    specPath.child("template").child("metadata").child("labels"),
    goTextMapOf(objectAt(spec, "template", "metadata"), "labels"),
    "`selector` does not match template `labels`",
  );
}

/**
 * Validates that the selector matches the labels of the template; returns false if it cannot be parsed, with `detail`
 * as the error.
 */
export function validateSelectorFindsTemplate(spec: JsonObject, detail: string, errors: FieldErrors): boolean {
  const { selector } = spec;
  const finds = selectsLabels(selector, templateLabels(spec));
  if (finds === undefined) {
    errors.invalidShown(specPath.child("selector"), goLabelSelector(selector), detail);
    return false;
  }
  if (!finds) {
    reportMismatch(spec, errors);
  }
  return true;
}

/** Validates that the selector has not changed, which would orphan the existing pods. */
export function validateImmutableSelector(object: JsonObject, old: JsonObject, errors: FieldErrors): void {
  const selector = valueAt(object, "spec", "selector");
  validateImmutable(selector, valueAt(old, "spec", "selector"), specPath.child("selector"), errors, goLabelSelector);
}

/** Validates that pods are always restarted and have no deadline. `kind` is v1.29's name of the kind. */
export function validateKeptAlive(spec: JsonObject, kind: string, errors: FieldErrors): void {
  const path = specPath.child("template").child("spec");
  const policy = textAt(spec, "template", "spec", "restartPolicy");
  if (policy !== "Always") {
    errors.notSupported(path.child("restartPolicy"), policy, ["Always"]);
  }
  if (isSet(spec, "template", "spec", "activeDeadlineSeconds")) {
    errors.forbidden(path.child("activeDeadlineSeconds"), `activeDeadlineSeconds in ${kind} is not Supported`);
  }
}

/** Validates that numbers of a status are not negative. */
export function validateCounts(object: JsonObject, names: readonly string[], errors: FieldErrors): void {
  validateNonnegativeMembers(objectAt(object, "status"), names, statusPath, errors);
}

/** Names of two counts, `part` at most `whole`; `text` is v1.29's name of the whole. */
export type PartOfWhole = readonly [part: string, whole: string, text: string];

/** Validates that no count in a status exceeds the count that it is a part of. */
export function validateParts(object: JsonObject, parts: readonly PartOfWhole[], errors: FieldErrors): void {
  const status = objectAt(object, "status");
  for (const [part, whole, text] of parts) {
    const count = integerAt(status, part);
    if (count > integerAt(status, whole)) {
      errors.invalid(statusPath.child(part), count, `cannot be greater than ${text}`);
    }
  }
}

/** Validates that the count of name collisions does not decrease. */
export function validateCollisions(object: JsonObject, old: JsonObject, errors: FieldErrors): void {
  const count = valueAt(object, "status", "collisionCount");
  const before = valueAt(old, "status", "collisionCount");
  if (isThere(before) && (!isThere(count) || Number(count) < Number(before))) {
    errors.invalid(statusPath.child("collisionCount"), Number(count ?? 0), "cannot be decremented");
  }
}

function isThere(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}

/** Returns options that allow invalid label values in a selector if the stored object has them. */
export function selectorOptions(options: PodOptions): LabelSelectorOptions {
  return { allowInvalidValues: options.allowInvalidSelectorValues };
}
