import type { Counter, Histogram, MetricsRegistry } from "@gatehouse/component-base/metrics";
import { statusName } from "./kms/kms-error.js";

/** Directions of a transformation, as metrics call them. */
export type TransformationType = "from_storage" | "to_storage";

interface Succeeded {
  readonly count: Counter;
  readonly duration: Histogram;
}

/** The metrics of all transformations of values, and of the keys that are made for them. */
export class TransformationMetrics {
  readonly #operations;
  readonly #durations;
  readonly #misses;
  readonly #keyDurations;
  readonly #keyFailures;
  /** The series of transformations that succeed, by prefix: looking one up is cheaper than its labels. */
  readonly #succeeded = { from_storage: new Map<string, Succeeded>(), to_storage: new Map<string, Succeeded>() };

  constructor(registry: MetricsRegistry) {
    this.#operations = registry.counter({
      name: "apiserver_storage_transformation_operations_total",
      help: "Transformations of stored values, by direction, prefix and gRPC status.",
      labelNames: ["transformation_type", "transformer_prefix", "status"],
    });
    this.#durations = registry.histogram({
      name: "apiserver_storage_transformation_duration_seconds",
      help: "Duration of transformations of stored values, by direction and prefix.",
      labelNames: ["transformation_type", "transformer_prefix"],
      buckets: doublingBuckets(5e-6, 25),
    });
    this.#misses = registry
      .counter({
        name: "apiserver_storage_envelope_transformation_cache_misses_total",
        help: "Keys of stored values that a key management service had to decrypt.",
      })
      .labels({});
    this.#keyDurations = registry
      .histogram({
        name: "apiserver_storage_data_key_generation_duration_seconds",
        help: "Duration of the generation of a data encryption key.",
        buckets: doublingBuckets(5e-6, 14),
      })
      .labels({});
    this.#keyFailures = registry
      .counter({
        name: "apiserver_storage_data_key_generation_failures_total",
        help: "Data encryption keys that could not be generated.",
      })
      .labels({});
  }

  /** Records a transformation that began at `startMs` of `performance.now()`. */
  record(type: TransformationType, prefix: string, startMs: number, error: unknown): void {
    if (error !== undefined) {
      this.#operations
        .labels({ transformation_type: type, transformer_prefix: prefix, status: statusName(error) })
        .inc();
      return;
    }
    let series = this.#succeeded[type].get(prefix);
    if (series === undefined) {
      const labels = { transformation_type: type, transformer_prefix: prefix };
      series = {
        count: this.#operations.labels({ ...labels, status: "OK" }),
        duration: this.#durations.labels(labels),
      };
      this.#succeeded[type].set(prefix, series);
    }
    series.count.inc();
    series.duration.observe((performance.now() - startMs) / 1000);
  }

  cacheMiss(): void {
    this.#misses.inc();
  }

  /** Runs a function that generates a key, and records it. */
  generateKey(generate: () => Buffer): Buffer {
    const startMs = performance.now();
    try {
      const key = generate();
      this.#keyDurations.observe((performance.now() - startMs) / 1000);
      return key;
    } catch (error) {
      this.#keyFailures.inc();
      throw error;
    }
  }
}

/** Returns so many upper bounds, each twice the one before. */
export function doublingBuckets(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first * 2 ** index);
}
