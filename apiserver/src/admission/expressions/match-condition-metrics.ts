import type { Counter, Histogram, Labelled, MetricsRegistry } from "@gatehouse/component-base/metrics";

/** The owner of match conditions, as metrics name it. */
export interface MatchConditionOwner {
  /** The name of the webhook or policy. */
  readonly name: string;
  readonly kind: "webhook" | "policy";
  readonly type: "admit" | "validate";
}

type Label = "name" | "kind" | "type" | "operation";

/** The metrics of match conditions, for webhooks and policies together. */
export interface MatchConditionMetrics {
  /** Counts a condition that could not be evaluated. */
  failed(owner: MatchConditionOwner, operation: string): void;
  /** Counts a write that conditions have excluded. */
  excluded(owner: MatchConditionOwner, operation: string): void;
  evaluated(owner: MatchConditionOwner, operation: string, seconds: number): void;
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
  return {
    failed: ({ name, kind, type }, operation) => errors.labels({ name, kind, type, operation }).inc(),
    excluded: ({ name, kind, type }, operation) => exclusions.labels({ name, kind, type, operation }).inc(),
    evaluated: ({ name, kind, type }, operation, seconds) =>
      durations.labels({ name, kind, type, operation }).observe(seconds),
  };
}
