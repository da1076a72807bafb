/** Called with the seconds that something took. */
export type ObserveSeconds = (seconds: number) => void;

/** The measurement of rules. Time between two steps of the work, in which other work runs, does not count. */
export interface ExpressionMetrics {
  /** Returns the time in seconds since some moment. */
  readonly now: () => number;
  /** Called once for each node of a schema whose rules have been compiled. */
  readonly compiled: ObserveSeconds;
  /** Called once for each value that has rules, or may lead to values with rules: for the rules of all of it. */
  readonly evaluated: ObserveSeconds;
  /** Called once for each update that may leave mistakes in unchanged parts, for the search for those parts. */
  readonly ratcheted: ObserveSeconds;
}

/** The metrics of expressions that nobody measures. */
export const unmeasuredExpressions: ExpressionMetrics = {
  now: () => 0,
  compiled: () => {},
  evaluated: () => {},
  ratcheted: () => {},
};
