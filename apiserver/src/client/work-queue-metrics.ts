import type { Gauge, Histogram, MetricsRegistry } from "@gatehouse/component-base/metrics";

/** The state of a queue that is read with each scrape. Times are in milliseconds of `performance.now()`. */
export interface WorkQueueState {
  /** The number of keys that wait. */
  readonly waiting: number;
  /** The times at which the work that is under way has begun. */
  readonly workingSince: Iterable<number>;
}

/** The metrics of one queue. */
export interface WorkQueueMetrics {
  added(): void;
  retried(): void;
  /** Records how long a key has waited for its turn. */
  taken(waitedMs: number): void;
  /** Records how long the work on a key took. */
  worked(workedMs: number): void;
  /** Registers what is read with each scrape; the latest one of a name counts. */
  follow(state: () => WorkQueueState): void;
}

/** Bounds from ten nanoseconds on, in steps of ten, with the roundings of v1.29. */
const buckets = [1e-8, 1e-7, 1e-6, 9.999999999999999e-6, 9.999999999999999e-5, 1e-3, 1e-2, 0.1, 1, 10];
const labelNames = ["name"] as const;

/** Registers the metrics of work queues under v1.29's names. Returns a function that makes those of one queue. */
export function workQueueMetrics(registry: MetricsRegistry): (name: string) => WorkQueueMetrics {
  const counter = (name: string, help: string) => registry.counter({ name, help, labelNames });
  const gauge = (name: string, help: string) => registry.gauge({ name, help, labelNames });
  const histogram = (name: string, help: string) => registry.histogram({ name, help, labelNames, buckets });
  const depth = gauge("workqueue_depth", "Keys that wait in a queue.");
  const adds = counter("workqueue_adds_total", "Keys added to a queue.");
  const waits = histogram("workqueue_queue_duration_seconds", "Time that a key waited in a queue.");
  const works = histogram("workqueue_work_duration_seconds", "Time that the work on a key took.");
  const unfinished = gauge("workqueue_unfinished_work_seconds", "Time of all work that is under way so far.");
  const longest = gauge("workqueue_longest_running_processor_seconds", "Time of the oldest work under way so far.");
  const retries = counter("workqueue_retries_total", "Keys that come again after a failure.");
  const followed = new Map<string, FollowedQueue>();
  registry.beforeScrape(() => {
    const now = performance.now();
    for (const queue of followed.values()) {
      queue.update(now);
    }
  });
  return (name) => {
    const labels = { name };
    const [added, retried] = [adds.labels(labels), retries.labels(labels)];
    const [waited, worked]: [Histogram, Histogram] = [waits.labels(labels), works.labels(labels)];
    const gauges = {
      depth: depth.labels(labels),
      unfinished: unfinished.labels(labels),
      longest: longest.labels(labels),
    };
    return {
      added: () => added.inc(),
      retried: () => retried.inc(),
      taken: (ms) => waited.observe(ms / 1000),
      worked: (ms) => worked.observe(ms / 1000),
      follow: (state) => void followed.set(name, new FollowedQueue(gauges, state)),
    };
  };
}

/** The gauges of a queue. */
class FollowedQueue {
  readonly #gauges: Readonly<Record<"depth" | "unfinished" | "longest", Gauge>>;
  readonly #state: () => WorkQueueState;

  constructor(gauges: Readonly<Record<"depth" | "unfinished" | "longest", Gauge>>, state: () => WorkQueueState) {
    this.#gauges = gauges;
    this.#state = state;
  }

  update(now: number): void {
    const { waiting, workingSince } = this.#state();
    const seconds = Array.from(workingSince, (since) => (now - since) / 1000);
    this.#gauges.depth.set(waiting);
    this.#gauges.unfinished.set(seconds.reduce((sum, each) => sum + each, 0));
    this.#gauges.longest.set(Math.max(0, ...seconds));
  }
}
