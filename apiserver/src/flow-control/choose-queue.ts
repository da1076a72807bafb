import type { FlowRequest } from "./flow-request.js";
import type { LevelStatistics } from "./level-statistics.js";
import type { RequestQueue } from "./request-queue.js";

type Queues = readonly RequestQueue<FlowRequest>[];

/**
 * Chooses the queue of a hand that has the least work waiting; among equals the first one, counted from `offset`. A hand
 * that was dealt for another number of queues is taken for what it can be.
 */
export function queueOfHand(queues: Queues, hand: readonly number[], offset: number): RequestQueue<FlowRequest> {
  const size = Math.max(1, hand.length);
  let chosen: RequestQueue<FlowRequest> | undefined;
  for (let step = 0; step < size; step++) {
    const index = (hand[(offset + step) % size] ?? 0) % queues.length;
    const queue = queues[index] as RequestQueue<FlowRequest>;
    if (chosen === undefined || queue.waitingWork < chosen.waitingWork) {
      chosen = queue;
    }
    if (chosen.waitingWork === 0) {
      break;
    }
  }
  return chosen as RequestQueue<FlowRequest>;
}

/**
 * Returns the queue whose oldest request would end first in virtual time; among equals the one that comes next after
 * `last`. Undefined when nothing waits. Notes the bounds of all virtual starts.
 */
export function queueToDispatch(
  queues: Queues,
  last: number,
  statistics: LevelStatistics,
): RequestQueue<FlowRequest> | undefined {
  const { length } = queues;
  let least = Number.POSITIVE_INFINITY;
  let chosen: RequestQueue<FlowRequest> | undefined;
  statistics.forgetBounds();
  for (let step = 1; step <= length; step++) {
    const queue = queues[(last + step) % length] as RequestQueue<FlowRequest>;
    const { oldest } = queue;
    if (oldest !== undefined) {
      statistics.noteBound(queue);
      const end = queue.nextDispatch + oldest.totalWork;
      if (end < least) {
        least = end;
        chosen = queue;
      }
    }
  }
  return chosen;
}
