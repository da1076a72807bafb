import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { isSet, type JsonValue, objectAt } from "@gatehouse/envelopes/json";
import { validateTemplateMetadata } from "../../../../validation/template-metadata.js";
import { validateClaimSpec } from "../../../../validation/volumes/claim-spec.js";
import type { PodOptions } from "./pod-options.js";

/** Validates an ephemeral volume, a claim that is created and deleted with the pod. */
export function validateEphemeralSource(
  source: JsonValue,
  path: FieldPath,
  errors: FieldErrors,
  { checksAttributesClass }: PodOptions,
): void {
  const at = path.child("volumeClaimTemplate");
  if (!isSet(source, "volumeClaimTemplate")) {
    errors.required(at);
    return;
  }
  const template = objectAt(source, "volumeClaimTemplate");
  validateTemplateMetadata(objectAt(template, "metadata"), at.child("metadata"), errors);
  validateClaimSpec(objectAt(template, "spec"), at.child("spec"), errors, { checksAttributesClass });
}
