import type { Counter, Labelled, MetricsRegistry } from "@gatehouse/component-base/metrics";
import type { Sources } from "./sources.js";

/** Metrics about missing events. */
export class CompletenessMetrics {
  readonly #found: Labelled<"sender", Counter>;

  /** `sources` are asked with each scrape. */
  constructor(registry: MetricsRegistry, sources: Sources) {
    this.#found = registry.counter({
      name: "gatehouse_audit_sink_missing_events_reported_total",
      help: "Events that were reported as missing, by sender; those that came later are not taken away.",
      labelNames: ["sender"],
    });
    const missing = registry.gauge({
      name: "gatehouse_audit_sink_missing_events",
      help: "Events that are missing now by the sequence numbers of their sources, by sender.",
      labelNames: ["sender"],
    });
    const unnumbered = registry.gauge({
      name: "gatehouse_audit_sink_unnumbered_events",
      help: "Events since the start that came without sequence numbers, by sender: whether others are missing cannot be told.",
      labelNames: ["sender"],
    });
    registry.beforeScrape(() => {
      for (const [sender, events] of sources.missingBySender()) {
        missing.labels({ sender }).set(events);
      }
      for (const [sender, events] of sources.unnumberedBySender) {
        unnumbered.labels({ sender }).set(events);
      }
    });
  }

  gapFound(sender: string, events: number): void {
    this.#found.labels({ sender }).inc(events);
  }
}
