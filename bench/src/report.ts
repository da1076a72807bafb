import { type Benchmark, isMet, type Measurement } from "./benchmark.js";
import { type StallRow, stallLimitMs } from "./stalls/measure-stalls.js";

/** The result of a benchmark as one line: what, figure, limit, ratio, wanted ratio, met or not. */
export function formatResult(benchmark: Benchmark, measurement: Measurement): string {
  const { figure, limit, ratio } = measurement;
  const { wanted, unit } = benchmark;
  const columns = [
    benchmark.name.padEnd(14),
    `${formatNumber(figure)} ${unit}`.padStart(18),
    `limit ${formatNumber(limit)} ${unit}`.padStart(24),
    `ratio ${ratio.toFixed(2)}`.padStart(11),
    (wanted === undefined ? "" : `wanted ${formatWanted(wanted)}`).padEnd(15),
    wanted === undefined ? "       " : isMet(benchmark, ratio) ? "met    " : "NOT MET",
    `${benchmark.what}, against ${benchmark.limit}`,
  ];
  return columns.join("  ");
}

/**
 * Formats the delay that a request caused to others as one line: name, worst, limit, met or not, and the request's
 * outcome.
 */
export function formatStall({ name, worstMs, outcome, isMet: met }: StallRow): string {
  const columns = [
    "stall".padEnd(14),
    `${formatNumber(worstMs)} ms`.padStart(18),
    `limit ${stallLimitMs} ms`.padStart(24),
    met ? "met    " : "NOT MET",
    `${name} (${outcome})`,
  ];
  return columns.join("  ");
}

function formatWanted(wanted: NonNullable<Benchmark["wanted"]>): string {
  return "atLeast" in wanted ? `>= ${wanted.atLeast}` : `<= ${wanted.atMost}`;
}

/** Three significant digits where there are decimals, thousands set apart where there are none. */
export function formatNumber(value: number): string {
  if (value >= 100) {
    return Math.round(value)
      .toString()
      .replace(/\B(?=(\d{3})+$)/g, ",");
  }
  return value.toPrecision(3);
}
