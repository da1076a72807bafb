import type { Counter, Histogram, MetricsRegistry } from "@gatehouse/component-base/metrics";

/** Counts what a filter concludes of requests, and how long it takes. */
export interface AttemptMetrics<R extends string> {
  observe(result: R, seconds: number): void;
}

/** Names and help texts of one of v1.29's pairs of metrics, each with the label `result`. */
export interface AttemptMetricsOptions {
  readonly count: { readonly name: string; readonly help: string };
  readonly duration: { readonly name: string; readonly help: string };
}

/** Upper bounds of the histogram's buckets in seconds: one millisecond, then twice the one before. */
const buckets = Array.from({ length: 15 }, (_, power) => 2 ** power / 1000);

/** Registers a counter and a histogram by result. */
export function attemptMetrics<R extends string>(
  registry: MetricsRegistry,
  { count, duration }: AttemptMetricsOptions,
): AttemptMetrics<R> {
  const counts = registry.counter({ ...count, labelNames: ["result"] });
  const durations = registry.histogram({ ...duration, labelNames: ["result"], buckets });
  const series = new Map<R, { readonly count: Counter; readonly duration: Histogram }>();
  return {
    observe(result, seconds) {
      let found = series.get(result);
      if (found === undefined) {
        found = { count: counts.labels({ result }), duration: durations.labels({ result }) };
        series.set(result, found);
      }
      found.count.inc();
      found.duration.observe(seconds);
    },
  };
}
