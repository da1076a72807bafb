/** The claim of one priority level in the division of the server's seats. */
export interface SeatClaim {
  /** The seats that the level gets at least; not negative. */
  readonly lowerBound: number;
  /** The seats that the level gets at most; not below `lowerBound`. */
  readonly upperBound: number;
  /** The seats that the level wants; not below `lowerBound`. */
  readonly target: number;
}

/** The division of seats, in the order of the claims. */
export interface SeatAllocation {
  readonly seats: readonly number[];
  /** The factor by which targets are multiplied where no bound applies. */
  readonly fairFraction: number;
}

/** The least target: a level that wants nothing still takes part in the division. */
const minTarget = 0.001;
const epsilon = 1e-7;

/**
 * Divides `total` seats so that each level gets its target times a common fraction, unless a bound of its own forbids
 * that. Throws RangeError when no division satisfies all bounds.
 */
export function allocateSeats(total: number, claims: readonly SeatClaim[]): SeatAllocation {
  const targets = claims.map(({ target }) => Math.max(target, minTarget));
  const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
  const lowest = sumOf(claims.map(({ lowerBound }) => lowerBound));
  const highest = sumOf(claims.map(({ upperBound }) => upperBound));
  if (lowest - total > epsilon || total - highest > epsilon) {
    throw new RangeError(`${total} seats cannot be divided within bounds that sum to ${lowest} and ${highest}`);
  }
  const lowerRatios = claims.map(({ lowerBound }, index) => lowerBound / (targets[index] as number));
  const upperRatios = claims.map(({ upperBound }, index) => upperBound / (targets[index] as number));
  if (total === 0) {
    return { seats: claims.map(() => 0), fairFraction: 0 };
  }
  if (lowest - total > -epsilon) {
    return { seats: claims.map(({ lowerBound }) => lowerBound), fairFraction: Math.min(...lowerRatios) };
  }
  if (total - highest > -epsilon) {
    return { seats: claims.map(({ upperBound }) => upperBound), fairFraction: Math.max(...upperRatios) };
  }
  const seatsAt = (fraction: number): readonly number[] =>
    claims.map(({ lowerBound, upperBound }, index) =>
      Math.max(lowerBound, Math.min(upperBound, fraction * (targets[index] as number))),
    );
  const fairFraction = solve(total, [...lowerRatios, ...upperRatios], (fraction) => sumOf(seatsAt(fraction)));
  return { seats: seatsAt(fairFraction), fairFraction };
}

/**
 * Finds the fraction at which a sum reaches `total`. The sum grows with the fraction, in straight lines between the
 * fractions at which a bound begins or ceases to apply.
 */
function solve(total: number, corners: readonly number[], sumAt: (fraction: number) => number): number {
  const ascending = [...corners].sort((one, other) => one - other);
  let before = ascending[0] ?? 0;
  for (const corner of ascending) {
    const sum = sumAt(corner);
    if (sum >= total) {
      const sumBefore = sumAt(before);
      return sum === sumBefore ? corner : before + ((corner - before) * (total - sumBefore)) / (sum - sumBefore);
    }
    before = corner;
  }
  return before;
}
