import type { Histogram, MetricsRegistry } from "@gatehouse/component-base/metrics";

/** What becomes known of objects that nodes have to do with, as v1.29 calls it. */
export type NodeGraphAction =
  | "AddPod"
  | "DeletePod"
  | "AddPV"
  | "DeletePV"
  | "AddVolumeAttachment"
  | "DeleteVolumeAttachment";

/** Measures how long it takes to keep up with what nodes may read. */
export interface NodeGraphMetrics {
  time(operation: NodeGraphAction, act: () => void): void;
}

/** A tenth of a millisecond, and twice as much each time. */
const buckets = Array.from({ length: 12 }, (_, power) => 2 ** power / 10_000);

/** Registers them under v1.29's name. */
export function nodeGraphMetrics(registry: MetricsRegistry): NodeGraphMetrics {
  const durations = registry.histogram({
    name: "node_authorizer_graph_actions_duration_seconds",
    help: "Time that it took to note a change of an object that nodes have to do with.",
    labelNames: ["operation"],
    buckets,
  });
  const series = new Map<NodeGraphAction, Histogram>();
  return {
    time(operation, act) {
      const startedAtMs = performance.now();
      act();
      let histogram = series.get(operation);
      if (histogram === undefined) {
        histogram = durations.labels({ operation });
        series.set(operation, histogram);
      }
      histogram.observe((performance.now() - startedAtMs) / 1000);
    },
  };
}
