import type { MetricsRegistry } from "@gatehouse/component-base/metrics";

/** `hit`: from memory. `shared`: somebody else had asked already. `miss`: had to be looked into. */
export type VerdictLookup = "hit" | "shared" | "miss";

/** Counts how tokens that were asked about became known. */
export type VerdictCacheMetrics = (lookup: VerdictLookup) => void;

/** Registers what is counted. */
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
