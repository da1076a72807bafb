import type { GroupResource } from "@gatehouse/envelopes/status";
import type { BackoffLimits } from "./backoff.js";
import type { ObjectClient, ObservedEvent, ObservedObject } from "./object-client.js";
import { type QueueClock, WorkQueue, type WorkResult } from "./work-queue.js";
import type { WorkQueueMetrics } from "./work-queue-metrics.js";

/** The options of every controller. */
export interface ControllerOptions {
  readonly client: ObjectClient;
  readonly onError: (error: unknown) => void;
  /** Counts and times what the queue does; nobody counts when absent. */
  readonly queueMetrics?: WorkQueueMetrics | undefined;
  /** Returns a number from 0 up to 1. Default `Math.random`. */
  readonly random?: () => number;
  /** The clock of a test, by which keys become due; that of the machine when absent. */
  readonly clock?: QueueClock | undefined;
}

/** The objects that are followed and the work on them; the queue's limits are those of WorkQueueOptions. */
export interface ReconcileOptions extends ControllerOptions {
  readonly signal: AbortSignal;
  /** Number of keys that are worked on at a time. */
  readonly concurrency: number;
  readonly backoff?: BackoffLimits;
  readonly work: (key: string) => Promise<WorkResult>;
  readonly sources: readonly Source[];
  /** Keys that are always worked on at the start. */
  readonly initial?: readonly string[];
}

/** A resource to follow. One that is not served here is passed over. */
export interface Source {
  readonly resource: GroupResource;
  /** Returns the key to work on when this object exists or changes; undefined for none. */
  readonly keyOf: (object: ObservedObject, event: ObservedEvent["type"] | "LISTED") => string | undefined;
}

/**
 * Runs the loop of most controllers: observed objects add keys to a queue, and workers take them. Ends with the signal.
 */
export async function reconcile(options: ReconcileOptions): Promise<void> {
  const { client, signal, sources, initial = [] } = options;
  const queue = new WorkQueue(options);
  const addKey = (key: string | undefined): void => {
    if (key !== undefined) {
      queue.add(key);
    }
  };
  for (const key of initial) {
    queue.add(key);
  }
  for (const source of sources) {
    if (client.find(source.resource) === undefined) {
      continue;
    }
    await client.observe(
      source.resource,
      {
        onList(objects) {
          for (const object of objects) {
            addKey(source.keyOf(object, "LISTED"));
          }
        },
        onEvent: (event) => addKey(source.keyOf(event, event.type)),
        onError: options.onError,
      },
      signal,
    );
  }
  await untilAborted(signal);
  await queue.idle();
}

/** Resolves when the signal aborts, at once if it has. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
}
