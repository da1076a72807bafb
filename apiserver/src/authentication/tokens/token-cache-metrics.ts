import { type Labelled, type MetricsRegistry, onFirstUse } from "@gatehouse/component-base/metrics";

/** Metrics of the token cache. */
export interface TokenCacheMetrics {
  /** Counts a request answered from memory. */
  hit(): void;
  /** Counts a request that must wait; the function returned is called when it has its decision, `seconds` later. */
  miss(): (seconds: number) => void;
  /** Counts a call of the delegate; the function returned is called with whether it came to a decision. */
  fetch(): (isConcluded: boolean) => void;
}

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Registers them under v1.29's names. */
export function tokenCacheMetrics(registry: MetricsRegistry): TokenCacheMetrics {
  const metric = <L extends string>(name: string, help: string, ...labelNames: L[]) => ({
    name,
    help,
    labelNames,
  });
  const requests = registry.counter(
    metric("authentication_token_cache_request_total", "Tokens asked for, by hit and miss.", "status"),
  );
  const duration = registry.histogram({
    ...metric(
      "authentication_token_cache_request_duration_seconds",
      "Time to an answer about a token, by hit and miss.",
      "status",
    ),
    buckets,
  });
  const fetches = registry.counter(
    metric("authentication_token_cache_fetch_total", "Tokens looked into, by result.", "status"),
  );
  const active = registry.gauge(
    metric(
      "authentication_token_cache_active_fetch_count",
      "Tokens being looked into, and requests that wait for it.",
      "status",
    ),
  );
  // Series are made with their first value, as in v1.29.
  const series = <C>(metric: Labelled<"status", C>, status: string): (() => C) =>
    onFirstUse(() => metric.labels({ status }));
  const [hits, misses] = [series(requests, "hit"), series(requests, "miss")];
  const [hitTime, missTime] = [series(duration, "hit"), series(duration, "miss")];
  const [concluded, failed] = [series(fetches, "ok"), series(fetches, "error")];
  const [blocked, inFlight] = [series(active, "blocked"), series(active, "in_flight")];
  return {
    hit() {
      hits().inc();
      // v1.29 measures whole milliseconds, too, of which this takes none.
      hitTime().observe(0);
    },
    miss() {
      blocked().inc();
      return (seconds) => {
        blocked().dec();
        misses().inc();
        missTime().observe(seconds);
      };
    },
    fetch() {
      inFlight().inc();
      return (isConcluded) => {
        inFlight().dec();
        (isConcluded ? concluded : failed)().inc();
      };
    },
  };
}
