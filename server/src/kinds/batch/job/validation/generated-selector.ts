import { metaOf } from "@gatehouse/apiserver/objects";
import { type FieldErrors, goLabelSelector, selectsLabels } from "@gatehouse/apiserver/validation";
import { goTextMap } from "@gatehouse/envelopes/go";
import { booleanAt, isSet, type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { specPath, templateLabels } from "../../../workload-validation.js";
import { controllerUidLabel, jobNameLabel, legacyControllerUidLabel, legacyJobNameLabel } from "../labels.js";

/**
 * Labels and selector that the server has made, unless the client has put something else in their place. Jobs from
 * before the labels had a domain need not have those.
 */
export function validateGeneratedSelector(job: JsonObject, old: JsonObject | undefined, errors: FieldErrors): void {
  const spec = objectAt(job, "spec");
  if (booleanAt(spec, "manualSelector") || !isSet(spec, "selector")) {
    return;
  }
  const { name = "", uid = "" } = metaOf(job);
  const legacy = { [legacyControllerUidLabel]: uid, [legacyJobNameLabel]: name };
  const own = { [controllerUidLabel]: uid, [jobNameLabel]: name };
  const oldLabels = templateLabels(objectAt(old, "spec"));
  const needsOwn = old === undefined || Object.keys(own).every((label) => Object.hasOwn(oldLabels, label));
  const expected: Readonly<Record<string, string>> = needsOwn ? { ...legacy, ...own } : legacy;
  for (const [label, value] of Object.entries(expected)) {
    validateLabel(spec, label, value, errors);
  }
  if (selectsLabels(spec["selector"], expected) === false) {
    const shown = goLabelSelector(spec["selector"]);
    errors.invalidShown(specPath.child("selector"), shown, "`selector` not auto-generated");
  }
}

function validateLabel(spec: JsonObject, label: string, value: string, errors: FieldErrors): void {
  const labels = templateLabels(spec);
  const path = specPath.child("template").child("metadata").child("labels").key(label);
  if (!Object.hasOwn(labels, label)) {
    errors.required(path, `must be '${value}'`);
  } else if (labels[label] !== value) {
    errors.invalidShown(path, goTextMap(labels), `must be '${value}'`);
  }
}
