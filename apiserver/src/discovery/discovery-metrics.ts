import type { MetricsRegistry } from "@gatehouse/component-base/metrics";

/** Registers the counter of documents of aggregated discovery. Returns a function that counts one when it is made. */
export function aggregationCounter(registry: MetricsRegistry): () => void {
  const made = registry
    .counter({
      name: "aggregator_discovery_aggregation_count_total",
      help: "Documents of aggregated discovery that were made.",
    })
    .labels({});
  return () => made.inc();
}
