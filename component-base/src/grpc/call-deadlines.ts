import { LinkedList, ListElement } from "../collections/index.js";

/** A call that ends at its deadline at the latest. */
export abstract class TimedCall extends ListElement<TimedCall> {
  /** The deadline, by `performance.now()`. */
  abstract readonly endsAtMs: number;
  /** Ends the call. */
  abstract expire(): void;
}

/** Ends calls at their deadlines, with one timer for all: nearly every call is over long before. */
export class CallDeadlines {
  readonly #calls = new LinkedList<TimedCall>();
  #timer: NodeJS.Timeout | undefined;
  #wakesAtMs = Number.POSITIVE_INFINITY;

  add(call: TimedCall): void {
    this.#calls.add(call);
    if (call.endsAtMs < this.#wakesAtMs) {
      this.#wakeAt(call.endsAtMs);
    }
  }

  /** Forgets a call that is over. The timer goes on: another call will most likely need it. */
  delete(call: TimedCall): void {
    this.#calls.delete(call);
  }

  #wakeAt(atMs: number): void {
    clearTimeout(this.#timer);
    this.#wakesAtMs = atMs;
    // The connection keeps the process alive while there are calls.
    this.#timer = setTimeout(() => this.#expire(), Math.max(1, Math.ceil(atMs - performance.now()))).unref();
  }

  #expire(): void {
    this.#wakesAtMs = Number.POSITIVE_INFINITY;
    const now = performance.now();
    let nextMs = Number.POSITIVE_INFINITY;
    const due: TimedCall[] = [];
    for (const call of this.#calls) {
      if (call.endsAtMs <= now) {
        due.push(call);
      } else {
        nextMs = Math.min(nextMs, call.endsAtMs);
      }
    }
    for (const call of due) {
      // The end of one may have been that of another.
      if (this.#calls.delete(call)) {
        call.expire();
      }
    }
    if (nextMs < this.#wakesAtMs) {
      this.#wakeAt(nextMs);
    }
  }
}
