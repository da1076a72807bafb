import type { KindValidation } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";

const spec = FieldPath.of("spec");

/** Rules of Lease: durations are at least a second, and the number of transitions is not negative. */
export const leaseValidation: KindValidation = {
  create: validateSpec,
  update: (lease, _old, errors) => validateSpec(lease, errors),
};

function validateSpec(lease: JsonObject, errors: FieldErrors): void {
  const { leaseDurationSeconds, leaseTransitions } = objectAt(lease, "spec");
  if (typeof leaseDurationSeconds === "number" && leaseDurationSeconds <= 0) {
    errors.invalid(spec.child("leaseDurationSeconds"), leaseDurationSeconds, "must be greater than 0");
  }
  if (typeof leaseTransitions === "number" && leaseTransitions < 0) {
    errors.invalid(spec.child("leaseTransitions"), leaseTransitions, "must be greater than or equal to 0");
  }
}
