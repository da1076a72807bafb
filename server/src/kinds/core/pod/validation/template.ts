import { type FieldErrors, type FieldPath, validateAnnotations, validateLabels } from "@gatehouse/apiserver/validation";
import { type JsonValue, listAt, objectAt } from "@gatehouse/envelopes/json";
import { validatePodAnnotations, validateSeccompAgreement } from "./annotations.js";
import type { PodOptions } from "./pod-options.js";
import { validatePodSpec } from "./pod-spec.js";

/** Validates a template of pods. */
export function validatePodTemplate(
  template: JsonValue | undefined,
  path: FieldPath,
  errors: FieldErrors,
  options: PodOptions,
): void {
  validateTemplateMetadata(template, path, errors, options);
  const spec = objectAt(template, "spec");
  validatePodSpec(spec, "", path.child("spec"), errors, options);
  validateSeccompAgreement(objectAt(template, "metadata", "annotations"), spec, path.child("spec"), errors);
  if (listAt(spec, "ephemeralContainers").length > 0) {
    errors.forbidden(
      path.child("spec").child("ephemeralContainers"),
      "ephemeral containers not allowed in pod template",
    );
  }
}

/** Validates labels and annotations of a template. Errors have v1.29's path, without `metadata`. */
export function validateTemplateMetadata(
  template: JsonValue | undefined,
  path: FieldPath,
  errors: FieldErrors,
  options: PodOptions,
): void {
  const annotations = objectAt(template, "metadata", "annotations");
  validateLabels(objectAt(template, "metadata", "labels"), path.child("labels"), errors);
  validateAnnotations(annotations, path.child("annotations"), errors);
  validatePodAnnotations(annotations, objectAt(template, "spec"), path.child("annotations"), errors, options);
}
