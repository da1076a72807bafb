import { checkAnnotations, checkLabels, type FieldErrors, type FieldPath } from "@gatehouse/apiserver/validation";
import { type JsonValue, listAt, objectAt } from "@gatehouse/envelopes/json";
import { checkPodAnnotations, checkSeccompAgreement } from "./annotations.js";
import type { PodOptions } from "./pod-options.js";
import { checkPodSpec } from "./pod-spec.js";

/** Validates a template of pods. */
export function checkPodTemplate(
  template: JsonValue | undefined,
  path: FieldPath,
  errors: FieldErrors,
  options: PodOptions,
): void {
  checkTemplateMetadata(template, path, errors, options);
  const spec = objectAt(template, "spec");
  checkPodSpec(spec, "", path.child("spec"), errors, options);
  checkSeccompAgreement(objectAt(template, "metadata", "annotations"), spec, path.child("spec"), errors);
  if (listAt(spec, "ephemeralContainers").length > 0) {
    errors.forbidden(
      path.child("spec").child("ephemeralContainers"),
      "ephemeral containers not allowed in pod template",
    );
  }
}

/** Validates labels and annotations of a template. Errors have v1.29's path, without `metadata`. */
export function checkTemplateMetadata(
  template: JsonValue | undefined,
  path: FieldPath,
  errors: FieldErrors,
  options: PodOptions,
): void {
  const annotations = objectAt(template, "metadata", "annotations");
  checkLabels(objectAt(template, "metadata", "labels"), path.child("labels"), errors);
  checkAnnotations(annotations, path.child("annotations"), errors);
  checkPodAnnotations(annotations, objectAt(template, "spec"), path.child("annotations"), errors, options);
}
