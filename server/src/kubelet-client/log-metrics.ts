import { type Counter, type Labelled, type MetricsRegistry, onFirstUse } from "@gatehouse/component-base/metrics";

/** Metrics about the logs of pods, with v1.29's names. As there, they appear with the first request for a log. */
export class LogMetrics {
  readonly #usage: () => Labelled<"usage", Counter>;
  readonly #failures: () => Counter;

  constructor(registry: MetricsRegistry) {
    this.#usage = onFirstUse(() =>
      registry.counter({
        name: "kube_apiserver_pod_logs_insecure_backend_total",
        help: "Requests for logs of pods, by whether the certificate of the kubelet had to be good.",
        labelNames: ["usage"],
      }),
    );
    this.#failures = onFirstUse(() =>
      registry
        .counter({
          name: "kube_apiserver_pod_logs_backend_tls_failure_total",
          help: "Requests for logs of pods that failed because of the certificate of the kubelet.",
        })
        .labels({}),
    );
  }

  /** Counts a request for a log. */
  asked(insecureSkipTlsVerify: boolean): void {
    this.#failures();
    this.#usage()
      .labels({ usage: insecureSkipTlsVerify ? "skip_tls_allowed" : "enforce_tls" })
      .inc();
  }

  /** Counts a kubelet whose certificate was refused. */
  certificateRefused(): void {
    this.#failures().inc();
  }
}
