import { metaOf } from "@gatehouse/apiserver/objects";
import type { KindValidation } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  FieldPath,
  goLabelSelector,
  validateNonnegativeMembers,
  validateRequiredSupported,
} from "@gatehouse/apiserver/validation";
import { booleanAt, isSet, type JsonObject, objectAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { cronScheduleProblem, timeZoneProblem } from "../../../validation/cron-schedule.js";
import { podOptions } from "../../core/pod/validation/options-of.js";
import type { PodOptions } from "../../core/pod/validation/pod-options.js";
import { specPath } from "../../workload-validation.js";
import { validateJobSpec } from "../job/validation/job-spec.js";

/** Limit on the name in bytes: names of its jobs have eleven more, and are label values. */
const maxName = 52;

/** Rules of CronJob: its schedule and the template of its jobs. */
export const cronJobValidation: KindValidation = {
  create(cronJob, errors, context) {
    validateCronJob(cronJob, undefined, errors, podOptions(undefined, false, context));
    const { name = "" } = metaOf(cronJob);
    if (Buffer.byteLength(name) > maxName) {
      errors.invalid(FieldPath.of("metadata").child("name"), name, `must be no more than ${maxName} characters`);
    }
  },
  update(cronJob, old, errors, context) {
    errors.recheckMetadata("change");
    const template = valueAt(old, "spec", "jobTemplate", "spec", "template");
    validateCronJob(cronJob, old, errors, podOptions(template, false, context));
  },
  // v1.29 does not validate the status, nor its metadata again.
  subresources: { status: () => undefined },
};

function validateCronJob(
  cronJob: JsonObject,
  old: JsonObject | undefined,
  errors: FieldErrors,
  options: PodOptions,
): void {
  const spec = objectAt(cronJob, "spec");
  const oldSpec = objectAt(old, "spec");
  if (textAt(spec, "schedule") === "") {
    errors.required(specPath.child("schedule"));
  } else {
    validateSchedule(spec, textAt(oldSpec, "schedule"), errors);
  }
  validateNonnegativeMembers(spec, ["startingDeadlineSeconds"], specPath, errors);
  if (isSet(spec, "timeZone") && (old === undefined || spec["timeZone"] !== oldSpec["timeZone"])) {
    validateTimeZone(textAt(spec, "timeZone"), errors);
  }
  validateRequiredSupported(
    textAt(spec, "concurrencyPolicy"),
    ["Allow", "Forbid", "Replace"],
    specPath.child("concurrencyPolicy"),
    errors,
  );
  validateJobTemplate(objectAt(spec, "jobTemplate", "spec"), errors, options);
  validateNonnegativeMembers(spec, ["successfulJobsHistoryLimit", "failedJobsHistoryLimit"], specPath, errors);
}

/** Validates the schedule. A time zone in it is allowed if the old schedule has one. */
function validateSchedule(spec: JsonObject, oldSchedule: string, errors: FieldErrors): void {
  const path = specPath.child("schedule");
  const schedule = textAt(spec, "schedule");
  const problem = cronScheduleProblem(schedule);
  if (problem !== undefined) {
    errors.invalid(path, schedule, problem);
  }
  if (!schedule.includes("TZ")) {
    return;
  }
  if (!oldSchedule.includes("TZ")) {
    errors.invalid(path, schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
  } else if (isSet(spec, "timeZone")) {
    errors.invalid(path, schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule");
  }
}

const zonePart = /^[A-Za-z.\-_0-9+]{1,14}$/;

/** Validates a time zone, which is a name of the IANA database. */
function validateTimeZone(zone: string, errors: FieldErrors): void {
  const path = specPath.child("timeZone");
  if (zone === "") {
    errors.invalid(path, zone, "timeZone must be nil or non-empty string");
    return;
  }
  const isOdd = (part: string): boolean =>
    part === "." || part === ".." || part.startsWith("-") || !zonePart.test(part);
  if (zone.split("/").some(isOdd)) {
    errors.invalid(path, zone, `unknown time zone ${zone}`);
    return;
  }
  if (zone.toLowerCase() === "local") {
    const detail = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
    errors.invalid(path, zone, detail);
  }
  const problem = timeZoneProblem(zone);
  if (problem !== undefined) {
    errors.invalid(path, zone, problem);
  }
}

/** Validates the template of jobs, which may set neither selector nor `manualSelector`. */
function validateJobTemplate(spec: JsonObject, errors: FieldErrors, options: PodOptions): void {
  const path = specPath.child("jobTemplate").child("spec");
  validateJobSpec(spec, path, errors, options);
  if (isSet(spec, "selector")) {
    const shown = goLabelSelector(spec["selector"]);
    errors.invalidShown(path.child("selector"), shown, "`selector` will be auto-generated");
  }
  if (booleanAt(spec, "manualSelector")) {
    errors.notSupported(path.child("manualSelector"), true, ["nil", "false"]);
  }
}
