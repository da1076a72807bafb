import { LinkedList, ListElement } from "../collections/linked-list.js";

/** Limits on the number of calls in progress and on those that wait. */
export interface ConcurrencyLimitOptions {
  readonly maxConcurrent: number;
  /** Calls beyond that are refused at once. */
  readonly maxWaiting: number;
}

/** A call that waits for a place. */
class WaitingCall extends ListElement<WaitingCall> {
  readonly letIn: () => void;

  constructor(letIn: () => void) {
    super();
    this.letIn = letIn;
  }
}

/**
 * Lets a bounded number of calls in, the others wait in the order of their coming, and those for whom there is no place
 * to wait are refused.
 */
export class ConcurrencyLimit {
  readonly #maxConcurrent: number;
  readonly #maxWaiting: number;
  readonly #waiting = new LinkedList<WaitingCall>();
  #running = 0;

  constructor({ maxConcurrent, maxWaiting }: ConcurrencyLimitOptions) {
    this.#maxConcurrent = maxConcurrent;
    this.#maxWaiting = maxWaiting;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Takes a place if one is free. Whoever has one gives it back by `leave`. */
  tryEnter(): boolean {
    if (this.#running >= this.#maxConcurrent) {
      return false;
    }
    this.#running++;
    return true;
  }

  /** Waits for a place: resolves to whether there is one. False if too many wait already, or `signal` has aborted. */
  enter(signal: AbortSignal): Promise<boolean> {
    if (this.#waiting.size >= this.#maxWaiting || signal.aborted) {
      return Promise.resolve(false);
    }
    return new Promise((resolve) => {
      const onAbort = (): void => {
        this.#waiting.delete(call);
        resolve(false);
      };
      const call = new WaitingCall(() => {
        signal.removeEventListener("abort", onAbort);
        resolve(true);
      });
      this.#waiting.add(call);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Gives a place back: the one who has waited longest gets it. */
  leave(): void {
    const next = this.#waiting.first;
    if (next === undefined) {
      this.#running--;
      return;
    }
    this.#waiting.delete(next);
    next.letIn();
  }
}
