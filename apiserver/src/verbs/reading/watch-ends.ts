import { setTimeout as sleep } from "node:timers/promises";

/** The least number of watches that end in a second, as in v1.29, so that few watches end at once. */
const leastPerSecond = 200;

/** Interval in milliseconds between the ends of groups of watches. */
const intervalMs = 10;

/** The watches under way, which end when the server stops. */
export class WatchEnds {
  readonly #ends = new Set<() => void>();

  /** Takes the function that ends a watch. The function returned takes it back. */
  add(end: () => void): () => void {
    this.#ends.add(end);
    return () => this.#ends.delete(end);
  }

  /**
   * Ends all watches: at once, or one after the other over `graceMs` milliseconds, so that their clients do not all come to
   * the other servers in the same moment.
   */
  async endAll(graceMs: number): Promise<void> {
    const ends = [...this.#ends];
    const inInterval =
      graceMs === 0
        ? ends.length
        : Math.ceil(Math.max(leastPerSecond, (ends.length * 1000) / graceMs) * (intervalMs / 1000));
    for (let index = 0; index < ends.length; index++) {
      if (index > 0 && index % inInterval === 0) {
        await sleep(intervalMs);
      }
      ends[index]?.();
    }
  }
}
