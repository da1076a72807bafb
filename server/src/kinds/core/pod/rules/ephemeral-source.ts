import type { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { isSet, type JsonValue, objectAt } from "@gatehouse/envelopes/json";
import { checkTemplateMetadata } from "../../../../validation/template-metadata.js";
import { checkClaimSpec } from "../../../../validation/volumes/claim-spec.js";
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
