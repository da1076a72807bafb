import { certificateFaultMetrics } from "@gatehouse/apiserver/request";
import type { MetricsRegistry } from "@gatehouse/component-base/metrics";

/** The metrics of requests that are passed on to other servers. */
export interface AggregationMetrics {
  /** Counts a request that failed because of the certificate of its server; other errors do not count. */
  readonly failed: (error: unknown) => void;
}

/** Registers the metrics of aggregation, with v1.29's names. */
export function aggregationMetrics(registry: MetricsRegistry): AggregationMetrics {
  // v1.29 registers both as well and sets neither: documents are merged when they are read.
  registry.counter({
    name: "aggregator_openapi_v2_regeneration_count",
    help: "Merges of OpenAPI 2.0 documents by the APIService that caused them and the reason; never set, as in v1.29.",
    labelNames: ["apiservice", "reason"],
  });
  registry.gauge({
    name: "aggregator_openapi_v2_regeneration_duration",
    help: "Time in seconds that a merge of OpenAPI 2.0 documents took by its reason; never set, as in v1.29.",
    labelNames: ["reason"],
  });
  return {
    failed: certificateFaultMetrics(registry, {
      missingSan: "apiserver_kube_aggregator_x509_missing_san_total",
      insecureSha1: "apiserver_kube_aggregator_x509_insecure_sha1_total",
    }),
  };
}
