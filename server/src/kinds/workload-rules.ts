import { goTextMapOf } from "@gatehouse/apiserver/go";
import type { StrategyContext } from "@gatehouse/apiserver/registry";
import type { FieldErrors } from "@gatehouse/apiserver/validation";
import {
  checkImmutable,
  checkLabelSelector,
  checkNonnegativeMembers,
  FieldPath,
  goLabelSelector,
  isEmptySelector,
  type LabelSelectorOptions,
  selectsLabels,
} from "@gatehouse/apiserver/validation";
import { integerAt, isSet, type JsonObject, type JsonValue, objectAt, textAt, valueAt } from "@gatehouse/envelopes";
import { podOptions } from "./core/pod/rules/options-of.js";
import type { PodOptions } from "./core/pod/rules/pod-options.js";

/** Where the desired state of a workload stands, and where the actual one. */
export const specPath: FieldPath = FieldPath.of("spec");
export const statusPath: FieldPath = FieldPath.of("status");

/** The options for the template of a workload that replaces `old`. */
export function templateOptions(old: JsonObject | undefined, context: StrategyContext): PodOptions {
  return podOptions(valueAt(old, "spec", "template"), false, context);
}

/** What is wrong with a selector by itself. `emptyFor` is the kind as v1.29 names it. */
export function checkWorkloadSelector(spec: JsonObject, emptyFor: string, errors: FieldErrors): void {
  const path = specPath.child("selector");
  if (!isSet(spec, "selector")) {
    errors.required(path);
    return;
  }
  checkLabelSelector(spec["selector"], path, errors);
  checkNotEmpty(spec, emptyFor, errors);
}

/** A workload selects something. */
export function checkNotEmpty(spec: JsonObject, emptyFor: string, errors: FieldErrors): void {
  const { selector } = spec;
  if (isEmptySelector(selector)) {
    const detail = `empty selector is invalid for ${emptyFor}`;
    errors.invalidShown(specPath.child("selector"), goLabelSelector(selector), detail);
  }
}

/** The labels of the pods that the template makes. */
export function templateLabels(spec: JsonObject): JsonObject {
  return objectAt(spec, "template", "metadata", "labels");
}

/** A workload would not find pods whose labels its selector does not match. */
export function reportMismatch(spec: JsonObject, errors: FieldErrors): void {
  errors.invalidShown(
    specPath.child("template").child("metadata").child("labels"),
    goTextMapOf(objectAt(spec, "template", "metadata"), "labels"),
    "`selector` does not match template `labels`",
  );
}

/**
 * Whether the selector is one; a selector that selects something must find the pods of the template. `detail` is what is
 * said once more of one that is none.
 */
export function checkSelectorFindsTemplate(spec: JsonObject, detail: string, errors: FieldErrors): boolean {
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

/** A selector that changed would leave the pods of before to nobody. */
export function checkImmutableSelector(object: JsonObject, old: JsonObject, errors: FieldErrors): void {
  const selector = valueAt(object, "spec", "selector");
  checkImmutable(selector, valueAt(old, "spec", "selector"), specPath.child("selector"), errors, goLabelSelector);
}

/** Pods that are kept alive are always started again, and have no end. `kind` is as v1.29 names it. */
export function checkKeptAlive(spec: JsonObject, kind: string, errors: FieldErrors): void {
  const path = specPath.child("template").child("spec");
  const policy = textAt(spec, "template", "spec", "restartPolicy");
  if (policy !== "Always") {
    errors.notSupported(path.child("restartPolicy"), policy, ["Always"]);
  }
  if (isSet(spec, "template", "spec", "activeDeadlineSeconds")) {
    errors.forbidden(path.child("activeDeadlineSeconds"), `activeDeadlineSeconds in ${kind} is not Supported`);
  }
}

/** Numbers of a status, none of them less than zero. */
export function checkCounts(object: JsonObject, names: readonly string[], errors: FieldErrors): void {
  checkNonnegativeMembers(objectAt(object, "status"), names, statusPath, errors);
}

/** `[part, whole, text]`: no part is greater than the whole; `text` is how v1.29 calls the whole. */
export type PartOfWhole = readonly [part: string, whole: string, text: string];

/** What a status counts as a part of something is not more than that. */
export function checkParts(object: JsonObject, parts: readonly PartOfWhole[], errors: FieldErrors): void {
  const status = objectAt(object, "status");
  for (const [part, whole, text] of parts) {
    const count = integerAt(status, part);
    if (count > integerAt(status, whole)) {
      errors.invalid(statusPath.child(part), count, `cannot be greater than ${text}`);
    }
  }
}

/** How often names collided is only ever counted up. */
export function checkCollisions(object: JsonObject, old: JsonObject, errors: FieldErrors): void {
  const count = valueAt(object, "status", "collisionCount");
  const before = valueAt(old, "status", "collisionCount");
  if (isThere(before) && (!isThere(count) || Number(count) < Number(before))) {
    errors.invalid(statusPath.child("collisionCount"), Number(count ?? 0), "cannot be decremented");
  }
}

function isThere(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}

/** Values in a selector that no label can have are let pass if they were there before. */
export function selectorOptions(options: PodOptions): LabelSelectorOptions {
  return { allowInvalidValues: options.allowInvalidSelectorValues };
}
