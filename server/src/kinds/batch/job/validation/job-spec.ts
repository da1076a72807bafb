import { type FieldErrors, type FieldPath, validateNonnegativeMembers } from "@gatehouse/apiserver/validation";
import { integerAt, isSet, type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import type { PodOptions } from "../../../core/pod/validation/pod-options.js";
import { validatePodTemplate } from "../../../core/pod/validation/template.js";
import { validatePodFailurePolicy } from "./pod-failure-policy.js";

const counts = [
  "parallelism",
  "completions",
  "activeDeadlineSeconds",
  "backoffLimit",
  "ttlSecondsAfterFinished",
  "backoffLimitPerIndex",
  "maxFailedIndexes",
];

/** Validates a JobSpec, of a job or of a template of jobs, except for its selector. */
export function validateJobSpec(spec: JsonObject, path: FieldPath, errors: FieldErrors, options: PodOptions): void {
  validateNonnegativeMembers(spec, counts, path, errors);
  if (isSet(spec, "maxFailedIndexes") && !isSet(spec, "backoffLimitPerIndex")) {
    errors.required(path.child("backoffLimitPerIndex"), "when maxFailedIndexes is specified");
  }
  validateCompletionMode(spec, path, errors);
  if (isSet(spec, "podFailurePolicy")) {
    validatePodFailurePolicy(spec, path.child("podFailurePolicy"), errors);
  }
  validateReplacementPolicy(spec, path.child("podReplacementPolicy"), errors);
  validatePodTemplate(spec["template"], path.child("template"), errors, options);
  validateRestartPolicy(spec, path.child("template").child("spec").child("restartPolicy"), errors);
}

const modes = ["NonIndexed", "Indexed"];

function validateCompletionMode(spec: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const mode = textAt(spec, "completionMode");
  const isGiven = isSet(spec, "completionMode");
  if (isGiven && !modes.includes(mode)) {
    errors.notSupported(path.child("completionMode"), mode, modes);
  }
  if (mode === "Indexed") {
    validateIndexed(spec, path, errors);
  }
  if (!isGiven || mode === "NonIndexed") {
    for (const name of ["backoffLimitPerIndex", "maxFailedIndexes"].filter((member) => isSet(spec, member))) {
      errors.invalid(path.child(name), integerAt(spec, name), "requires indexed completion mode");
    }
  }
}

/** Number of indexes that the lists of a status can hold. */
const maxIndexes = 100_000;
const manyCompletions = 100_000;
const maxWithManyCompletions = 10_000;

function validateIndexed(spec: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const completions = isSet(spec, "completions") ? integerAt(spec, "completions") : undefined;
  const parallelism = integerAt(spec, "parallelism");
  const failed = integerAt(spec, "maxFailedIndexes");
  const failedPath = path.child("maxFailedIndexes");
  const atMost = (limit: number): string => `must be less than or equal to ${limit}`;
  if (completions === undefined) {
    errors.required(path.child("completions"), "when completion mode is Indexed");
  }
  if (parallelism > maxIndexes) {
    errors.invalid(path.child("parallelism"), parallelism, `${atMost(maxIndexes)} when completion mode is Indexed`);
  }
  if (completions !== undefined && isSet(spec, "maxFailedIndexes") && failed > completions) {
    errors.invalid(failedPath, failed, "must be less than or equal to completions");
  }
  if (failed > maxIndexes) {
    errors.invalid(failedPath, failed, atMost(maxIndexes));
  }
  if (completions === undefined || completions <= manyCompletions || !isSet(spec, "backoffLimitPerIndex")) {
    return;
  }
  const detail = `${atMost(maxWithManyCompletions)} when completions are above ${manyCompletions} and used with backoff limit per index`;
  if (!isSet(spec, "maxFailedIndexes")) {
    errors.required(failedPath, `must be specified when completions is above ${manyCompletions}`);
  }
  if (parallelism > maxWithManyCompletions) {
    errors.invalid(path.child("parallelism"), parallelism, detail);
  }
  if (failed > maxWithManyCompletions) {
    errors.invalid(failedPath, failed, detail);
  }
}

/** Validates the policy for replacing pods. With a pod failure policy it must be `Failed`. */
function validateReplacementPolicy(spec: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const policy = textAt(spec, "podReplacementPolicy");
  const supported = isSet(spec, "podFailurePolicy") ? ["Failed"] : ["Failed", "TerminatingOrFailed"];
  if (isSet(spec, "podReplacementPolicy") && !supported.includes(policy)) {
    errors.notSupported(path, policy, supported);
  }
}

/** Validates the restart policy: pods of a job are not always restarted. */
function validateRestartPolicy(spec: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const policy = textAt(objectAt(spec, "template", "spec"), "restartPolicy");
  const supported = ["OnFailure", "Never"];
  if (policy === "Always" || policy === "") {
    errors.required(path, 'valid values: "OnFailure", "Never"');
  } else if (!supported.includes(policy)) {
    errors.notSupported(path, policy, supported);
  } else if (isSet(spec, "podFailurePolicy") && policy !== "Never") {
    errors.invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified');
  }
}
