import type { KindValidation } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath, validateImmutableMessage } from "@gatehouse/apiserver/validation";
import { goSyntax } from "@gatehouse/envelopes/go";
import { type JsonObject, valueAt } from "@gatehouse/envelopes/json";
import { validateClaimSpec } from "../validation/claim-spec.js";
import { validateClaimStatus } from "./status-validation.js";

const message = "k8s.io.api.resource.v1alpha2.ResourceClaimSpec";
const spec = FieldPath.of("spec");

/** Rules of ResourceClaim, whose spec never changes. v1.29 lists every error of an update twice. */
export const resourceClaimValidation: KindValidation = {
  create: validateSpec,
  update(claim, old, errors) {
    errors.recheckMetadata("object");
    validateSpec(claim, errors);
    errors.recheckMetadata("change");
    const wanted = valueAt(claim, "spec");
    validateImmutableMessage(message, wanted, valueAt(old, "spec"), spec, errors, () => goSyntax(message, wanted));
    errors.recheckMetadata("object");
    validateSpec(claim, errors);
  },
  subresources: { status: validateClaimStatus },
};

function validateSpec(claim: JsonObject, errors: FieldErrors): void {
  validateClaimSpec(valueAt(claim, "spec"), spec, errors);
}
