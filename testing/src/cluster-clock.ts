/** The clock of a control plane: that of the machine, and as much ahead of it as a test wants. */
export interface ClusterClock {
  /** Returns the time of the control plane in milliseconds since the epoch. */
  now(): number;
  /**
   * Moves the time ahead. Tokens expire, stored objects with a time to live (events) and leases of the API of etcd end, and
   * controllers do what has become due, without a wait for their timers. What other programs time (a watch, a deadline of a
   * request, an etcd that holds the data) keeps the time of the machine. Throws TypeError for a negative number: time does not go back.
   */
  advance(ms: number): void;
}

/** A clock that can be set ahead. */
export class AdvancedClock implements ClusterClock {
  readonly #onAdvance: () => void;
  #aheadMs: number;

  /** `onAdvance` is called when time has been moved. */
  constructor(onAdvance: () => void, aheadMs = 0) {
    this.#onAdvance = onAdvance;
    this.#aheadMs = aheadMs;
  }

  get aheadMs(): number {
    return this.#aheadMs;
  }

  readonly now = (): number => Date.now() + this.#aheadMs;

  advance(ms: number): void {
    if (!(ms >= 0 && Number.isFinite(ms))) {
      throw new TypeError(`clock.advance: ${ms} is not a number of milliseconds from 0 up`);
    }
    this.#aheadMs += ms;
    this.#onAdvance();
  }
}
