import type { MaybePromise } from "@gatehouse/envelopes/scheduling";
import type { AdmissionVariables, MatchConditions, MatchOutcome } from "@gatehouse/policies/admission-expressions";
import type { AdmissionAttributes } from "../attributes.js";
import type { MatchConditionMetrics, MatchConditionOwner } from "./match-condition-metrics.js";

/** Evaluates match conditions of a write, and measures that. Rejects with 504 when the write ends first. */
export function measuredMatch(
  conditions: MatchConditions,
  owner: MatchConditionOwner,
  variables: AdmissionVariables,
  attributes: AdmissionAttributes,
  metrics: MatchConditionMetrics,
): MaybePromise<MatchOutcome> {
  const { operation } = attributes;
  const startedAt = performance.now();
  const conclude = (outcome: MatchOutcome): MatchOutcome => {
    if (outcome !== "matches") {
      // v1.29 measures no evaluation whose conditions are all true.
      metrics.evaluated(owner, operation, (performance.now() - startedAt) / 1000);
    }
    return outcome;
  };
  const outcome = conditions.match(variables, attributes, () => metrics.failed(owner, operation));
  return outcome instanceof Promise ? outcome.then(conclude) : conclude(outcome);
}
