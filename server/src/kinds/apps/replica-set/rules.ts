import type { KindRules, StrategyContext } from "@gatehouse/apiserver/registry";
import { checkNonnegativeMembers, type FieldErrors } from "@gatehouse/apiserver/validation";
import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { checkReplicatedTemplate } from "../../replicated-pods.js";
import {
  checkCounts,
  checkImmutableSelector,
  checkParts,
  checkWorkloadSelector,
  type PartOfWhole,
  specPath,
} from "../../workload-rules.js";

/** Rules of ReplicaSet. v1.29 validates an update twice and lists every error twice. */
export const replicaSetRules: KindRules = {
  create: (set, errors, context) => checkReplicaSet(set, undefined, errors, context),
  update(set, old, errors, context) {
    errors.recheckMetadata("object");
    checkReplicaSet(set, old, errors, context);
    errors.recheckMetadata("change");
    checkReplicaSet(set, old, errors, context);
    checkImmutableSelector(set, old, errors);
  },
  subresources: { status: checkReplicaStatus },
};

function checkReplicaSet(
  set: JsonObject,
  old: JsonObject | undefined,
  errors: FieldErrors,
  context: StrategyContext,
): void {
  const spec = objectAt(set, "spec");
  checkNonnegativeMembers(spec, ["replicas", "minReadySeconds"], specPath, errors);
  checkWorkloadSelector(spec, "deployment", errors);
  checkReplicatedTemplate(set, old, errors, context);
}

const counts = ["replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration"];
const parts: readonly PartOfWhole[] = [
  ["fullyLabeledReplicas", "replicas", "status.replicas"],
  ["readyReplicas", "replicas", "status.replicas"],
  ["availableReplicas", "replicas", "status.replicas"],
  ["availableReplicas", "readyReplicas", "readyReplicas"],
];

/** Validates the numbers of pods in the status of a ReplicaSet or ReplicationController. */
export function checkReplicaStatus(object: JsonObject, _old: JsonObject, errors: FieldErrors): void {
  errors.recheckMetadata("change");
  checkCounts(object, counts, errors);
  checkParts(object, parts, errors);
}
