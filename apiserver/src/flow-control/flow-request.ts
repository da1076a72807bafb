import { ListElement } from "@gatehouse/component-base/collections";
import type { RequestInfo } from "../request/request-info.js";
import type { UserInfo } from "../request/user-info.js";
import { expectedMs } from "./expected-time.js";
import type { Flow } from "./flow.js";
import type { QueuedRequest, RequestQueue } from "./request-queue.js";
import type { WorkEstimate } from "./work-estimate.js";

/** A request on its way through the queues of its priority level. */
export class FlowRequest extends ListElement<FlowRequest> implements QueuedRequest<FlowRequest> {
  readonly flow: Flow;
  readonly user: UserInfo;
  readonly info: RequestInfo;
  readonly initialSeats: number;
  finalSeats: number;
  additionalMs: number;
  /** The seats that it takes up at most. */
  maxSeats: number;
  /** The expected work in seat-seconds. */
  readonly totalWork: number;
  /** The times when it came and when it began to be executed, in milliseconds on a monotonic clock. */
  readonly arrivedAtMs: number;
  startedAtMs = 0;
  /** The progress of the queues when it came, in seat-seconds. */
  arrivalProgress = 0;
  /** The queue that it is in or was; undefined where there are none. */
  queue: RequestQueue<FlowRequest> | undefined;
  /** Called when a waiting request gets its seats. */
  proceed: (() => void) | undefined;

  constructor(flow: Flow, asker: { user: UserInfo; info: RequestInfo }, work: WorkEstimate, nowMs: number) {
    super();
    this.flow = flow;
    this.user = asker.user;
    this.info = asker.info;
    this.initialSeats = work.initialSeats;
    this.finalSeats = work.finalSeats;
    this.additionalMs = work.additionalMs;
    this.maxSeats = Math.max(work.initialSeats, work.finalSeats);
    this.totalWork = (work.initialSeats * expectedMs + work.finalSeats * work.additionalMs) / 1000;
    this.arrivedAtMs = nowMs;
  }

  /** Makes the work after the answer narrower and longer when the level has fewer seats than it would take. */
  fitInto(limit: number): void {
    if (this.finalSeats > limit) {
      this.additionalMs = (this.finalSeats * this.additionalMs) / limit;
      this.finalSeats = limit;
      this.maxSeats = Math.max(this.initialSeats, limit);
    }
  }
}
