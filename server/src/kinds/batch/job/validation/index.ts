import type { KindValidation, StrategyContext } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  hasInvalidLabelValue,
  selectsLabels,
  validateLabelSelector,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, listAt, objectAt, valueAt } from "@gatehouse/envelopes/json";
import type { PodOptions } from "../../../core/pod/validation/pod-options.js";
import {
  reportMismatch,
  selectorOptions,
  specPath,
  statusPath,
  templateLabels,
  templateOptions,
  validateCounts,
} from "../../../workload-validation.js";
import { validateGeneratedSelector } from "./generated-selector.js";
import { validateJobSpec } from "./job-spec.js";
import { validateIndexedName, validateJobUpdate } from "./job-update.js";

/**
 * Rules of Job: its selector finds its own pods and no others. v1.29 validates an update twice and lists every error
 * twice.
 */
export const jobValidation: KindValidation = {
  create(job, errors, context) {
    validateGeneratedSelector(job, undefined, errors);
    validateJob(job, errors, templateOptions(undefined, context));
    validateIndexedName(job, errors);
  },
  update(job, old, errors, context) {
    const options = jobOptions(old, context);
    errors.recheckMetadata("object");
    validateGeneratedSelector(job, old, errors);
    validateJob(job, errors, options);
    validateIndexedName(job, errors);
    errors.recheckMetadata("change");
    validateJob(job, errors, options);
    validateJobUpdate(job, old, errors, context);
  },
  subresources: { status: validateStatus },
};

function jobOptions(old: JsonObject, context: StrategyContext): PodOptions {
  const options = templateOptions(old, context);
  return hasInvalidLabelValue(valueAt(old, "spec", "selector"))
    ? { ...options, allowInvalidSelectorValues: true }
    : options;
}

function validateJob(job: JsonObject, errors: FieldErrors, options: PodOptions): void {
  const spec = objectAt(job, "spec");
  validateJobSpec(spec, specPath, errors, options);
  if (isSet(spec, "selector")) {
    validateLabelSelector(spec["selector"], specPath.child("selector"), errors, selectorOptions(options));
  } else {
    errors.required(specPath.child("selector"));
  }
  if (selectsLabels(spec["selector"], templateLabels(spec)) === false) {
    reportMismatch(spec, errors);
  }
}

/** Validates the status: each pod that has ended and is not yet counted is named once. */
function validateStatus(job: JsonObject, _old: JsonObject, errors: FieldErrors): void {
  errors.recheckMetadata("change");
  validateCounts(job, ["active", "succeeded", "failed", "ready", "terminating"], errors);
  const path = statusPath.child("uncountedTerminatedPods");
  const seen = new Set<string>();
  for (const name of ["succeeded", "failed"]) {
    for (const [index, item] of listAt(job, "status", "uncountedTerminatedPods", name).entries()) {
      if (errors.isFull) {
        return;
      }
      const uid = String(item ?? "");
      const at = path.child(name).index(index);
      if (uid === "") {
        errors.invalid(at, uid, "must not be empty");
      } else if (seen.has(uid)) {
        errors.duplicate(at, uid);
      } else {
        seen.add(uid);
      }
    }
  }
}
