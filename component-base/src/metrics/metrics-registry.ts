import { StepMeter, yieldToEventLoop } from "@gatehouse/envelopes/scheduling";
import { renderFamilyHeader } from "./exposition.js";
import { createHistogramCell, type HistogramCell } from "./histogram.js";
import { type MetaMetrics, metaMetrics } from "./meta-metrics.js";
import type { Counter, Gauge, MetricOptions, MetricsRegistry } from "./metric.js";
import { type Cell, createFamily, type Family, type FamilyOptions } from "./metric-family.js";
import { helpWithLifecycle, isHidden, type MetricsPolicy } from "./metrics-policy.js";
import { createSummaryCell, type SummaryCell } from "./summary.js";

/** Number of series that are rendered in one step: a scrape must not hold up requests. */
const seriesPerStep = 500;

/** Content of a registry beside the registered metrics, and its clock. */
export interface MetricsRegistryOptions {
  /** True if the metrics of the process and of Node are shown, too. */
  readonly processMetrics: boolean;
  /** Milliseconds, for what summaries forget. `Date.now` when not given. */
  readonly now?: () => number;
  /** The rules of Kubernetes components; none when absent. */
  readonly policy?: MetricsPolicy | undefined;
}

/**
 * Makes the registry of a process. The values are plain numbers of our own, because a prom-client child sorts and joins
 * its labels at each increment; prom-client gives the metrics of the process and of Node itself, and is loaded at the
 * first scrape (about 25 ms).
 */
export function createMetricsRegistry(options: MetricsRegistryOptions): MetricsRegistry {
  const { policy } = options;
  const families = new Map<string, Family<Cell>>();
  const notShown = new Set<string>();
  const updates: (() => void)[] = [];
  let meta: MetaMetrics | undefined;
  let processMetrics: Promise<() => Promise<string>> | undefined;

  function register<C extends Cell>(familyOptions: RegisteredOptions, createCell: () => C): Family<C> {
    const { name } = familyOptions;
    if (families.has(name)) {
      throw new TypeError(`metric ${name} is registered already`);
    }
    const family = createFamily(policy === undefined ? familyOptions : governed(familyOptions, policy), createCell);
    families.set(name, family);
    return family;
  }

  /** Applies the policy to a metric: its help text, whether it is shown, and the values of its labels. */
  function governed(metric: RegisteredOptions, rules: MetricsPolicy): FamilyOptions {
    const { name, help, stability = "ALPHA", deprecatedVersion = "" } = metric;
    const lifecycle = { stability, deprecatedVersion };
    if (rules.disabled.has(name)) {
      notShown.add(name);
      meta?.disabled();
    } else if (isHidden(rules, lifecycle) && !rules.showsHidden) {
      notShown.add(name);
      meta?.hidden();
    } else {
      meta?.registered(lifecycle);
    }
    return {
      ...metric,
      help: helpWithLifecycle(help, lifecycle),
      allowedLabelValues: rules.allowedLabelValues.get(name),
      onUnexpectedValue: () => meta?.unexpectedValue(),
    };
  }

  const registry: MetricsRegistry = {
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
    shows: (name) => families.has(name) && !notShown.has(name),
    beforeScrape: (update) => {
      updates.push(update);
    },
    async render() {
      for (const update of updates) {
        update();
      }
      const parts: string[] = [];
      const meter = new StepMeter(seriesPerStep);
      // Sorted, as clients of Go write them: people compare two scrapes.
      for (const family of [...families.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
        if (family.isEmpty || notShown.has(family.name)) {
          continue;
        }
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
  if (policy !== undefined) {
    meta = metaMetrics(registry);
  }
  return registry;
}

type RegisteredOptions = FamilyOptions & Pick<MetricOptions<never>, "stability" | "deprecatedVersion">;

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

/** Gauges of prom-client that only sum up those of the same name without `_total`, which is the mark of counters. */
const gaugesNamedLikeCounters = ["handles", "requests", "resources"].map((what) => `nodejs_active_${what}_total`);

async function startProcessMetrics(): Promise<() => Promise<string>> {
  const { collectDefaultMetrics, Registry } = await import("prom-client");
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of gaugesNamedLikeCounters) {
    registry.removeSingleMetric(name);
  }
  return async () => {
    const text = await registry.metrics();
    return text.endsWith("\n") ? text : `${text}\n`;
  };
}
