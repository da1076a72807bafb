import type { KindValidation } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath, validateImmutableMessage } from "@gatehouse/apiserver/validation";
import { goLiteral, goObjectMeta, goSyntax } from "@gatehouse/envelopes/go";
import { type JsonObject, objectAt, valueAt } from "@gatehouse/envelopes/json";
import { validateTemplateMetadata } from "../../../validation/template-metadata.js";
import { validateClaimSpec } from "../validation/claim-spec.js";

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
  return goLiteral("resource.ResourceClaimTemplateSpec", {
    ObjectMeta: goObjectMeta(objectAt(template, "spec", "metadata")),
    Spec: goSyntax("k8s.io.api.resource.v1alpha2.ResourceClaimSpec", valueAt(template, "spec", "spec")),
  });
}
