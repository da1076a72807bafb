import type { Histogram, MetricsRegistry } from "@gatehouse/component-base/metrics";

/** The kind of a change to the node authorizer's graph, with v1.29's names. */
export type NodeGraphAction =
  | "AddPod"
  | "DeletePod"
  | "AddPV"
  | "DeletePV"
  | "AddVolumeAttachment"
  | "DeleteVolumeAttachment";

/** Metrics of the changes to the node authorizer's graph. */
export interface NodeGraphMetrics {
  time(operation: NodeGraphAction, act: () => void): void;
}

/** Upper bounds of the histogram's buckets in seconds: 0.1 ms, then twice the one before. */
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
