import type { Measurement } from "./benchmark.js";

export interface RoundResult {
  readonly value: number;
  /** Processor time of the process under load per unit of work, where that means something. */
  readonly processorMicros?: number;
  readonly notes?: readonly string[];
}

/** One side of a comparison: measures once, and says what it noticed. */
export type Round = () => Promise<RoundResult>;

/**
 * Measures both sides in turns, so that whatever else the machine does meets both alike. The side that goes first
 * changes with every round.
 */
export async function interleave(rounds: number, figure: Round, limit: Round): Promise<Measurement> {
  const figures: RoundResult[] = [];
  const limits: RoundResult[] = [];
  for (let index = 0; index < rounds; index++) {
    if (index % 2 === 0) {
      limits.push(await limit());
      figures.push(await figure());
    } else {
      figures.push(await figure());
      limits.push(await limit());
    }
  }
  return {
    figure: median(figures.map(({ value }) => value)),
    limit: median(limits.map(({ value }) => value)),
    ratio: median(figures.map(({ value }, index) => value / (limits[index] as RoundResult).value)),
    notes: [
      ...processorNotes(figures, limits),
      ...new Set([...figures, ...limits].flatMap(({ notes }) => notes ?? [])),
    ],
  };
}

/**
 * Processor time depends less than throughput on what else the machine does, so it tells more about a change. The least of
 * all rounds is that of the calmest one.
 */
function processorNotes(figures: readonly RoundResult[], limits: readonly RoundResult[]): readonly string[] {
  const micros = [figures, limits].map((side) => side.flatMap(({ processorMicros }) => processorMicros ?? []));
  const [ours, theirs] = micros as [number[], number[]];
  if (ours.length === 0) {
    return [];
  }
  const bare = theirs.length === 0 ? "" : `, of the limit ${medianAndLeast(theirs)}`;
  return [`processor time for one, in microseconds: ${medianAndLeast(ours)}${bare}`];
}

function medianAndLeast(micros: readonly number[]): string {
  return `${median(micros).toFixed(1)} (least ${Math.min(...micros).toFixed(1)})`;
}

/** The middle value; of an even number, the mean of the middle two. */
export function median(values: readonly number[]): number {
  if (values.length === 0) {
    throw new TypeError("the median of nothing");
  }
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}
