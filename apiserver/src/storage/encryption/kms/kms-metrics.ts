import { createHash } from "node:crypto";
import type { Counter, Gauge, MetricsRegistry } from "@gatehouse/component-base/metrics";
import { doublingBuckets, type TransformationType } from "../transformation-metrics.js";

/** Number of key IDs for which a provider has series of its own; beyond it they share one. */
const maxKeyIds = 100;

/** The metrics of key management services. */
export class KmsMetrics {
  readonly #server: string;
  readonly #latency;
  readonly #keyIds;
  readonly #keyIdTimes;
  readonly #statusTimes;
  readonly #invalidKeyIds;
  readonly #sources;
  readonly #fill;
  readonly #arrivals;
  readonly #lastArrivals = new Map<TransformationType, number>();
  /** The series of the uses of key IDs: there are few, and finding one by its labels costs more than to count. */
  readonly #uses = new Map<string, { readonly count: Counter; readonly time: Gauge }>();

  constructor(registry: MetricsRegistry, serverId: string) {
    this.#server = hashOf(serverId);
    const keyIdLabels = ["transformation_type", "provider_name", "key_id_hash", "apiserver_id_hash"] as const;
    this.#latency = registry.histogram({
      name: "apiserver_envelope_encryption_kms_operations_latency_seconds",
      help: "Duration of calls of key management services, by provider, method and gRPC status.",
      labelNames: ["provider_name", "method_name", "grpc_status_code"],
      buckets: doublingBuckets(0.0001, 20),
    });
    this.#keyIds = registry.counter({
      name: "apiserver_envelope_encryption_key_id_hash_total",
      help: "Uses of a key ID, by direction, provider and server.",
      labelNames: keyIdLabels,
      maxSeries: maxKeyIds,
    });
    this.#keyIdTimes = registry.gauge({
      name: "apiserver_envelope_encryption_key_id_hash_last_timestamp_seconds",
      help: "The time of the last use of a key ID, in seconds.",
      labelNames: keyIdLabels,
      maxSeries: maxKeyIds,
    });
    this.#statusTimes = registry.gauge({
      name: "apiserver_envelope_encryption_key_id_hash_status_last_timestamp_seconds",
      help: "The time when a provider last named a key ID as its current one, in seconds.",
      labelNames: ["provider_name", "key_id_hash", "apiserver_id_hash"],
      maxSeries: maxKeyIds,
    });
    this.#invalidKeyIds = registry.counter({
      name: "apiserver_envelope_encryption_invalid_key_id_from_status_total",
      help: "Key IDs of providers that cannot be used, by what is wrong with them.",
      labelNames: ["provider_name", "error"],
    });
    this.#sources = registry.gauge({
      name: "apiserver_envelope_encryption_dek_source_cache_size",
      help: "Decrypted sources of data encryption keys in memory, by provider.",
      labelNames: ["provider_name"],
    });
    this.#fill = registry
      .gauge({
        name: "apiserver_envelope_encryption_dek_cache_fill_percent",
        help: "The part of the cache of data encryption keys that is in use; KMS v1 only.",
      })
      .labels({});
    this.#arrivals = registry.histogram({
      name: "apiserver_envelope_encryption_dek_cache_inter_arrival_time_seconds",
      help: "Time between two transformations, by direction; KMS v1 only.",
      labelNames: ["transformation_type"],
      buckets: doublingBuckets(60, 10),
    });
  }

  /** Records a call of a service; `status` is the name of its gRPC status. */
  call(provider: string, method: string, status: string, seconds: number): void {
    this.#latency.labels({ provider_name: provider, method_name: method, grpc_status_code: status }).observe(seconds);
  }

  keyIdUsed(type: TransformationType, provider: string, keyId: string): void {
    const name = `${type} ${provider} ${keyId}`;
    let use = this.#uses.get(name);
    if (use === undefined) {
      const labels = {
        transformation_type: type,
        provider_name: provider,
        key_id_hash: hashOf(keyId),
        apiserver_id_hash: this.#server,
      };
      use = { count: this.#keyIds.labels(labels), time: this.#keyIdTimes.labels(labels) };
      if (this.#uses.size < maxKeyIds) {
        this.#uses.set(name, use);
      }
    }
    use.count.inc();
    use.time.set(Date.now() / 1000);
  }

  keyIdOfStatus(provider: string, keyId: string): void {
    this.#statusTimes
      .labels({ provider_name: provider, key_id_hash: hashOf(keyId), apiserver_id_hash: this.#server })
      .set(Date.now() / 1000);
  }

  invalidKeyId(provider: string, error: "empty" | "too_long"): void {
    this.#invalidKeyIds.labels({ provider_name: provider, error }).inc();
  }

  cachedSources(provider: string, count: number): void {
    this.#sources.labels({ provider_name: provider }).set(count);
  }

  cacheFill(part: number): void {
    this.#fill.set(part);
  }

  /** Records that a value came to be transformed. */
  arrival(type: TransformationType): void {
    const nowMs = performance.now();
    const lastMs = this.#lastArrivals.get(type) ?? nowMs;
    this.#arrivals.labels({ transformation_type: type }).observe((nowMs - lastMs) / 1000);
    this.#lastArrivals.set(type, nowMs);
  }
}

/** Returns the hash by which metrics and messages name what others must not learn, empty for an empty text. */
export function hashOf(text: string): string {
  return text === "" ? "" : `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
