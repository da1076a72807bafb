import { StepMeter, yieldToEventLoop } from "@gatehouse/envelopes/scheduling";
import { renderFamilyHeader } from "./exposition.js";
import { createHistogramCell, type HistogramCell } from "./histogram.js";
import { type Cell, createFamily, type Family, type FamilyOptions } from "./metric-family.js";
import { createSummaryCell, type SummaryCell } from "./summary.js";

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
  /** Runs before each scrape, to set gauges whose value is known elsewhere (queue lengths, object counts). */
  beforeScrape(update: () => void): void;
  /** Renders all metrics in Prometheus text format 0.0.4. */
  render(): Promise<string>;
}

/** The Content-Type of what `render` gives. */
export const metricsContentType = "text/plain; version=0.0.4; charset=utf-8";

/** Number of series that are rendered in one step: a scrape must not hold up requests. */
const seriesPerStep = 500;

/** Content of a registry beside the registered metrics, and its clock. */
export interface MetricsRegistryOptions {
  /** True if the metrics of the process and of Node are shown, too. */
  readonly processMetrics: boolean;
  /** Milliseconds, for what summaries forget. `Date.now` when not given. */
  readonly now?: () => number;
}

/**
 * Makes the registry of a process. The values are plain numbers of our own, because a prom-client child sorts and joins
 * its labels at each increment; prom-client gives the metrics of the process and of Node itself, and is loaded at the
 * first scrape (about 25 ms).
 */
export function createMetricsRegistry(options: MetricsRegistryOptions): MetricsRegistry {
  const families = new Map<string, Family<Cell>>();
  const updates: (() => void)[] = [];
  let processMetrics: Promise<() => Promise<string>> | undefined;

  function register<C extends Cell>(familyOptions: FamilyOptions, createCell: () => C): Family<C> {
    if (families.has(familyOptions.name)) {
      throw new TypeError(`metric ${familyOptions.name} is registered already`);
    }
    const family = createFamily(familyOptions, createCell);
    families.set(familyOptions.name, family);
    return family;
  }

  return {
    counter: (metric) => register({ ...metric, type: "counter" }, createNumberCell),
    gauge: (metric) => register({ ...metric, type: "gauge" }, createNumberCell),
    histogram: (metric) => {
      const buckets = checkBuckets(metric.name, metric.buckets);
      return register<HistogramCell>({ ...metric, type: "histogram" }, () => createHistogramCell(buckets));
    },
    summary: (metric) => {
      const summaryOptions = { maxAgeMs: metric.maxAgeMs, now: options.now ?? Date.now };
      return register<SummaryCell>({ ...metric, type: "summary" }, () => createSummaryCell(summaryOptions));
    },
    beforeScrape: (update) => {
      updates.push(update);
    },
    async render() {
      for (const update of updates) {
        update();
      }
      const parts: string[] = [];
      const meter = new StepMeter(seriesPerStep);
      for (const family of families.values()) {
        parts.push(renderFamilyHeader(family));
        for (const line of family.renderSeries()) {
          parts.push(line);
          if (meter.count()) {
            await yieldToEventLoop();
          }
        }
      }
      if (options.processMetrics) {
        processMetrics ??= startProcessMetrics();
        parts.push(await (await processMetrics)());
      }
      return parts.join("");
    },
  };
}

function createNumberCell(): Cell & Counter & Gauge {
  let value = 0;
  return {
    inc(by = 1) {
      value += by;
    },
    dec(by = 1) {
      value -= by;
    },
    set(to) {
      value = to;
    },
    read: () => value,
  };
}

function checkBuckets(name: string, buckets: readonly number[]): Float64Array {
  const sorted = buckets.every(
    (bound, index) => Number.isFinite(bound) && (index === 0 || bound > (buckets[index - 1] ?? 0)),
  );
  if (buckets.length === 0 || !sorted) {
    throw new TypeError(`metric ${name}: buckets must be finite and ascending`);
  }
  return Float64Array.from(buckets);
}

async function startProcessMetrics(): Promise<() => Promise<string>> {
  const { collectDefaultMetrics, Registry } = await import("prom-client");
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return async () => {
    const text = await registry.metrics();
    return text.endsWith("\n") ? text : `${text}\n`;
  };
}
