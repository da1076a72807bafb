import type { KindRules, StrategyContext } from "@gatehouse/apiserver/registry";
import {
  checkLabelSelector,
  type FieldErrors,
  hasInvalidLabelValue,
  selectsLabels,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, listAt, objectAt, valueAt } from "@gatehouse/envelopes/json";
import type { PodOptions } from "../../../core/pod/rules/pod-options.js";
import {
  checkCounts,
  reportMismatch,
  selectorOptions,
  specPath,
  statusPath,
  templateLabels,
  templateOptions,
} from "../../../workload-rules.js";
import { checkGeneratedSelector } from "./generated-selector.js";
import { checkJobSpec } from "./job-spec.js";
import { checkIndexedName, checkJobChange } from "./job-update.js";

/**
 * Rules of Job: its selector finds its own pods and no others. v1.29 validates an update twice and lists every error
 * twice.
 */
export const jobRules: KindRules = {
  create(job, errors, context) {
    checkGeneratedSelector(job, undefined, errors);
    checkJob(job, errors, templateOptions(undefined, context));
    checkIndexedName(job, errors);
  },
  update(job, old, errors, context) {
    const options = jobOptions(old, context);
    errors.recheckMetadata("object");
    checkGeneratedSelector(job, old, errors);
    checkJob(job, errors, options);
    checkIndexedName(job, errors);
    errors.recheckMetadata("change");
    checkJob(job, errors, options);
    checkJobChange(job, old, errors, context);
  },
  subresources: { status: checkStatus },
};

function jobOptions(old: JsonObject, context: StrategyContext): PodOptions {
  const options = templateOptions(old, context);
  return hasInvalidLabelValue(valueAt(old, "spec", "selector"))
    ? { ...options, allowInvalidSelectorValues: true }
    : options;
}

function checkJob(job: JsonObject, errors: FieldErrors, options: PodOptions): void {
  const spec = objectAt(job, "spec");
  checkJobSpec(spec, specPath, errors, options);
  if (isSet(spec, "selector")) {
    checkLabelSelector(spec["selector"], specPath.child("selector"), errors, selectorOptions(options));
  } else {
    errors.required(specPath.child("selector"));
  }
  if (selectsLabels(spec["selector"], templateLabels(spec)) === false) {
    reportMismatch(spec, errors);
  }
}

/** Validates the status: each pod that has ended and is not yet counted is named once. */
function checkStatus(job: JsonObject, _old: JsonObject, errors: FieldErrors): void {
  errors.recheckMetadata("change");
  checkCounts(job, ["active", "succeeded", "failed", "ready", "terminating"], errors);
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
