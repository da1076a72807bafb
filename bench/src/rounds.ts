import type { Measurement } from "./benchmark.js";

/** One side of a comparison: measures once, and says what it noticed. */
export type Round = () => Promise<{ readonly value: number; readonly notes?: readonly string[] }>;

/**
 * Measures both sides in turns, so that whatever else the machine does meets both alike. The side that goes first
 * changes with every round.
 */
export async function interleave(rounds: number, figure: Round, limit: Round): Promise<Measurement> {
  const figures: number[] = [];
  const limits: number[] = [];
  const notes = new Set<string>();
  const measure = async (round: Round, into: number[]): Promise<void> => {
    const { value, notes: noticed } = await round();
    into.push(value);
    for (const note of noticed ?? []) {
      notes.add(note);
    }
  };
  for (let index = 0; index < rounds; index++) {
    if (index % 2 === 0) {
      await measure(limit, limits);
      await measure(figure, figures);
    } else {
      await measure(figure, figures);
      await measure(limit, limits);
    }
  }
  return {
    figure: median(figures),
    limit: median(limits),
    ratio: median(figures.map((value, index) => value / (limits[index] as number))),
    notes: [...notes],
  };
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
