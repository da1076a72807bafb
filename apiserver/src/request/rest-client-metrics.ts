import { followClients } from "@gatehouse/component-base/http-client";
import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import { certificateFaultMetrics } from "./certificate-fault-metrics.js";

const durationBuckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30];
const sizeBuckets = [64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216];
const ageBuckets = [600, 1800, 3600, 14400, 86400, 604800, 2592000, 7776000, 15552000, 31104000, 124416000];

/**
 * Registers the metrics of requests to other servers (webhooks, reviews, audit), under v1.29's names. All clients of the
 * process are counted until the subscription is disposed of.
 */
export function followRestClients(registry: MetricsRegistry): Disposable {
  const byHost = ["verb", "host"] as const;
  const requests = registry.counter({
    name: "rest_client_requests_total",
    help: "Requests to other servers, by code of the answer.",
    labelNames: ["code", "method", "host"],
  });
  const retries = registry.counter({
    name: "rest_client_request_retries_total",
    help: "Requests repeated since the server asked for it, by code of the answer before.",
    labelNames: ["code", "verb", "host"],
  });
  const durations = registry.histogram({
    name: "rest_client_request_duration_seconds",
    help: "Time of requests to other servers.",
    labelNames: byHost,
    buckets: [...durationBuckets, 60],
  });
  const requestSizes = registry.histogram({
    name: "rest_client_request_size_bytes",
    help: "Bytes of bodies sent to other servers.",
    labelNames: byHost,
    buckets: sizeBuckets,
  });
  const responseSizes = registry.histogram({
    name: "rest_client_response_size_bytes",
    help: "Bytes of bodies received from other servers.",
    labelNames: byHost,
    buckets: sizeBuckets,
  });
  const resolutions = registry.histogram({
    name: "rest_client_dns_resolution_duration_seconds",
    help: "Time to resolve the names of other servers.",
    labelNames: ["host"],
    buckets: durationBuckets,
  });
  const entries = registry.gauge({
    name: "rest_client_transport_cache_entries",
    help: "Clients with connections to other servers that are kept.",
  });
  const lookups = registry.counter({
    name: "rest_client_transport_create_calls_total",
    help: "Clients asked for: kept ones (hit), and new ones (miss).",
    labelNames: ["result"],
  });
  const plugins = pluginMetrics(registry);
  const certificates = certificateFaultMetrics(registry, {
    missingSan: "apiserver_webhooks_x509_missing_san_total",
    insecureSha1: "apiserver_webhooks_x509_insecure_sha1_total",
  });
  return followClients({
    call({ method, host, status, error, seconds, requestBytes, responseBytes }) {
      certificates(error);
      const labels = { verb: method, host };
      requests.labels({ code: status === undefined ? "<error>" : String(status), method, host }).inc();
      durations.labels(labels).observe(seconds);
      requestSizes.labels(labels).observe(requestBytes);
      if (status !== undefined) {
        responseSizes.labels(labels).observe(responseBytes);
      }
    },
    retry: ({ method, host, status }) => retries.labels({ code: String(status), verb: method, host }).inc(),
    resolution: ({ host, seconds }) => resolutions.labels({ host }).observe(seconds),
    lookup({ isKnown, clients }) {
      entries.labels({}).set(clients);
      lookups.labels({ result: isKnown ? "hit" : "miss" }).inc();
    },
    pluginRun: plugins,
  });
}

type OnPluginRun = Parameters<typeof followClients>[0]["pluginRun"];

/** Registers the metrics of credential plugins. */
function pluginMetrics(registry: MetricsRegistry): OnPluginRun {
  const runs = registry.counter({
    name: "rest_client_exec_plugin_call_total",
    help: "Runs of credential plugins, by exit code and outcome.",
    labelNames: ["code", "call_status"],
  });
  const ttl = registry
    .gauge({
      name: "rest_client_exec_plugin_ttl_seconds",
      help: "Time that the first of the certificates of credential plugins to expire is valid yet.",
    })
    .labels({});
  const ages = registry
    .histogram({
      name: "rest_client_exec_plugin_certificate_rotation_age",
      help: "Age in seconds that certificates of credential plugins had when they were replaced.",
      buckets: ageBuckets,
    })
    .labels({});
  let last: { readonly notBefore: number; readonly notAfter: number } | undefined;
  registry.beforeScrape(() =>
    ttl.set(last === undefined ? Number.POSITIVE_INFINITY : (last.notAfter - Date.now()) / 1000),
  );
  return ({ exitCode, outcome, certificate }) => {
    runs.labels({ code: String(exitCode), call_status: outcome }).inc();
    if (certificate !== undefined) {
      if (last !== undefined) {
        ages.observe((Date.now() - last.notBefore) / 1000);
      }
      last = certificate;
    }
  };
}
