// A sequence of numbers that is the same for the same seed.
export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** Returns a number from 0 to below 1. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  chance(probability) {
    return this.next() < probability;
  }

  int(below) {
    return Math.floor(this.next() * below);
  }

  pick(items) {
    return items[this.int(items.length)];
  }

  /** One of the items, each as often as its weight says in relation to the others. */
  weighted(items, weightOf) {
    let rest = this.next() * items.reduce((sum, item) => sum + weightOf(item), 0);
    for (const item of items) {
      rest -= weightOf(item);
      if (rest < 0) return item;
    }
    return items.at(-1);
  }

  /** Each item with that probability, in their order or, now and then, the other way round. */
  some(items, probability = 0.5) {
    const chosen = items.filter(() => this.chance(probability));
    return this.chance(0.2) ? chosen.reverse() : chosen;
  }
}
