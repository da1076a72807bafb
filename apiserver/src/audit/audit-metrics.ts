import type { Counter, Labelled, MetricsRegistry } from "@gatehouse/component-base/metrics";

/** Metrics of auditing, with v1.29's names and labels. */
export class AuditMetrics {
  readonly #events: Counter;
  readonly #errors: Labelled<"plugin", Counter>;
  readonly #levels: Labelled<"level", Counter>;
  readonly #rejected: Counter;

  constructor(registry: MetricsRegistry) {
    this.#events = registry
      .counter({
        name: "apiserver_audit_event_total",
        help: "Audit events made and handed to the audit backend.",
        labelNames: [],
      })
      .labels({});
    this.#errors = registry.counter({
      name: "apiserver_audit_error_total",
      help: "Audit events that were not recorded, by the part that lost them.",
      labelNames: ["plugin"],
    });
    this.#levels = registry.counter({
      name: "apiserver_audit_level_total",
      help: "Requests by the level at which the audit policy has them recorded.",
      labelNames: ["level"],
    });
    this.#rejected = registry
      .counter({
        name: "apiserver_audit_requests_rejected_total",
        help: "Requests refused because they could not be recorded.",
        labelNames: [],
      })
      .labels({});
  }

  event(): void {
    this.#events.inc();
  }

  lost(plugin: string, count: number): void {
    this.#errors.labels({ plugin }).inc(count);
  }

  level(level: string): void {
    this.#levels.labels({ level }).inc();
  }

  requestRejected(): void {
    this.#rejected.inc();
  }
}
