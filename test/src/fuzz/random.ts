/** A source of choices that gives the same ones for the same seed. */
export interface Random {
  /** Returns a number from 0 up to, and not including, `limit`. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** One of the makers, by weight. */
  weighted<T>(choices: readonly (readonly [weight: number, make: (random: Random) => T])[]): T;
  bytes(length: number): Buffer;
}

/** Choices number `index` of a run: each request has its own, so that one can be made again without the others. */
export function createRandom(seed: number, index: number): Random {
  // mulberry32, started from both numbers.
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35)) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const random: Random = {
    below,
    chance: (probability) => next() < probability,
    pick: <T>(items: readonly T[]): T => items[below(items.length)] as T,
    weighted(choices) {
      const total = choices.reduce((sum, [weight]) => sum + weight, 0);
      let at = next() * total;
      for (const [weight, make] of choices) {
        at -= weight;
        if (at < 0) {
          return make(random);
        }
      }
      return (choices[0] as (typeof choices)[number])[1](random);
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
  return random;
}
