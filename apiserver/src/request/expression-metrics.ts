import type { Histogram, MetricsRegistry } from "@gatehouse/component-base/metrics";

/** Called with the seconds that something took. */
export type ObserveSeconds = (seconds: number) => void;

/** The observers of expressions: of those of one node of a schema, compiled or evaluated one after the other. */
export interface ExpressionMetrics {
  readonly compiled: ObserveSeconds;
  readonly evaluated: ObserveSeconds;
}

/** The metrics of expressions that nobody measures. */
export const unmeasuredExpressions: ExpressionMetrics = { compiled: () => {}, evaluated: () => {} };

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Returns the metrics of a registry, under v1.29's names. */
export function expressionMetrics(registry: MetricsRegistry): ExpressionMetrics {
  const histogram = (name: string, help: string): Histogram => registry.histogram({ name, help, buckets }).labels({});
  const compilation = histogram(
    "apiserver_cel_compilation_duration_seconds",
    "Time that the compilation of expressions took.",
  );
  const evaluation = histogram(
    "apiserver_cel_evaluation_duration_seconds",
    "Time that the evaluation of expressions took.",
  );
  return {
    compiled: (seconds) => compilation.observe(seconds),
    evaluated: (seconds) => evaluation.observe(seconds),
  };
}
