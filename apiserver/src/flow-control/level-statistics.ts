import { expectedMs } from "./expected-time.js";
import { SeatDemand } from "./seat-demand.js";
import type { TimedRatio } from "./timed-ratio.js";

/** A queue as far as bounds of virtual starts go. */
interface QueueProgress {
  readonly nextDispatch: number;
  readonly seatsInUse: number;
}

/** The ratios of a priority level that are observed over time. */
export interface LevelRatios {
  readonly waitingRequests: TimedRatio;
  readonly executingRequests: TimedRatio;
  readonly seatsInUse: TimedRatio;
  readonly demand: TimedRatio;
}

/** The least and the greatest of values; both infinite for none. */
interface Bounds {
  min: number;
  max: number;
}

/** Measures one priority level. */
export class LevelStatistics {
  readonly demand = new SeatDemand();
  readonly ratios: LevelRatios;
  readonly #onSetBack: () => void;
  /** The last dispatch, in seat-seconds of virtual time: when, of which start, and the starts to choose from. */
  dispatchedAt = 0;
  latestStart = 0;
  readonly starts: Bounds = { min: 0, max: 0 };
  /** The starts without the work that is under way. */
  readonly discountedStarts: Bounds = { min: 0, max: 0 };
  hasDispatched = false;

  constructor(ratios: LevelRatios, onSetBack: () => void) {
    this.ratios = ratios;
    this.#onSetBack = onSetBack;
  }

  /** Counts a time for which nothing has changed. */
  advance(elapsedMs: number): void {
    const { waitingRequests, executingRequests, seatsInUse, demand } = this.ratios;
    waitingRequests.advance(elapsedMs);
    executingRequests.advance(elapsedMs);
    seatsInUse.advance(elapsedMs);
    demand.advance(elapsedMs);
    this.demand.advance(elapsedMs);
  }

  /** Observes the ratios up to the time that was counted last. */
  observeRatios(): void {
    const { waitingRequests, executingRequests, seatsInUse, demand } = this.ratios;
    waitingRequests.observe();
    executingRequests.observe();
    seatsInUse.observe();
    demand.observe();
  }

  /** Takes the numbers that hold from now on. */
  now(waiting: number, executing: number, seatsInUse: number, waitingSeats: number): void {
    this.ratios.waitingRequests.numerator = waiting;
    this.ratios.executingRequests.numerator = executing;
    this.ratios.seatsInUse.numerator = seatsInUse;
    this.ratios.demand.numerator = seatsInUse + waitingSeats;
    this.demand.seats = seatsInUse + waitingSeats;
  }

  forgetBounds(): void {
    forget(this.starts);
    forget(this.discountedStarts);
  }

  /** Notes a queue from which a request could be dispatched. */
  noteBound({ nextDispatch, seatsInUse }: QueueProgress): void {
    note(this.starts, nextDispatch);
    note(this.discountedStarts, nextDispatch - (seatsInUse * expectedMs) / 1000);
  }

  dispatching(progress: number, { nextDispatch }: QueueProgress): void {
    this.hasDispatched = true;
    this.dispatchedAt = progress;
    this.latestStart = nextDispatch;
  }

  setBack(): void {
    this.#onSetBack();
  }
}

function forget(bounds: Bounds): void {
  bounds.min = Number.POSITIVE_INFINITY;
  bounds.max = Number.NEGATIVE_INFINITY;
}

function note(bounds: Bounds, value: number): void {
  bounds.min = Math.min(bounds.min, value);
  bounds.max = Math.max(bounds.max, value);
}
