import { type JsonObject, objectAt, valueAt } from "@gatehouse/envelopes";
import type { KindRules } from "../../../catalogue/resource-definition.js";
import type { FieldErrors } from "../../../rules/field-errors.js";
import { FieldPath } from "../../../rules/field-path.js";
import { goObjectMeta } from "../../../rules/go/object-meta.js";
import { goStruct } from "../../../rules/go-literals.js";
import { checkImmutableMessage } from "../../../rules/immutable.js";
import { checkTemplateMetadata } from "../../../rules/template-metadata.js";
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
