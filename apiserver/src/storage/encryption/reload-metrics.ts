import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import { hashOf } from "./kms/kms-metrics.js";

/** The metrics of reloads of the configuration. */
export class ReloadMetrics {
  readonly #server: string;
  readonly #failures;
  readonly #successes;
  readonly #times;

  constructor(registry: MetricsRegistry, serverId: string) {
    this.#server = hashOf(serverId);
    this.#failures = registry.counter({
      name: "apiserver_encryption_config_controller_automatic_reload_failures_total",
      help: "Changes of the encryption configuration that could not be used, by server.",
      labelNames: ["apiserver_id_hash"],
    });
    this.#successes = registry.counter({
      name: "apiserver_encryption_config_controller_automatic_reload_success_total",
      help: "Changes of the encryption configuration that are used, by server.",
      labelNames: ["apiserver_id_hash"],
    });
    this.#times = registry.gauge({
      name: "apiserver_encryption_config_controller_automatic_reload_last_timestamp_seconds",
      help: "The time of the last reload of the encryption configuration, in seconds, by result and server.",
      labelNames: ["status", "apiserver_id_hash"],
    });
  }

  record(status: "success" | "failure"): void {
    (status === "success" ? this.#successes : this.#failures).labels({ apiserver_id_hash: this.#server }).inc();
    this.#times.labels({ status, apiserver_id_hash: this.#server }).set(Date.now() / 1000);
  }
}
