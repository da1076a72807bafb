import type { Counter, MetricsRegistry } from "@gatehouse/component-base/metrics";

/** Metrics about the logs of pods, with v1.29's names. */
export class LogMetrics {
  readonly #enforced: Counter;
  readonly #skipped: Counter;
  readonly #failures: Counter;

  constructor(registry: MetricsRegistry) {
    const usage = registry.counter({
      name: "kube_apiserver_pod_logs_insecure_backend_total",
      help: "Requests for logs of pods, by whether the certificate of the kubelet had to be good.",
      labelNames: ["usage"],
    });
    this.#enforced = usage.labels({ usage: "enforce_tls" });
    this.#skipped = usage.labels({ usage: "skip_tls_allowed" });
    this.#failures = registry
      .counter({
        name: "kube_apiserver_pod_logs_backend_tls_failure_total",
        help: "Requests for logs of pods that failed because of the certificate of the kubelet.",
        labelNames: [],
      })
      .labels({});
  }

  /** Counts a request for a log. */
  asked(insecureSkipTlsVerify: boolean): void {
    (insecureSkipTlsVerify ? this.#skipped : this.#enforced).inc();
  }

  /** Counts a kubelet whose certificate was refused. */
  certificateRefused(): void {
    this.#failures.inc();
  }
}
