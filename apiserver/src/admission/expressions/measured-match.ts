import type { MaybePromise } from "@gatehouse/envelopes/scheduling";
import type { AdmissionVariables, MatchConditions, MatchOutcome } from "@gatehouse/policies/admission-expressions";
import type { AdmissionAttributes } from "../attributes.js";
import type { MatchConditionMetrics, MatchConditionOwner, MatchConditionSeries } from "./match-condition-metrics.js";

/** Evaluates match conditions of a write, and measures that. Rejects with 504 when the write ends first. */
export function measuredMatch(
  conditions: MatchConditions,
  owner: MatchConditionOwner,
  variables: AdmissionVariables,
  attributes: AdmissionAttributes,
  metrics: MatchConditionMetrics,
): MaybePromise<MatchOutcome> {
  const series = metrics.seriesOf(conditions, owner, attributes.operation);
  const startedAt = performance.now();
  const outcome = conditions.match(variables, attributes, series.failed);
  return outcome instanceof Promise
    ? outcome.then((ended) => measured(ended, owner, series, startedAt))
    : measured(outcome, owner, series, startedAt);
}

function measured(
  outcome: MatchOutcome,
  { kind }: MatchConditionOwner,
  series: MatchConditionSeries,
  startedAt: number,
): MatchOutcome {
  if (outcome !== "matches") {
    // v1.29 measures no evaluation whose conditions are all true, and counts exclusions from webhooks only.
    series.evaluated((performance.now() - startedAt) / 1000);
    if (outcome === "excluded" && kind === "webhook") {
      series.excluded();
    }
  }
  return outcome;
}
