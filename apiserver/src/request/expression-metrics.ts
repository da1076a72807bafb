import type { Histogram, MetricsRegistry } from "@gatehouse/component-base/metrics";
import type { ExpressionMetrics } from "@gatehouse/policies/structural-schemas";

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** The limits of buckets in seconds, from 10 microseconds to about 2.6 seconds. */
const ratchetingBuckets = Array.from({ length: 10 }, (_, index) => 4 ** index / 100_000);

/** Returns the metrics of a registry, under v1.29's names. */
export function expressionMetrics(registry: MetricsRegistry): ExpressionMetrics {
  const histogram = (name: string, help: string, limits = buckets): Histogram =>
    registry.histogram({ name, help, buckets: limits }).labels({});
  const compilation = histogram(
    "apiserver_cel_compilation_duration_seconds",
    "Time that the compilation of expressions took.",
  );
  const evaluation = histogram(
    "apiserver_cel_evaluation_duration_seconds",
    "Time that the evaluation of expressions took.",
  );
  const ratcheting = histogram(
    "apiextensions_apiserver_validation_ratcheting_seconds",
    "Time of the comparison of custom objects with those that they replace, by which unchanged mistakes are allowed.",
    ratchetingBuckets,
  );
  return {
    now: () => performance.now() / 1_000,
    compiled: (seconds) => compilation.observe(seconds),
    evaluated: (seconds) => evaluation.observe(seconds),
    ratcheted: (seconds) => ratcheting.observe(seconds),
  };
}
