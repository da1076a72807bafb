import type { Counter, Labelled, MetricsRegistry } from "@gatehouse/component-base/metrics";
import type { IntakeResult } from "./intake.js";

/** Metrics of the intake. */
export class IntakeMetrics {
  readonly #events: Labelled<"sender" | "outcome", Counter>;
  readonly #requests: Labelled<"code", Counter>;

  constructor(registry: MetricsRegistry) {
    this.#events = registry.counter({
      name: "gatehouse_audit_sink_received_events_total",
      help: "Events received, by sender and outcome: kept, duplicate (kept before), or refused (as malformed or too long).",
      labelNames: ["sender", "outcome"],
    });
    this.#requests = registry.counter({
      name: "gatehouse_audit_sink_intake_requests_total",
      help: "Requests with events, by the HTTP status of the answer.",
      labelNames: ["code"],
    });
  }

  /** The events of a request have been looked at. */
  taken(sender: string, { kept, duplicates, refused }: IntakeResult): void {
    this.#count(sender, "kept", kept);
    this.#count(sender, "duplicate", duplicates);
    this.#count(sender, "refused", refused.length);
    if (refused.length === 0) {
      this.#requests.labels({ code: "200" }).inc();
    }
  }

  /** A request got another answer than 200. */
  refused(code: number): void {
    this.#requests.labels({ code: String(code) }).inc();
  }

  #count(sender: string, outcome: string, events: number): void {
    if (events > 0) {
      this.#events.labels({ sender, outcome }).inc(events);
    }
  }
}
