import type { Scrape, ScrapedFamily } from "./exposition.js";

type Combine = (one: number, other: number) => number;

const sum: Combine = (one, other) => one + other;
/** NaN, the quantile of nothing, gives way to a number. */
const largest: Combine = (one, other) => (Number.isNaN(one) ? other : Number.isNaN(other) ? one : Math.max(one, other));
/** Zero stands for a worker that knows no number yet. */
const smallestKnown: Combine = (one, other) => (one === 0 || other === 0 ? one + other : Math.min(one, other));
const smallest: Combine = (one, other) => Math.min(one, other);

/** Gauges that are not summed: each worker tells them of the same thing, or the worst of all workers counts. */
const gauges: readonly (readonly [names: RegExp, combine: Combine])[] = [
  // Every worker counts the objects of the one store.
  [/^apiserver_storage_objects$/, largest],
  [/^apiserver_requested_deprecated_apis$/, largest],
  // A worker knows a range as of its own last allocation.
  [/^kube_apiserver_(?:clusterip|nodeport)_allocator_allocated_/, largest],
  [/^kube_apiserver_(?:clusterip|nodeport)_allocator_available_/, smallestKnown],
  // A check has passed if it has passed everywhere.
  [/^kubernetes_healthcheck$/, smallest],
  [/^process_start_time_seconds$/, smallest],
  [/^process_max_fds$/, largest],
  [/^nodejs_eventloop_(?:lag|utilization)/, largest],
  [/_info$/, largest],
  // Virtual time and fractions are of each worker; its seats and requests are parts of a sum.
  [/^apiserver_flowcontrol_(?:current_r|dispatch_r|latest_s|next_|seat_fair_frac)/, largest],
  [/^kubernetes_feature_enabled$/, largest],
  [/^watch_cache_capacity$/, largest],
  [/^rest_client_exec_plugin_ttl_seconds$/, smallest],
  [/^apiserver_storage_size_bytes$/, largest],
];

/** Counters that tell of the program and not of events: every worker has the same. */
const sameEverywhere = /^(?:registered|disabled|hidden)_metrics_total$/;

/** Merges the scrapes of workers into that of the whole server. */
export function mergeScrapes(scrapes: Iterable<Scrape>): Scrape {
  const merged = new Map<string, ScrapedFamily>();
  for (const scrape of scrapes) {
    for (const [name, family] of scrape) {
      const known = merged.get(name);
      if (known === undefined) {
        merged.set(name, { ...family, samples: new Map(family.samples) });
      } else {
        addSamples(known, family);
      }
    }
  }
  return merged;
}

/**
 * Returns the part of a scrape that outlives its worker: all that counts events. Without it the counters of the server
 * would go backwards when a worker ends.
 */
export function countersOf(scrape: Scrape): Scrape {
  const counters = new Map<string, ScrapedFamily>();
  for (const [name, family] of scrape) {
    if (family.type !== "gauge") {
      const samples = new Map([...family.samples].filter(([series]) => !isQuantile(family, series)));
      counters.set(name, { ...family, samples });
    }
  }
  return counters;
}

function addSamples(known: ScrapedFamily, { samples }: ScrapedFamily): void {
  const ofFamily = sameEverywhere.test(known.name)
    ? largest
    : known.type === "gauge"
      ? (gauges.find(([names]) => names.test(known.name))?.[1] ?? sum)
      : sum;
  for (const [series, value] of samples) {
    const before = known.samples.get(series);
    const combine = isQuantile(known, series) ? largest : ofFamily;
    known.samples.set(series, before === undefined ? value : combine(before, value));
  }
}

/** Reports whether a series is a quantile of a summary; those of several processes cannot be summed. */
function isQuantile({ name, type }: ScrapedFamily, series: string): boolean {
  return type === "summary" && series.startsWith(`${name}{`) && series.includes('quantile="');
}
