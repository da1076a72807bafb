/** Milliseconds of long work in one turn of the event loop; then requests and connections get theirs. */
const turnMs = 8;

/** Called between small pieces of long work; what it returns is to be awaited when it is not undefined. */
export type Pace = () => Promise<void> | undefined;

/**
 * Shares the event loop between long pieces of work (lists, tables, documents) and everything else: all of them together
 * get one slice in each turn of the loop, and take turns when there are several, first come, first served. However many
 * clients ask for something long, a short request waits for one slice.
 */
export class Turns {
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];
  /** Number of the turn in which long work began last. */
  #turn = 0;
  /** When long work began in this turn of the loop; undefined before it has. */
  #startedAt: number | undefined;

  /** `now` is a monotonic clock in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The pace of one piece of work. */
  begin(): Pace {
    let ownTurn = 0;
    return () => {
      if (this.#startedAt === undefined) {
        this.#start();
        ownTurn = this.#turn;
        return undefined;
      }
      // Who comes new does not overtake those who wait.
      if ((ownTurn === this.#turn || this.#waiting.length === 0) && this.#now() - this.#startedAt < turnMs) {
        ownTurn = this.#turn;
        return undefined;
      }
      return new Promise((resolve) => {
        this.#waiting.push(() => {
          ownTurn = this.#turn;
          resolve();
        });
      });
    };
  }

  #start(): void {
    this.#turn++;
    this.#startedAt = this.#now();
    setImmediate(this.#next);
  }

  readonly #next = (): void => {
    this.#startedAt = undefined;
    const resume = this.#waiting.shift();
    if (resume !== undefined) {
      this.#start();
      resume();
    }
  };
}

/** The turns of this process: it has one event loop, so this is one of the few things that exist once. */
export const turns = new Turns();

/** The pace of work for one request, which ends (by a throw) at its next slice when nobody waits for it any more. */
export function paceOf(work: { readonly signal: AbortSignal }, from: Turns = turns): Pace {
  const pace = from.begin();
  return () => pace()?.then(() => work.signal.throwIfAborted());
}
