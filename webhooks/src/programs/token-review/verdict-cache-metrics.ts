import type { MetricsRegistry } from "@gatehouse/component-base/metrics";

/** The origin of a verdict: `hit` memory, `shared` another call that was under way, `miss` a source. */
export type VerdictLookup = "hit" | "shared" | "miss";

/** Counts one verdict by its origin. */
export type VerdictCacheMetrics = (lookup: VerdictLookup) => void;

/** Registers the counter of verdicts by their origin. */
export function verdictCacheMetrics(registry: MetricsRegistry): VerdictCacheMetrics {
  const lookups = registry.counter({
    name: "gatehouse_token_review_cache_lookups_total",
    help: "Tokens that were asked about: known (hit), being looked into for another review (shared), or not known (miss).",
    labelNames: ["result"],
  });
  const counters = {
    hit: lookups.labels({ result: "hit" }),
    shared: lookups.labels({ result: "shared" }),
    miss: lookups.labels({ result: "miss" }),
  };
  return (lookup) => counters[lookup].inc();
}
