import { HttpClientError } from "../errors.js";
import type { Deadline } from "./deadline.js";

/**
 * Bounds how many calls are under way at a time; the others wait in the order in which they came, up to a bound as well.
 * With one connection for a call this bounds connections.
 */
export class CallSlots {
  readonly #maxWaiting: number;
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(size: number, maxWaiting: number) {
    this.#free = size;
    this.#maxWaiting = maxWaiting;
  }

  /** Takes a slot at once, if one is free; otherwise resolves when it is this call's turn. Rejects when the deadline ends. */
  take(deadline: Deadline): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--;
      return undefined;
    }
    if (this.#waiting.size >= this.#maxWaiting) {
      throw new HttpClientError("connection", "too many calls wait for a connection");
    }
    const { signal } = deadline;
    return new Promise((resolve, reject) => {
      const turn = (): void => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#waiting.delete(turn);
        reject(signal.reason);
      };
      this.#waiting.add(turn);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  /** Gives a slot back, to the one that has waited longest. */
  give(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
