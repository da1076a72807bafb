import type { KindRules, StrategyContext } from "@gatehouse/apiserver/registry";
import type { FieldErrors } from "@gatehouse/apiserver/validation";
import { checkNonnegativeMembers } from "@gatehouse/apiserver/validation";
import { type JsonObject, objectAt } from "@gatehouse/envelopes";
import { checkReplicatedTemplate } from "../../replicated-pods.js";
import {
  checkCounts,
  checkImmutableSelector,
  checkParts,
  checkWorkloadSelector,
  type PartOfWhole,
  specPath,
} from "../../workload-rules.js";

/** A replica set finds its own pods. v1.29 looks at an update twice, and lists what it finds as often. */
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

/** How many pods there are, and how many of them are of use; so for replication controllers, too. */
export function checkReplicaStatus(object: JsonObject, _old: JsonObject, errors: FieldErrors): void {
  errors.recheckMetadata("change");
  checkCounts(object, counts, errors);
  checkParts(object, parts, errors);
}
