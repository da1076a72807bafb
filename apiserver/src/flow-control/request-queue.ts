import { LinkedList, type ListElement } from "@gatehouse/component-base/collections";

/** A request as a queue sees it. */
export interface QueuedRequest<R extends ListElement<R>> extends ListElement<R> {
  readonly initialSeats: number;
  readonly maxSeats: number;
  /** The expected work in seat-seconds. */
  readonly totalWork: number;
  /** The progress of the queues when the request came, in seat-seconds. */
  readonly arrivalProgress: number;
}

/** One of the queues of a priority level: requests that wait, in order, and those that are executed. */
export class RequestQueue<R extends QueuedRequest<R>> {
  /** The position among the queues of the level. */
  index: number;
  readonly waiting = new LinkedList<R>();
  readonly executing = new LinkedList<R>();
  /** The progress at which the next request is dispatched in virtual time, in seat-seconds. */
  nextDispatch = 0;
  seatsInUse = 0;
  /** The sums over the requests that wait. */
  waitingInitialSeats = 0;
  waitingSeats = 0;
  waitingWork = 0;

  constructor(index: number) {
    this.index = index;
  }

  /** True if nothing waits and nothing is executed. */
  get isIdle(): boolean {
    return this.waiting.size === 0 && this.executing.size === 0;
  }

  get oldest(): R | undefined {
    return this.waiting.first;
  }

  enqueue(request: R): void {
    this.waiting.add(request);
    this.waitingInitialSeats += request.initialSeats;
    this.waitingSeats += request.maxSeats;
    this.waitingWork += request.totalWork;
  }

  /** Removes a request that waits. False if it does not. */
  remove(request: R): boolean {
    if (!this.waiting.delete(request)) {
      return false;
    }
    const isLast = this.waiting.size === 0;
    this.waitingInitialSeats -= request.initialSeats;
    this.waitingSeats -= request.maxSeats;
    // What rounding leaves must not weigh on an empty queue.
    this.waitingWork = isLast ? 0 : this.waitingWork - request.totalWork;
    return true;
  }

  /** Keeps a request from being dispatched in virtual time before it has come. */
  boundNextDispatch(): void {
    const { oldest } = this;
    if (oldest !== undefined && this.nextDispatch < oldest.arrivalProgress) {
      this.nextDispatch = oldest.arrivalProgress;
    }
  }
}
