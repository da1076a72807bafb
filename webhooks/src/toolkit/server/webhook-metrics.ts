import type { ConcurrencyLimit } from "@gatehouse/component-base/concurrency";
import type { Counter, Histogram, Labelled, MetricsRegistry } from "@gatehouse/component-base/metrics";

/** Upper bounds in seconds: half a millisecond to the thirty seconds that an API server waits at most. */
const durationBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The counters of one hook, looked up once, so that a review costs additions only. */
export interface HookMetrics {
  /** Counts an answer and its duration in seconds, from the arrival of the headers. */
  answered(outcome: string, seconds: number): void;
}

/** The metrics of a webhook server, by hook and outcome (`allowed`, `denied`, `failed`, `refused`, ...). */
export class WebhookMetrics {
  readonly #total: Labelled<"hook" | "outcome", Counter>;
  readonly #duration: Labelled<"hook", Histogram>;

  constructor(registry: MetricsRegistry, limit: ConcurrencyLimit) {
    this.#total = registry.counter({
      name: "gatehouse_webhook_reviews_total",
      help: "Reviews answered, by hook and outcome: allowed, denied, failed (to decide) or refused (as malformed, unauthenticated or too many).",
      labelNames: ["hook", "outcome"],
    });
    this.#duration = registry.histogram({
      name: "gatehouse_webhook_review_duration_seconds",
      help: "Time from the headers of a review to its answer, the wait for a place included.",
      labelNames: ["hook"],
      buckets: durationBuckets,
    });
    const running = registry.gauge({ name: "gatehouse_webhook_reviews_running", help: "Reviews being worked on." });
    const waiting = registry.gauge({ name: "gatehouse_webhook_reviews_waiting", help: "Reviews waiting for a place." });
    registry.beforeScrape(() => {
      running.labels({}).set(limit.running);
      waiting.labels({}).set(limit.waiting);
    });
  }

  ofHook(hook: string): HookMetrics {
    const duration = this.#duration.labels({ hook });
    const counters = new Map<string, Counter>();
    return {
      answered: (outcome, seconds) => {
        let counter = counters.get(outcome);
        if (counter === undefined) {
          counter = this.#total.labels({ hook, outcome });
          counters.set(outcome, counter);
        }
        counter.inc();
        duration.observe(seconds);
      },
    };
  }
}
