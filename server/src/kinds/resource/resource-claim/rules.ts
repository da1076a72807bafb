import type { KindRules } from "@gatehouse/apiserver/registry";
import { checkImmutableMessage, type FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { type JsonObject, valueAt } from "@gatehouse/envelopes/json";
import { checkClaimSpec, goClaimSpec } from "../rules/claim-spec.js";
import { checkClaimStatus } from "./status-rules.js";

const message = "k8s.io.api.resource.v1alpha2.ResourceClaimSpec";
const spec = FieldPath.of("spec");

/** Rules of ResourceClaim, whose spec never changes. v1.29 lists every error of an update twice. */
export const resourceClaimRules: KindRules = {
  create: checkSpec,
  update(claim, old, errors) {
    errors.recheckMetadata("object");
    checkSpec(claim, errors);
    errors.recheckMetadata("change");
    const wanted = valueAt(claim, "spec");
    checkImmutableMessage(message, wanted, valueAt(old, "spec"), spec, errors, () => goClaimSpec(wanted));
    errors.recheckMetadata("object");
    checkSpec(claim, errors);
  },
  subresources: { status: checkClaimStatus },
};

function checkSpec(claim: JsonObject, errors: FieldErrors): void {
  checkClaimSpec(valueAt(claim, "spec"), spec, errors);
}
