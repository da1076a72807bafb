import { pause } from "@gatehouse/component-base/time";
import type { RetryConfig } from "../config/audit-sink-config.js";
import { EventsRejectedError, type Output, type OutputBatch, type OutputEvent } from "../outputs/output.js";
import type { SinkLog } from "../sink-log.js";
import type { PipelineMetrics } from "./pipeline-metrics.js";

/** Parts and settings of a delivery. */
export interface DeliveryOptions {
  readonly pipeline: string;
  readonly output: Output;
  readonly retry: RetryConfig;
  readonly metrics: PipelineMetrics;
  readonly sinkLog: SinkLog;
  /** Signal after which failed deliveries are not repeated. */
  readonly stop: AbortSignal;
  /** Signal after which the delivery in progress is aborted. */
  readonly abandon: AbortSignal;
}

/** Hands batches to an output until it has them: what fails is tried again, what is rejected is cut down to the culprit. */
export class Delivery {
  readonly #options: DeliveryOptions;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /**
   * Tries until it succeeds; false if the pipeline stopped before. `onProgress` is told of the next position when a part of
   * the batch has been dealt with.
   */
  async deliver(batch: OutputBatch, onProgress: (position: number) => void): Promise<boolean> {
    const { pipeline, sinkLog, metrics, retry } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#attempt(batch);
        if (attempt > 1) {
          sinkLog.deliveryRecovered(pipeline, attempt);
        }
        return true;
      } catch (error) {
        if (error instanceof EventsRejectedError) {
          return await this.#deliverRejected(batch, error, onProgress);
        }
        metrics.failed();
        const waitMs = waitAfter(attempt, retry);
        sinkLog.deliveryFailed(pipeline, attempt, waitMs, error instanceof Error ? error : new Error(String(error)));
        await pause(waitMs, this.#options.stop);
        if (this.#options.stop.aborted) {
          return false;
        }
      }
    }
  }

  async #attempt(batch: OutputBatch): Promise<void> {
    const { pipeline, output, retry, metrics, sinkLog, abandon } = this.#options;
    // Not AbortSignal.any: what it makes of a signal that lives as long as the process stays with it.
    const attempt = new AbortController();
    const abort = (): void => attempt.abort(new Error("the time for the delivery is up"));
    const timer = setTimeout(abort, retry.timeoutMs);
    abandon.addEventListener("abort", abort, { once: true });
    try {
      const { rejected } = await output.deliver(batch, attempt.signal);
      metrics.delivered(batch.events.length - rejected, batch.bytes);
      if (rejected > 0) {
        sinkLog.eventsRejected(pipeline, rejected, new EventsRejectedError("the output does not say which"));
        metrics.dropped("rejected", rejected);
      }
    } finally {
      clearTimeout(timer);
      abandon.removeEventListener("abort", abort);
    }
  }

  /** Finds the events that the output will never take by halving the batch, drops these and delivers the others. */
  async #deliverRejected(
    { events }: OutputBatch,
    error: EventsRejectedError,
    onProgress: (position: number) => void,
  ): Promise<boolean> {
    if (events.length === 1) {
      this.#options.sinkLog.eventsRejected(this.#options.pipeline, 1, error);
      this.#options.metrics.dropped("rejected", 1);
      return true;
    }
    const middle = events.length >> 1;
    for (const half of [events.slice(0, middle), events.slice(middle)]) {
      const bytes = half.reduce((sum, event) => sum + event.bytes.length, 0);
      if (!(await this.deliver({ events: half, bytes }, onProgress))) {
        return false;
      }
      onProgress((half.at(-1) as OutputEvent).position + 1);
    }
    return true;
  }
}

/** Pipelines that fail together should not all come back together. */
function waitAfter(attempt: number, { initialBackoffMs, maxBackoffMs }: RetryConfig): number {
  const longest = Math.min(initialBackoffMs * 2 ** (attempt - 1), maxBackoffMs);
  return Math.round(longest * (0.5 + Math.random() / 2));
}
