import type { Counter, Histogram } from "@gatehouse/component-base/metrics";

/** The metrics of the requests of one FlowSchema in one priority level. */
export interface FlowCells {
  readonly dispatched: () => Counter;
  readonly rejected: (reason: RejectionReason) => Counter;
  readonly notAccommodated: () => Counter;
  readonly queueLength: () => Histogram;
  readonly estimatedSeats: () => Histogram;
  readonly watchers: () => Histogram;
  readonly wait: (execute: boolean) => Histogram;
  readonly execution: (type: "regular" | "watch") => Histogram;
}

/** The reason why a request is rejected: no free seat, a full queue, or too long a wait in one. */
export type RejectionReason = "concurrency-limit" | "queue-full" | "time-out";

/**
 * Counts the requests of one FlowSchema in one priority level. Each series is made when something is first counted in it,
 * as in v1.29, and found without a search from then on.
 */
export class FlowStatistics {
  executing = 0;
  executingSeats = 0;
  waiting = 0;
  waitingSeats = 0;
  readonly #cells: FlowCells;
  #dispatched: Counter | undefined;
  #queueLength: Histogram | undefined;
  #estimatedSeats: Histogram | undefined;
  #wait: Histogram | undefined;
  #execution: Histogram | undefined;
  #watchExecution: Histogram | undefined;

  constructor(cells: FlowCells) {
    this.#cells = cells;
  }

  dispatched(): void {
    this.#dispatched ??= this.#cells.dispatched();
    this.#dispatched.inc();
  }

  rejected(reason: RejectionReason): void {
    this.#cells.rejected(reason).inc();
  }

  notAccommodated(): void {
    this.#cells.notAccommodated().inc();
  }

  /** Notes the length of a queue to which a request has been added. */
  enqueued(length: number): void {
    this.#queueLength ??= this.#cells.queueLength();
    this.#queueLength.observe(length);
  }

  estimated(seats: number): void {
    this.#estimatedSeats ??= this.#cells.estimatedSeats();
    this.#estimatedSeats.observe(seats);
  }

  watchersFound(count: number): void {
    this.#cells.watchers().observe(count);
  }

  /** Notes the wait of a request that came to be executed. */
  waited(seconds: number): void {
    this.#wait ??= this.#cells.wait(true);
    this.#wait.observe(seconds);
  }

  /** Notes the wait of a request that was rejected when it came. */
  refusedAfter(seconds: number): void {
    this.#cells.wait(false).observe(seconds);
  }

  executed(seconds: number, isWatch: boolean): void {
    if (isWatch) {
      this.#watchExecution ??= this.#cells.execution("watch");
      this.#watchExecution.observe(seconds);
    } else {
      this.#execution ??= this.#cells.execution("regular");
      this.#execution.observe(seconds);
    }
  }
}
