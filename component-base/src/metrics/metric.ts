import type { MetricStability } from "./metrics-policy.js";

/** A number that only grows. */
export interface Counter {
  inc(by?: number): void;
}

/** A number that goes up and down. */
export interface Gauge {
  set(value: number): void;
  inc(by?: number): void;
  dec(by?: number): void;
}

/** Counts observations in buckets. */
export interface Histogram {
  /** Counts a value once, or as often as `weight` says. */
  observe(value: number, weight?: number): void;
}

/** Tells quantiles of what was observed lately. */
export interface Summary {
  observe(value: number): void;
}

/**
 * A metric with labels. `labels` finds or makes the child for one set of values; keep the child where it is used, since
 * the child costs an addition and the search costs some string work. When a metric has `maxSeries` children, further
 * label sets share one child whose values are all `overflow`: a peer cannot grow the memory by inventing names.
 */
export interface Labelled<L extends string, C> {
  labels(values: Readonly<Record<L, string>>): C;
}

/** Name of a metric, and the labels that tell its series apart. */
export interface MetricOptions<L extends string> {
  /** Name in Prometheus form: `apiserver_request_total`. */
  readonly name: string;
  readonly help: string;
  /** None when not given. */
  readonly labelNames?: readonly L[];
  /** Largest number of label sets. Default 2,000. */
  readonly maxSeries?: number;
  /** Shown by registries with a policy. Default `ALPHA`, as in v1.29. */
  readonly stability?: MetricStability;
  /** The release since which the metric is deprecated: `1.28.0`. */
  readonly deprecatedVersion?: string;
}

/** The metrics of a process. Making the same name twice, or an ill-formed one, throws TypeError. */
export interface MetricsRegistry {
  counter<L extends string = never>(options: MetricOptions<L>): Labelled<L, Counter>;
  gauge<L extends string = never>(options: MetricOptions<L>): Labelled<L, Gauge>;
  /** `buckets` are upper bounds, ascending, without infinity. */
  histogram<L extends string = never>(
    options: MetricOptions<L> & { readonly buckets: readonly number[] },
  ): Labelled<L, Histogram>;
  /** Quantiles (0.5, 0.9, 0.99) of what was observed in the last `maxAgeMs` milliseconds, each to 1 %. */
  summary<L extends string = never>(options: MetricOptions<L> & { readonly maxAgeMs: number }): Labelled<L, Summary>;
  /** Reports whether a registered metric is shown: it is neither hidden nor disabled. */
  shows(name: string): boolean;
  /** Runs before each scrape, to set gauges whose value is known elsewhere (queue lengths, object counts). */
  beforeScrape(update: () => void): void;
  /** Renders all metrics in Prometheus text format 0.0.4. */
  render(): Promise<string>;
}
