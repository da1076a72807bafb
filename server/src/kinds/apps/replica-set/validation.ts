import type { KindValidation, StrategyContext } from "@gatehouse/apiserver/registry";
import { type FieldErrors, validateNonnegativeMembers } from "@gatehouse/apiserver/validation";
import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { validateReplicatedTemplate } from "../../replicated-pods.js";
import {
  type PartOfWhole,
  specPath,
  validateCounts,
  validateImmutableSelector,
  validateParts,
  validateWorkloadSelector,
} from "../../workload-validation.js";

/** Rules of ReplicaSet. v1.29 validates an update twice and lists every error twice. */
export const replicaSetValidation: KindValidation = {
  create: (set, errors, context) => validateReplicaSet(set, undefined, errors, context),
  update(set, old, errors, context) {
    errors.recheckMetadata("object");
    validateReplicaSet(set, old, errors, context);
    errors.recheckMetadata("change");
    validateReplicaSet(set, old, errors, context);
    validateImmutableSelector(set, old, errors);
  },
  subresources: { status: validateReplicaStatus },
};

function validateReplicaSet(
  set: JsonObject,
  old: JsonObject | undefined,
  errors: FieldErrors,
  context: StrategyContext,
): void {
  const spec = objectAt(set, "spec");
  validateNonnegativeMembers(spec, ["replicas", "minReadySeconds"], specPath, errors);
  validateWorkloadSelector(spec, "deployment", errors);
  validateReplicatedTemplate(set, old, errors, context);
}

const counts = ["replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration"];
const parts: readonly PartOfWhole[] = [
  ["fullyLabeledReplicas", "replicas", "status.replicas"],
  ["readyReplicas", "replicas", "status.replicas"],
  ["availableReplicas", "replicas", "status.replicas"],
  ["availableReplicas", "readyReplicas", "readyReplicas"],
];

/** Validates the numbers of pods in the status of a ReplicaSet or ReplicationController. */
export function validateReplicaStatus(object: JsonObject, _old: JsonObject, errors: FieldErrors): void {
  errors.recheckMetadata("change");
  validateCounts(object, counts, errors);
  validateParts(object, parts, errors);
}
