import type { BenchEnvironment } from "./bench-environment.js";

/** Result of a benchmark. Figure and limit have the same unit and come from interleaved rounds of one run. */
export interface Measurement {
  /** Value for Gatehouse: the median of the rounds. */
  readonly figure: number;
  /** Value for the limit: the median of the rounds. */
  readonly limit: number;
  /** The median of the rounds' own ratios: a burst of other work on the machine spoils a round, not the result. */
  readonly ratio: number;
  /** Remarks on the result, such as a load generator that was itself at its limit. */
  readonly notes: readonly string[];
}

/** One line of the report. */
export interface Benchmark {
  /** Name for `--only`. */
  readonly name: string;
  readonly what: string;
  readonly limit: string;
  readonly unit: string;
  /** The ratio that is wanted: at least for throughput, at most for time and memory. Left out where none is. */
  readonly wanted?: { readonly atLeast: number } | { readonly atMost: number };
  /** The other program with which the benchmark compares (`--peer`, `--peer-etcd`, `--peer-pair`, `--expression-peer`), or etcd (`--etcd`); it is skipped without. */
  readonly needs?: "peer" | "peerEtcd" | "peerPair" | "expressionPeer" | "etcd";
  run(environment: BenchEnvironment): Promise<Measurement>;
}

export function isMet(benchmark: Benchmark, ratio: number): boolean {
  const { wanted } = benchmark;
  if (wanted === undefined) {
    return true;
  }
  return "atLeast" in wanted ? ratio >= wanted.atLeast : ratio <= wanted.atMost;
}
