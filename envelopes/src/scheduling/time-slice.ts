import type { StepContext } from "./steps.js";
import { yieldToEventLoop } from "./yield-to-event-loop.js";

/** Milliseconds for which long work runs before other work does. */
const sliceMs = 8;

const neverAborts = new AbortController().signal;

/** Options of a time slice. */
export interface TimeSliceOptions {
  /** Aborts when nobody needs the result of the work any more. Default: a signal that never aborts. */
  readonly signal?: AbortSignal;
  /** A monotonic clock in milliseconds; `performance.now` by default. */
  readonly now?: () => number;
}

/**
 * The time for which long work runs before other work does. It begins when it is made. Where connections share the event
 * loop, their scheduler gives the slices; elsewhere each work has slices of its own.
 */
export class TimeSlice implements StepContext {
  readonly signal: AbortSignal;
  readonly #now: () => number;
  #startedMs: number;

  constructor({ signal = neverAborts, now = () => performance.now() }: TimeSliceOptions = {}) {
    this.signal = signal;
    this.#now = now;
    this.#startedMs = now();
  }

  /** True if the time is used up. */
  get isOver(): boolean {
    return this.#now() - this.#startedMs >= sliceMs;
  }

  /** Begins the next slice. */
  restart(): void {
    this.#startedMs = this.#now();
  }

  /** Yields to the event loop if the slice is over; the next slice begins when the promise is fulfilled. */
  yield(): Promise<void> | undefined {
    return this.isOver ? this.#nextSlice() : undefined;
  }

  async #nextSlice(): Promise<void> {
    await yieldToEventLoop(this.signal);
    this.restart();
  }
}
