import type { Counter, Histogram, MetricsRegistry } from "@gatehouse/component-base/metrics";

/** The names by which v1.29 tells requests to etcd apart. */
export type EtcdOperation = "create" | "update" | "delete" | "get" | "list" | "listWithCount";

const durationBuckets = [
  ...[0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60],
];

/** The series of requests of one operation on one type of object. */
interface RequestSeries {
  readonly duration: Pick<Histogram, "observe">;
  readonly total: Pick<Counter, "inc">;
  readonly errors: Pick<Counter, "inc">;
}

/** The metrics of requests to etcd, under v1.29's names. */
export class EtcdMetrics {
  readonly #duration;
  readonly #total;
  readonly #errors;
  readonly #received;
  readonly #leaseObjects;
  readonly #size;
  readonly #databaseSize;
  readonly #typeOf: (key: string) => string;
  #clusters = 0;
  readonly #series = new Map<string, RequestSeries>();
  readonly #receivedByType = new Map<string, Counter>();

  /** `typeOf` returns the resource of a key, `deployments.apps`. */
  constructor(registry: MetricsRegistry, typeOf: (key: string) => string) {
    this.#typeOf = typeOf;
    const labelNames = ["operation", "type"];
    this.#duration = registry.histogram({
      name: "etcd_request_duration_seconds",
      help: "Time that requests to etcd took, by operation and type of object.",
      labelNames,
      buckets: durationBuckets,
    });
    this.#total = registry.counter({
      name: "etcd_requests_total",
      help: "Requests to etcd, by operation and type of object.",
      labelNames,
    });
    this.#errors = registry.counter({
      name: "etcd_request_errors_total",
      help: "Requests to etcd that failed, by operation and type of object.",
      labelNames,
    });
    this.#received = registry.counter({
      name: "apiserver_storage_events_received_total",
      help: "Changes received from etcd, by type of object.",
      labelNames: ["resource"],
    });
    this.#leaseObjects = registry.histogram({
      name: "etcd_lease_object_counts",
      help: "Objects that were attached to one lease of etcd.",
      buckets: [10, 50, 100, 500, 1000, 2500, 5000],
    });
    this.#size = registry.gauge({
      name: "apiserver_storage_size_bytes",
      help: "Bytes that the database of an etcd cluster takes on one of its servers.",
      labelNames: ["cluster"],
    });
    this.#databaseSize = registry.gauge({
      name: "apiserver_storage_db_total_size_in_bytes",
      deprecatedVersion: "1.28.0",
      help: "Bytes that the database of an etcd server takes.",
      labelNames: ["endpoint"],
    });
  }

  /** Notes a request that began at `startedAt` (`performance.now()`) and has ended. */
  request(operation: EtcdOperation, key: string, startedAt: number, failed: boolean): void {
    const series = this.#seriesOf(operation, this.#typeOf(key));
    series.duration.observe((performance.now() - startedAt) / 1000);
    series.total.inc();
    if (failed) {
      series.errors.inc();
    }
  }

  /** Notes a change that a watch has received. */
  received(key: string): void {
    const resource = this.#typeOf(key);
    let counter = this.#receivedByType.get(resource);
    if (counter === undefined) {
      counter = this.#received.labels({ resource });
      this.#receivedByType.set(resource, counter);
    }
    counter.inc();
  }

  /** Notes how many objects a lease has got. */
  leaseObjects(count: number): void {
    this.#leaseObjects.labels({}).observe(count);
  }

  /** Returns a name for an etcd cluster that has not been measured: `etcd-0`, `etcd-1`, in the order of the stores, as in v1.29. */
  nameCluster(): string {
    return `etcd-${this.#clusters++}`;
  }

  /** Notes the size of the database of one of the servers of a cluster. */
  databaseSize(cluster: string, url: string, bytes: number): void {
    this.#size.labels({ cluster }).set(bytes);
    this.#databaseSize.labels({ endpoint: url }).set(bytes);
  }

  #seriesOf(operation: EtcdOperation, type: string): RequestSeries {
    const name = `${operation} ${type}`;
    let series = this.#series.get(name);
    if (series === undefined) {
      const labels = { operation, type };
      series = {
        duration: this.#duration.labels(labels),
        total: this.#total.labels(labels),
        errors: this.#errors.labels(labels),
      };
      this.#series.set(name, series);
    }
    return series;
  }
}
