import type { BenchEnvironment } from "./bench-environment.js";

/** What a benchmark found. Figure and limit have the same unit and come from interleaved rounds of one run. */
export interface Measurement {
  /** What Gatehouse does: the median of the rounds. */
  readonly figure: number;
  /** What the limit does: the median of the rounds. */
  readonly limit: number;
  /** The median of the rounds' own ratios: a burst of other work on the machine spoils a round, not the result. */
  readonly ratio: number;
  /** Anything worth telling, such as a load generator that was itself at its limit. */
  readonly notes: readonly string[];
}

/** One line of the report. */
export interface Benchmark {
  /** For `--only`. */
  readonly name: string;
  readonly what: string;
  readonly limit: string;
  readonly unit: string;
  /** The ratio that is wanted: at least for throughput, at most for time and memory. Left out where none is. */
  readonly wanted?: { readonly atLeast: number } | { readonly atMost: number };
  /** It compares with another server (`--peer`), and is left out where there is none. */
  readonly needsPeer?: boolean;
  run(environment: BenchEnvironment): Promise<Measurement>;
}

export function isMet(benchmark: Benchmark, ratio: number): boolean {
  const { wanted } = benchmark;
  if (wanted === undefined) {
    return true;
  }
  return "atLeast" in wanted ? ratio >= wanted.atLeast : ratio <= wanted.atMost;
}
