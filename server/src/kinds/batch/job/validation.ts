import {
  type FieldError,
  fieldError,
  type JsonObject,
  type JsonValue,
  type LabelSelectorObject,
  labelSelectorOf,
  SelectorError,
} from "@gatehouse/envelopes";
import { booleanAt, isSet, objectAt, textAt, valueAt } from "../../../objects/json-fields.js";
import { metaOf } from "../../../objects/object-meta.js";
import { ownObject } from "../../../objects/own-members.js";
import { sameJson } from "../../../verbs/same-json.js";
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
    ...immutable("selector", spec, oldSpec),
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
  return selects(job, expected) === false
    ? [
        ...errors,
        fieldError.invalid("spec.selector", valueAt(job, "spec", "selector"), "`selector` not auto-generated"),
      ]
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
    ...(selects(job, labels as Record<string, string>) === false
      ? [invalidLabels("spec.template.metadata.labels", labels, "`selector` does not match template `labels`")]
      : []),
  ];
}

/** Whether the job finds pods with these labels; undefined when its selector is no selector. */
function selects(job: JsonObject, labels: Readonly<Record<string, string>>): boolean | undefined {
  const selector = valueAt(job, "spec", "selector");
  if (selector === undefined || selector === null) {
    return false;
  }
  try {
    return labelSelectorOf(selector as LabelSelectorObject).matches(labels);
  } catch (error) {
    if (error instanceof SelectorError) {
      return undefined;
    }
    throw error;
  }
}

function templateLabels(job: JsonObject): JsonObject {
  return objectAt(job, "spec", "template", "metadata", "labels");
}

/** Labels are shown as Go prints a map. */
function invalidLabels(field: string, labels: JsonObject, detail: string): FieldError {
  const entries = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(", ");
  const shown = entries.length === 0 ? "map[string]string(nil)" : `map[string]string{${text}}`;
  return { ...fieldError.invalid(field, "", detail), message: `Invalid value: ${shown}: ${detail}` };
}

/** An indexed job may grow or shrink if all its pods run at once (KEP-3715). */
function completionsErrors(spec: JsonObject, oldSpec: JsonObject): readonly FieldError[] {
  if (textAt(spec, "completionMode") !== "Indexed") {
    return immutable("completions", spec, oldSpec);
  }
  const { completions, parallelism } = spec;
  return sameJson(completions, oldSpec["completions"]) || !isSet(spec, "completions") || completions === parallelism
    ? []
    : [fieldError.invalid("spec.completions", completions, "can only be modified in tandem with spec.parallelism")];
}

function immutable(name: string, spec: JsonObject, oldSpec: JsonObject): readonly FieldError[] {
  return sameJson(spec[name], oldSpec[name])
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
