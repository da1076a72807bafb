import {
  type Counter,
  type Histogram,
  type Labelled,
  type MetricsRegistry,
  onFirstUse,
} from "@gatehouse/component-base/metrics";
import type { MatchConditions } from "@gatehouse/policies/admission-expressions";
import type { Operation } from "../attributes.js";

/** The owner of match conditions, as metrics name it. */
export interface MatchConditionOwner {
  /** The name of the webhook or policy. */
  readonly name: string;
  readonly kind: "webhook" | "policy";
  /**
   * Mutating webhooks are `admit`, validating ones `validating`, policies `validate`: as in v1.29, which counts the writes
   * that a validating webhook excludes as `validate`.
   */
  readonly type: "admit" | "validate" | "validating";
}

type Label = "name" | "kind" | "type" | "operation";

/** The metrics of match conditions, for webhooks and policies together. */
export interface MatchConditionMetrics {
  /** Returns the series of an owner and an operation, which are kept for as long as its conditions. */
  seriesOf(conditions: MatchConditions, owner: MatchConditionOwner, operation: Operation): MatchConditionSeries;
}

/** The series of the match conditions of one webhook or policy for one operation. */
export interface MatchConditionSeries {
  /** Counts a condition that could not be evaluated. */
  failed(): void;
  /** Counts a write that conditions have excluded. */
  excluded(): void;
  evaluated(seconds: number): void;
}

const byRegistry = new WeakMap<MetricsRegistry, MatchConditionMetrics>();

/** Returns the metrics of a registry, under v1.29's names. */
export function matchConditionMetrics(registry: MetricsRegistry): MatchConditionMetrics {
  let metrics = byRegistry.get(registry);
  if (metrics === undefined) {
    metrics = register(registry);
    byRegistry.set(registry, metrics);
  }
  return metrics;
}

function register(registry: MetricsRegistry): MatchConditionMetrics {
  const labelNames = ["name", "kind", "type", "operation"] as const;
  const errors: Labelled<Label, Counter> = registry.counter({
    name: "apiserver_admission_match_condition_evaluation_errors_total",
    help: "Match conditions that could not be evaluated, by webhook or policy, type and operation.",
    labelNames,
  });
  const exclusions: Labelled<Label, Counter> = registry.counter({
    name: "apiserver_admission_match_condition_exclusions_total",
    help: "Writes that match conditions have excluded, by webhook or policy, type and operation.",
    labelNames,
  });
  const durations: Labelled<Label, Histogram> = registry.histogram({
    name: "apiserver_admission_match_condition_evaluation_seconds",
    help: "Time that match conditions took which have excluded a write or failed, by webhook or policy.",
    labelNames,
    buckets: [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
  });
  const series = new WeakMap<MatchConditions, Map<Operation, MatchConditionSeries>>();
  const make = ({ name, kind, type }: MatchConditionOwner, operation: Operation): MatchConditionSeries => {
    const labels = { name, kind, type, operation };
    const excludedLabels = { ...labels, type: type === "validating" ? "validate" : type };
    // Made with the first value: series without one are not shown.
    const [failed, excluded] = [
      onFirstUse(() => errors.labels(labels)),
      onFirstUse(() => exclusions.labels(excludedLabels)),
    ];
    const duration = onFirstUse(() => durations.labels(labels));
    return {
      failed: () => failed().inc(),
      excluded: () => excluded().inc(),
      evaluated: (seconds) => duration().observe(seconds),
    };
  };
  return {
    seriesOf(conditions, owner, operation) {
      let byOperation = series.get(conditions);
      if (byOperation === undefined) {
        byOperation = new Map();
        series.set(conditions, byOperation);
      }
      let found = byOperation.get(operation);
      if (found === undefined) {
        found = make(owner, operation);
        byOperation.set(operation, found);
      }
      return found;
    },
  };
}
