import type { MetricsRegistry } from "@gatehouse/component-base/metrics";

/** The reason why a call of a conversion webhook has failed, as v1.29 labels it. */
export type ConversionFailure = "call" | "malformed_response" | "partial_response" | "invalid_converted_object";

/** The metrics of conversions by webhooks. */
export interface ConversionMetrics {
  /** Records one call of a webhook; `failure` is undefined for one that has succeeded. */
  called(seconds: number, failure: ConversionFailure | undefined): void;
  /** Records the conversion of objects of a definition between two versions. */
  converted(conversion: Conversion, seconds: number): void;
}

/** A conversion as it is labelled; versions are without their group. */
export interface Conversion {
  readonly crd: string;
  readonly from: string;
  readonly to: string;
  readonly succeeded: boolean;
}

const callBuckets = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60];
const conversionBuckets = Array.from({ length: 15 }, (_, power) => 2 ** power / 1000);

/** Registers the metrics of conversions under v1.29's names. */
export function conversionMetrics(registry: MetricsRegistry): ConversionMetrics {
  const labelNames = ["result", "failure_type"] as const;
  const calls = registry.counter({
    name: "apiserver_conversion_webhook_request_total",
    help: "Calls of conversion webhooks, by result and reason of failure.",
    labelNames,
  });
  const callDurations = registry.histogram({
    name: "apiserver_conversion_webhook_duration_seconds",
    help: "Time of calls of conversion webhooks, by result and reason of failure.",
    labelNames,
    buckets: callBuckets,
  });
  const conversions = registry.histogram({
    name: "apiserver_crd_conversion_webhook_duration_seconds",
    help: "Time to convert custom objects by a webhook, by definition and versions.",
    labelNames: ["crd_name", "from_version", "to_version", "succeeded"],
    buckets: conversionBuckets,
  });
  return {
    called(seconds, failure) {
      const labels = {
        result: failure === undefined ? "success" : "failure",
        failure_type: failure === undefined ? "" : `conversion_webhook_${failure}_failure`,
      };
      calls.labels(labels).inc();
      callDurations.labels(labels).observe(seconds);
    },
    converted: ({ crd, from, to, succeeded }, seconds) =>
      conversions
        .labels({ crd_name: crd, from_version: from, to_version: to, succeeded: String(succeeded) })
        .observe(seconds),
  };
}
