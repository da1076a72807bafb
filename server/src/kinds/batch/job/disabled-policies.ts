import type { FeatureGates } from "@gatehouse/apiserver/options";
import { isSet, type JsonObject, listAt, objectAt, ownObject, textAt } from "@gatehouse/envelopes/json";

/** The members of features of jobs, by gate. CronJobs keep them in their templates. */
const membersByGate = {
  JobPodFailurePolicy: ["podFailurePolicy"],
  JobBackoffLimitPerIndex: ["backoffLimitPerIndex", "maxFailedIndexes"],
  JobPodReplacementPolicy: ["podReplacementPolicy"],
} as const;

/** Takes out, in place, the policies of features that are off, unless the old job has them. */
export function dropDisabledPolicies(job: JsonObject, old: JsonObject | undefined, features: FeatureGates): void {
  const spec = ownObject(job, "spec");
  for (const gate of Object.keys(membersByGate) as (keyof typeof membersByGate)[]) {
    if (features.enabled(gate)) {
      continue;
    }
    for (const member of membersByGate[gate]) {
      if (!isSet(old, "spec", member)) {
        delete spec[member];
      }
    }
  }
  if (old === undefined && !features.enabled("JobBackoffLimitPerIndex") && isSet(spec, "podFailurePolicy")) {
    // Without limits per index, no rule can fail an index.
    const policy = objectAt(spec, "podFailurePolicy");
    policy["rules"] = listAt(policy, "rules").filter((rule) => textAt(rule, "action") !== "FailIndex");
  }
}
