import type { Counter, Gauge, Labelled, MetricsRegistry } from "@gatehouse/component-base";

/** What is known of missing events. */
export class CompletenessMetrics {
  readonly #found: Labelled<"sender", Counter>;
  readonly #missing: Labelled<"sender", Gauge>;

  constructor(registry: MetricsRegistry) {
    this.#found = registry.counter({
      name: "gatehouse_audit_sink_missing_events_reported_total",
      help: "Events that were reported as missing, by sender; those that came later are not taken away.",
      labelNames: ["sender"],
    });
    this.#missing = registry.gauge({
      name: "gatehouse_audit_sink_missing_events",
      help: "Events that are missing now by the sequence numbers of their sources, by sender.",
      labelNames: ["sender"],
    });
  }

  gapFound(sender: string, events: number): void {
    this.#found.labels({ sender }).inc(events);
  }

  missing(bySender: ReadonlyMap<string, number>): void {
    for (const [sender, events] of bySender) {
      this.#missing.labels({ sender }).set(events);
    }
  }
}
