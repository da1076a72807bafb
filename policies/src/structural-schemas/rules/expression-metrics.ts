/** Called with the seconds that something took. */
export type ObserveSeconds = (seconds: number) => void;

/**
 * The measurement of the rules of one node of a schema, compiled or evaluated one after the other. Time between two steps
 * of the work, in which other work runs, does not count.
 */
export interface ExpressionMetrics {
  /** Returns the time in seconds since some moment. */
  readonly now: () => number;
  readonly compiled: ObserveSeconds;
  readonly evaluated: ObserveSeconds;
}

/** The metrics of expressions that nobody measures. */
export const unmeasuredExpressions: ExpressionMetrics = { now: () => 0, compiled: () => {}, evaluated: () => {} };
