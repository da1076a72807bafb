import type { MetricsRegistry } from "@gatehouse/component-base/metrics";

/** The metrics of the availability of APIServices, with v1.29's names. */
export interface AvailabilityMetrics {
  /** Sets whether an APIService is available now. */
  state(name: string, isAvailable: boolean): void;
  /** Counts that an APIService has become unavailable. */
  lost(name: string, reason: string): void;
}

/** Registers the metrics of the availability of APIServices. */
export function availabilityMetrics(registry: MetricsRegistry): AvailabilityMetrics {
  const unavailable = registry.gauge({
    name: "aggregator_unavailable_apiservice",
    help: "1 for each APIService that is not available.",
    labelNames: ["name"],
  });
  const total = registry.counter({
    name: "aggregator_unavailable_apiservice_total",
    help: "APIServices that became unavailable, by name and reason.",
    labelNames: ["name", "reason"],
  });
  return {
    state: (name, isAvailable) => unavailable.labels({ name }).set(isAvailable ? 0 : 1),
    lost: (name, reason) => total.labels({ name, reason }).inc(),
  };
}
