import { type FieldError, fieldError, type JsonObject, type JsonValue } from "@gatehouse/envelopes";
import { isSameState } from "../../../objects/is-same-state.js";
import { booleanAt, isSet, objectAt, textAt, valueAt } from "../../../objects/json-fields.js";
import { metaOf } from "../../../objects/object-meta.js";
import { ownObject } from "../../../objects/own-members.js";
import {
  immutableSelector,
  invalidLabels,
  invalidSelector,
  mismatchedLabels,
  selects,
  templateLabels,
} from "../../workload-selector.js";
import { controllerUidLabel, jobNameLabel, legacyControllerUidLabel, legacyJobNameLabel } from "./labels.js";

/** A job must find its own pods and no others. */
export function validateJob(job: JsonObject): readonly FieldError[] {
  return [...generatedSelectorErrors(job), ...selectorErrors(job)];
}

/** What makes the pods stays as it is, so that those of before and after can be counted together. */
export function validateJobUpdate(job: JsonObject, old: JsonObject): readonly FieldError[] {
  const spec = objectAt(job, "spec");
  const oldSpec = objectAt(old, "spec");
  return [
    // v1.29 looks at the selector once more, and lists what it finds twice.
    ...selectorErrors(job),
    ...completionsErrors(spec, oldSpec),
    ...immutableSelector(job, old),
    ...immutable("template", spec, { template: comparableTemplate(spec, old) }),
    ...["completionMode", "podFailurePolicy", "backoffLimitPerIndex"].flatMap((name) => immutable(name, spec, oldSpec)),
  ];
}

/** Labels and selector that the server has made, unless the client has put something else in their place. */
function generatedSelectorErrors(job: JsonObject): readonly FieldError[] {
  if (booleanAt(job, "spec", "manualSelector") || !isSet(job, "spec", "selector")) {
    return [];
  }
  const { name = "", uid = "" } = metaOf(job);
  const expected = {
    [legacyControllerUidLabel]: uid,
    [legacyJobNameLabel]: name,
    [controllerUidLabel]: uid,
    [jobNameLabel]: name,
  };
  const errors = Object.entries(expected).flatMap(([label, value]) => labelErrors(job, label, value));
  const selector = valueAt(job, "spec", "selector");
  return selects(selector, expected) === false
    ? [...errors, invalidSelector(selector, "`selector` not auto-generated")]
    : errors;
}

function labelErrors(job: JsonObject, label: string, value: string): readonly FieldError[] {
  const labels = templateLabels(job);
  const field = `spec.template.metadata.labels[${label}]`;
  if (!Object.hasOwn(labels, label)) {
    return [fieldError.required(field, `must be '${value}'`)];
  }
  return labels[label] === value ? [] : [invalidLabels(field, labels, `must be '${value}'`)];
}

function selectorErrors(job: JsonObject): readonly FieldError[] {
  const labels = templateLabels(job);
  return [
    ...(isSet(job, "spec", "selector") ? [] : [fieldError.required("spec.selector")]),
    ...(selects(valueAt(job, "spec", "selector"), labels) === false ? [mismatchedLabels(labels)] : []),
  ];
}

/** An indexed job may grow or shrink if all its pods run at once (KEP-3715). */
function completionsErrors(spec: JsonObject, oldSpec: JsonObject): readonly FieldError[] {
  if (textAt(spec, "completionMode") !== "Indexed") {
    return immutable("completions", spec, oldSpec);
  }
  const { completions, parallelism } = spec;
  return isSameState(completions, oldSpec["completions"]) || !isSet(spec, "completions") || completions === parallelism
    ? []
    : [fieldError.invalid("spec.completions", completions, "can only be modified in tandem with spec.parallelism")];
}

function immutable(name: string, spec: JsonObject, oldSpec: JsonObject): readonly FieldError[] {
  return isSameState(spec[name], oldSpec[name])
    ? []
    : [fieldError.invalid(`spec.${name}`, spec[name], "field is immutable")];
}

/** The old template, but for what may change while a job is suspended and has never run: where its pods go (KEP-2926). */
function comparableTemplate(spec: JsonObject, old: JsonObject): JsonValue | undefined {
  const template = valueAt(old, "spec", "template");
  if (!booleanAt(old, "spec", "suspend") || isSet(old, "status", "startTime") || template === undefined) {
    return template;
  }
  const copy = { template: structuredClone(template) } as JsonObject;
  const next = objectAt(spec, "template");
  const own = ownObject(copy, "template");
  take(ownObject(own, "metadata"), objectAt(next, "metadata"), ["annotations", "labels"]);
  const ownSpec = ownObject(own, "spec");
  take(ownSpec, objectAt(next, "spec"), ["nodeSelector", "tolerations", "schedulingGates"]);
  take(ownObject(ownSpec, "affinity"), objectAt(next, "spec", "affinity"), ["nodeAffinity"]);
  return own;
}

function take(target: JsonObject, source: JsonObject, names: readonly string[]): void {
  for (const name of names) {
    if (isSet(source, name)) {
      target[name] = source[name];
    } else {
      delete target[name];
    }
  }
}
