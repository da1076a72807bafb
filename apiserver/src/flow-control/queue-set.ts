import { LinkedList } from "@gatehouse/component-base/collections";
import { queueOfHand, queueToDispatch } from "./choose-queue.js";
import { expectedMs } from "./expected-time.js";
import type { FlowRequest } from "./flow-request.js";
import type { LevelStatistics } from "./level-statistics.js";
import type { Queuing } from "./read-priority-level.js";
import { RequestQueue } from "./request-queue.js";

/** The fate of a request that has come: it is executed now, waits in a queue, or is rejected. */
export type Admission = "execute" | "wait" | "reject";

/** The number of seats of a priority level, and its queues. */
export interface QueueSetConfig {
  /** The queues; undefined for a level that rejects what it has no seat for. */
  readonly queuing: Queuing | undefined;
  readonly isExempt: boolean;
}

/** The progress in seat-seconds at which all are set back, so that they stay exact. */
const highProgress = 2 ** 26;
const setBack = 2 ** 25;

/**
 * The seats and queues of one priority level: fair queuing for server requests, as v1.29 does it. Each queue gets the same
 * share of the seats while requests wait in it; shares are measured in virtual time, in which `progress` tells the
 * seat-seconds that each busy queue has got. Times are milliseconds on a monotonic clock.
 */
export class QueueSet {
  readonly #statistics: LevelStatistics;
  readonly #later: (ms: number, task: () => void) => void;
  #config: QueueSetConfig;
  #limit = 0;
  #queues: RequestQueue<FlowRequest>[] = [];
  /** Requests that are executed without a queue. */
  readonly #queueless = new LinkedList<FlowRequest>();
  #progress = 0;
  #lastMs: number;
  /** The queue from which a request was dispatched last. */
  #robin = 0;
  #enqueued = 0;
  #activeQueues = 0;
  /** Counts since the start, which `/debug/api_priority_and_fairness/` shows. */
  dispatched = 0;
  rejected = 0;
  cancelled = 0;
  #waiting = 0;
  #waitingSeats = 0;
  #executing = 0;
  #seatsInUse = 0;

  /** `later` runs a task after a time in milliseconds. */
  constructor(
    config: QueueSetConfig,
    parts: { statistics: LevelStatistics; nowMs: number; later: (ms: number, task: () => void) => void },
  ) {
    this.#config = config;
    this.#statistics = parts.statistics;
    this.#lastMs = parts.nowMs;
    this.#later = parts.later;
  }

  get queues(): readonly RequestQueue<FlowRequest>[] {
    return this.#queues;
  }

  get queueless(): Iterable<FlowRequest> {
    return this.#queueless;
  }

  get waiting(): number {
    return this.#waiting;
  }

  get executing(): number {
    return this.#executing;
  }

  get isIdle(): boolean {
    return this.#waiting === 0 && this.#executing === 0;
  }

  get progress(): number {
    return this.#progress;
  }

  /** Sets the configuration and the number of seats, and dispatches what has room by now. */
  configure(config: QueueSetConfig, limit: number, nowMs: number): void {
    this.advance(nowMs);
    this.#config = config;
    this.#limit = limit;
    // Queues that are too many go when they are empty.
    for (let index = this.#queues.length; index < (config.queuing?.queues ?? 0); index++) {
      this.#queues.push(new RequestQueue(index));
    }
    this.#dispatchAll(nowMs);
  }

  /** Brings virtual time and what is measured over time up to now. */
  advance(nowMs: number): void {
    const elapsedMs = nowMs - this.#lastMs;
    if (elapsedMs <= 0) {
      return;
    }
    this.#lastMs = nowMs;
    this.#statistics.advance(elapsedMs);
    if (this.#activeQueues > 0) {
      const busySeats = Math.min(this.#seatsInUse + this.#waitingSeats, this.#limit);
      this.#progress += (busySeats / this.#activeQueues) * (elapsedMs / 1000);
      if (this.#progress >= highProgress) {
        this.#setBack();
      }
    }
  }

  /** Takes a request that has come. One that waits is told by its `proceed`, unless `cancel` takes it back before. */
  start(request: FlowRequest, nowMs: number): Admission {
    this.advance(nowMs);
    if (this.#config.queuing === undefined) {
      return this.#startWithoutQueue(request, nowMs);
    }
    const queue = queueOfHand(this.#queues, request.flow.hand, this.#enqueued++);
    if (this.#seatsInUse >= this.#limit && queue.waiting.size >= this.#config.queuing.queueLengthLimit) {
      this.rejected++;
      request.flow.statistics.rejected("queue-full");
      return "reject";
    }
    request.queue = queue;
    request.arrivalProgress = this.#progress;
    if (queue.isIdle) {
      queue.nextDispatch = this.#progress;
      this.#activeQueues++;
    }
    request.flow.statistics.enqueued(queue.waiting.size + 1);
    if (this.#waiting === 0 && this.#hasRoomFor(request.maxSeats)) {
      // No other request can be chosen.
      this.#robin = queue.index;
      queue.nextDispatch = Math.max(queue.nextDispatch, request.arrivalProgress);
      request.fitInto(this.#limit);
      this.#statistics.forgetBounds();
      this.#statistics.noteBound(queue);
      this.#statistics.dispatching(this.#progress, queue);
      this.#execute(request, queue, nowMs);
      return "execute";
    }
    queue.enqueue(request);
    this.#countWaiting(request, 1);
    queue.boundNextDispatch();
    this.#dispatchAll(nowMs);
    if (queue.waiting.has(request)) {
      return "wait";
    }
    request.proceed = undefined;
    return "execute";
  }

  /** Takes back a request that waits. False if it does not. */
  cancel(request: FlowRequest, nowMs: number): boolean {
    this.advance(nowMs);
    const { queue } = request;
    if (queue?.remove(request) !== true) {
      return false;
    }
    this.#countWaiting(request, -1);
    request.flow.statistics.rejected("time-out");
    this.rejected++;
    this.cancelled++;
    queue.boundNextDispatch();
    this.#noteIdle(queue);
    return true;
  }

  /** Ends a request that was executed, and dispatches those that have room by now. */
  finish(request: FlowRequest, nowMs: number): void {
    this.advance(nowMs);
    this.#executing--;
    request.flow.statistics.executing--;
    const { queue } = request;
    if (queue === undefined) {
      this.#queueless.delete(request);
    } else {
      queue.executing.delete(request);
      // It was expected to take a certain time; the queue pays for the time that it really took.
      queue.nextDispatch -= (request.initialSeats * (expectedMs - (nowMs - request.startedAtMs))) / 1000;
      queue.boundNextDispatch();
      if (queue.isIdle) {
        this.#activeQueues--;
      }
    }
    if (request.additionalMs > 0) {
      this.#later(request.additionalMs, () => {
        const thenMs = performance.now();
        this.advance(thenMs);
        this.#release(request);
        this.#dispatchAll(thenMs);
      });
    } else {
      this.#release(request);
    }
    this.#dispatchAll(nowMs);
  }

  #startWithoutQueue(request: FlowRequest, nowMs: number): Admission {
    if (!this.#hasRoomFor(request.maxSeats)) {
      this.rejected++;
      request.flow.statistics.rejected("concurrency-limit");
      return "reject";
    }
    this.#execute(request, undefined, nowMs);
    return "execute";
  }

  #hasRoomFor(seats: number): boolean {
    if (this.#config.isExempt) {
      return true;
    }
    // A request that is wider than the level runs alone.
    return seats > this.#limit ? this.#executing === 0 : this.#seatsInUse + seats <= this.#limit;
  }

  #dispatchAll(nowMs: number): void {
    while (this.#waiting > 0 && this.#seatsInUse < this.#limit) {
      const queue = this.#nextQueue();
      const request = queue?.oldest;
      if (queue === undefined || request === undefined) {
        return;
      }
      queue.remove(request);
      this.#countWaiting(request, -1);
      request.fitInto(this.#limit);
      this.#execute(request, queue, nowMs);
      queue.boundNextDispatch();
      request.proceed?.();
    }
  }

  /** Returns the queue to dispatch from; undefined when its oldest request has no room: then no other overtakes it. */
  #nextQueue(): RequestQueue<FlowRequest> | undefined {
    const chosen = queueToDispatch(this.#queues, this.#robin, this.#statistics);
    const head = chosen?.oldest;
    if (chosen === undefined || head === undefined) {
      return undefined;
    }
    if (!this.#hasRoomFor(head.maxSeats)) {
      head.flow.statistics.notAccommodated();
      return undefined;
    }
    this.#robin = chosen.index;
    this.#statistics.dispatching(this.#progress, chosen);
    return chosen;
  }

  #execute(request: FlowRequest, queue: RequestQueue<FlowRequest> | undefined, nowMs: number): void {
    request.startedAtMs = nowMs;
    this.dispatched++;
    this.#executing++;
    this.#seatsInUse += request.maxSeats;
    const { statistics } = request.flow;
    statistics.dispatched();
    statistics.executing++;
    statistics.executingSeats += request.maxSeats;
    if (queue === undefined) {
      this.#queueless.add(request);
    } else {
      queue.executing.add(request);
      queue.seatsInUse += request.maxSeats;
      queue.nextDispatch += request.totalWork;
    }
    this.#tellStatistics();
  }

  #release(request: FlowRequest): void {
    this.#seatsInUse -= request.maxSeats;
    request.flow.statistics.executingSeats -= request.maxSeats;
    if (request.queue !== undefined) {
      request.queue.seatsInUse -= request.maxSeats;
      this.#dropIfTooMany(request.queue);
    }
    this.#tellStatistics();
  }

  #countWaiting(request: FlowRequest, by: 1 | -1): void {
    this.#waiting += by;
    this.#waitingSeats += by * request.maxSeats;
    request.flow.statistics.waiting += by;
    request.flow.statistics.waitingSeats += by * request.maxSeats;
    this.#tellStatistics();
  }

  #noteIdle(queue: RequestQueue<FlowRequest>): void {
    if (queue.isIdle) {
      this.#activeQueues--;
      this.#dropIfTooMany(queue);
    }
  }

  #dropIfTooMany(queue: RequestQueue<FlowRequest>): void {
    if (this.#queues.length <= (this.#config.queuing?.queues ?? 0) || !queue.isIdle || queue.seatsInUse > 0) {
      return;
    }
    if (this.#queues[queue.index] !== queue) {
      return;
    }
    this.#queues.splice(queue.index, 1);
    for (let index = queue.index; index < this.#queues.length; index++) {
      (this.#queues[index] as RequestQueue<FlowRequest>).index = index;
    }
    if (this.#robin >= queue.index) {
      this.#robin--;
    }
  }

  #setBack(): void {
    this.#progress -= setBack;
    for (const queue of this.#queues) {
      queue.nextDispatch = queue.isIdle ? 0 : queue.nextDispatch - setBack;
      for (const request of queue.waiting) {
        request.arrivalProgress -= setBack;
      }
    }
    this.#statistics.setBack();
  }

  #tellStatistics(): void {
    this.#statistics.now(this.#waiting, this.#executing, this.#seatsInUse, this.#waitingSeats);
  }
}
