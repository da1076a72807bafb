import type { MetricsRegistry } from "@gatehouse/component-base/metrics";

/** The way to a proxy, by the names of v1.29. */
export interface EgressWay {
  readonly protocol: "http_connect" | "grpc";
  readonly transport: "tcp" | "uds";
}

/** The step at which a dial fails: the way to the proxy, or the way from there. */
export type EgressStage = "connect" | "proxy";

const buckets = [0.005, 0.025, 0.1, 0.5, 2.5, 12.5];

/** Metrics about connections through proxies, with v1.29's names. */
export class EgressMetrics {
  readonly #starts;
  readonly #durations;
  readonly #failures;

  constructor(registry: MetricsRegistry) {
    const labelNames = ["protocol", "transport"] as const;
    this.#starts = registry.counter({
      name: "apiserver_egress_dialer_dial_start_total",
      help: "Connections that were begun through a proxy.",
      labelNames: [...labelNames],
    });
    this.#durations = registry.histogram({
      name: "apiserver_egress_dialer_dial_duration_seconds",
      help: "Seconds until a connection through a proxy was there.",
      labelNames: [...labelNames],
      buckets,
    });
    this.#failures = registry.counter({
      name: "apiserver_egress_dialer_dial_failure_count",
      help: "Connections through a proxy that failed, by the step at which they did.",
      labelNames: [...labelNames, "stage"],
    });
  }

  started({ protocol, transport }: EgressWay): void {
    this.#starts.labels({ protocol, transport }).inc();
  }

  connected({ protocol, transport }: EgressWay, seconds: number): void {
    this.#durations.labels({ protocol, transport }).observe(seconds);
  }

  failed({ protocol, transport }: EgressWay, stage: EgressStage): void {
    this.#failures.labels({ protocol, transport, stage }).inc();
  }
}
