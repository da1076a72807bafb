import type { Counter, Histogram, Labelled, MetricsRegistry } from "@gatehouse/component-base/metrics";
import type { ObservedDecision, PolicyObserver } from "@gatehouse/policies/admission-expressions";

/** The metrics of admission policies, under v1.29's names. */
export class PolicyMetrics implements PolicyObserver {
  readonly #checks: Labelled<"policy" | "policy_binding" | "enforcement_action" | "state", Counter>;
  readonly #durations: Labelled<"policy" | "policy_binding" | "enforcement_action" | "state", Histogram>;
  readonly #definitions: Labelled<"state" | "enforcement_action", Counter>;

  constructor(registry: MetricsRegistry) {
    const labelNames = ["policy", "policy_binding", "enforcement_action", "state"] as const;
    this.#checks = registry.counter({
      name: "apiserver_validating_admission_policy_check_total",
      help: "Decisions of admission policies that had a consequence, by policy, binding and consequence.",
      labelNames,
    });
    this.#definitions = registry.counter({
      name: "apiserver_validating_admission_policy_definition_total",
      help: "Admission policies that have come into effect.",
      labelNames: ["state", "enforcement_action"],
    });
    this.#durations = registry.histogram({
      name: "apiserver_validating_admission_policy_check_duration_seconds",
      help: "Time that expressions of admission policies took whose decisions had a consequence.",
      labelNames,
      buckets: [0.0000005, 0.001, 0.01, 0.1, 1],
    });
  }

  /** Counts a policy that has been found for the first time. */
  defined(): void {
    this.#definitions.labels({ state: "active", enforcement_action: "deny" }).inc();
  }

  decided({ policy, binding, action, seconds }: ObservedDecision): void {
    const labels = { policy, policy_binding: binding, enforcement_action: action, state: "active" };
    this.#checks.labels(labels).inc();
    this.#durations.labels(labels).observe(seconds);
  }
}
