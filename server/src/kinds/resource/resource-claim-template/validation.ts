import { goObjectMeta, goStruct } from "@gatehouse/apiserver/go";
import type { KindValidation } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath, validateImmutableMessage } from "@gatehouse/apiserver/validation";
import { type JsonObject, objectAt, valueAt } from "@gatehouse/envelopes/json";
import { validateTemplateMetadata } from "../../../validation/template-metadata.js";
import { goClaimSpec, validateClaimSpec } from "../validation/claim-spec.js";

const message = "k8s.io.api.resource.v1alpha2.ResourceClaimTemplateSpec";
const spec = FieldPath.of("spec");

/** Rules of ResourceClaimTemplate, which never changes. v1.29 lists every error of an update twice. */
export const resourceClaimTemplateValidation: KindValidation = {
  create: validateTemplate,
  update(template, old, errors) {
    errors.recheckMetadata("object");
    validateTemplate(template, errors);
    errors.recheckMetadata("change");
    validateImmutableMessage(message, valueAt(template, "spec"), valueAt(old, "spec"), spec, errors, () =>
      goSpec(template),
    );
    errors.recheckMetadata("object");
    validateTemplate(template, errors);
  },
};

function validateTemplate(template: JsonObject, errors: FieldErrors): void {
  validateTemplateMetadata(objectAt(template, "spec", "metadata"), spec.child("metadata"), errors);
  validateClaimSpec(valueAt(template, "spec", "spec"), spec.child("spec"), errors);
}

function goSpec(template: JsonObject): string {
  return goStruct("resource.ResourceClaimTemplateSpec", {
    ObjectMeta: goObjectMeta(objectAt(template, "spec", "metadata")),
    Spec: goClaimSpec(valueAt(template, "spec", "spec")),
  });
}
