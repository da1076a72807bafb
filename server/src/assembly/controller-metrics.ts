import { type WorkQueueMetrics, workQueueMetrics } from "@gatehouse/apiserver/client";
import type { MetricsRegistry } from "@gatehouse/component-base/metrics";

/** The metrics of the controllers of a server. */
export interface ControllerMetrics {
  /** Returns the metrics of the queue with a name. */
  queue(name: string): WorkQueueMetrics;
  /** Records whether this server holds the lease with a name. */
  leading(lease: string, isLeading: boolean): void;
}

/** Registers the metrics of controllers, under v1.29's names. To be called once for a server. */
export function controllerMetrics(registry: MetricsRegistry): ControllerMetrics {
  const status = registry.gauge({
    name: "leader_election_master_status",
    help: "1 while this server holds a lease, 0 while it only stands for it.",
    labelNames: ["name"],
  });
  return {
    queue: workQueueMetrics(registry),
    leading: (name, isLeading) => status.labels({ name }).set(isLeading ? 1 : 0),
  };
}
