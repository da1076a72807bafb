import type { Counter, Gauge, Labelled, MetricsRegistry } from "@gatehouse/component-base/metrics";

/** Reason why a pipeline did not deliver an event. */
export type DropReason = "retention" | "unreadable" | "rejected";

/** Metrics of all pipelines. */
export class PipelinesMetrics {
  readonly #events: Labelled<"pipeline" | "outcome", Counter>;
  readonly #bytes: Labelled<"pipeline", Counter>;
  readonly #failures: Labelled<"pipeline", Counter>;
  readonly #dropped: Labelled<"pipeline" | "reason", Counter>;
  readonly #position: Labelled<"pipeline", Gauge>;

  constructor(registry: MetricsRegistry) {
    this.#events = registry.counter({
      name: "gatehouse_audit_sink_pipeline_events_total",
      help: "Events that a pipeline has dealt with, by outcome: delivered, or left_out by its policy.",
      labelNames: ["pipeline", "outcome"],
    });
    this.#bytes = registry.counter({
      name: "gatehouse_audit_sink_pipeline_delivered_bytes_total",
      help: "Bytes of the events that were delivered.",
      labelNames: ["pipeline"],
    });
    this.#failures = registry.counter({
      name: "gatehouse_audit_sink_pipeline_failed_deliveries_total",
      help: "Deliveries that failed and are tried again.",
      labelNames: ["pipeline"],
    });
    this.#dropped = registry.counter({
      name: "gatehouse_audit_sink_pipeline_dropped_events_total",
      help: "Events that will never be delivered: deleted by a bound of retention, unreadable, or rejected by the output.",
      labelNames: ["pipeline", "reason"],
    });
    this.#position = registry.gauge({
      name: "gatehouse_audit_sink_pipeline_position",
      help: "Position of the next event to deliver; that of the log less this is what the pipeline is behind.",
      labelNames: ["pipeline"],
    });
  }

  of(pipeline: string): PipelineMetrics {
    const delivered = this.#events.labels({ pipeline, outcome: "delivered" });
    const leftOut = this.#events.labels({ pipeline, outcome: "left_out" });
    const deliveredBytes = this.#bytes.labels({ pipeline });
    const failures = this.#failures.labels({ pipeline });
    const position = this.#position.labels({ pipeline });
    return {
      delivered(events, bytes) {
        delivered.inc(events);
        deliveredBytes.inc(bytes);
      },
      leftOut: (events) => leftOut.inc(events),
      failed: () => failures.inc(),
      dropped: (reason, events) => this.#dropped.labels({ pipeline, reason }).inc(events),
      position: (next) => position.set(next),
    };
  }
}

/** Metrics of one pipeline. */
export interface PipelineMetrics {
  delivered(events: number, bytes: number): void;
  leftOut(events: number): void;
  failed(): void;
  dropped(reason: DropReason, events: number): void;
  position(next: number): void;
}
