import { goObjectMeta, goStruct } from "@gatehouse/apiserver/go";
import type { KindRules } from "@gatehouse/apiserver/registry";
import { checkImmutableMessage, type FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { type JsonObject, objectAt, valueAt } from "@gatehouse/envelopes/json";
import { checkTemplateMetadata } from "../../../validation/template-metadata.js";
import { checkClaimSpec, goClaimSpec } from "../rules/claim-spec.js";

const message = "k8s.io.api.resource.v1alpha2.ResourceClaimTemplateSpec";
const spec = FieldPath.of("spec");

/** Rules of ResourceClaimTemplate, which never changes. v1.29 lists every error of an update twice. */
export const resourceClaimTemplateRules: KindRules = {
  create: checkTemplate,
  update(template, old, errors) {
    errors.recheckMetadata("object");
    checkTemplate(template, errors);
    errors.recheckMetadata("change");
    checkImmutableMessage(message, valueAt(template, "spec"), valueAt(old, "spec"), spec, errors, () =>
      goSpec(template),
    );
    errors.recheckMetadata("object");
    checkTemplate(template, errors);
  },
};

function checkTemplate(template: JsonObject, errors: FieldErrors): void {
  checkTemplateMetadata(objectAt(template, "spec", "metadata"), spec.child("metadata"), errors);
  checkClaimSpec(valueAt(template, "spec", "spec"), spec.child("spec"), errors);
}

function goSpec(template: JsonObject): string {
  return goStruct("resource.ResourceClaimTemplateSpec", {
    ObjectMeta: goObjectMeta(objectAt(template, "spec", "metadata")),
    Spec: goClaimSpec(valueAt(template, "spec", "spec")),
  });
}
