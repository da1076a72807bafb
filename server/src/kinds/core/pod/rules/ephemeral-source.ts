import { isSet, type JsonValue, objectAt } from "@gatehouse/envelopes";
import type { FieldErrors } from "../../../../rules/field-errors.js";
import type { FieldPath } from "../../../../rules/field-path.js";
import { checkTemplateMetadata } from "../../../../rules/template-metadata.js";
import { checkClaimSpec } from "../../../../rules/volumes/claim-spec.js";
import type { PodOptions } from "./pod-options.js";

/** Validates an ephemeral volume, a claim that is created and deleted with the pod. */
export function checkEphemeralSource(
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
  checkTemplateMetadata(objectAt(template, "metadata"), at.child("metadata"), errors);
  checkClaimSpec(objectAt(template, "spec"), at.child("spec"), errors, { checksAttributesClass });
}
