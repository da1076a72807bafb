import type { Logger } from "@gatehouse/component-base/logs";

/**
 * Every line that a sink logs, in one place. What a caller did wrong is info, what an operator should look at a warning,
 * our own faults and lost events are errors. Nothing here takes an event or a part of one.
 */
export class SinkLog {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  requestRefused(code: number, reason: string): void {
    this.#logger.info("a request with events was refused", { code, reason });
  }

  eventsRefused(sender: string, events: number): void {
    this.#logger.warn("events of a request cannot be kept", { sender, events });
  }

  intakeFailed(error: Error): void {
    this.#logger.error("events cannot be kept", { error });
  }

  gapFound(sender: string, source: string, first: number, last: number): void {
    this.#logger.warn("events of a source are missing", { sender, source, first, last });
  }

  gapFilled(sender: string, source: string, first: number, last: number): void {
    this.#logger.info("events of a source that were missing have come", { sender, source, first, last });
  }

  sourcesForgotten(sender: string, sources: number): void {
    this.#logger.warn("a sender names very many sources; those silent for longest are not followed any more", {
      sender,
      sources,
    });
  }

  deliveryFailed(pipeline: string, attempt: number, retryInMs: number, error: Error): void {
    this.#logger.warn("an output does not take events", { pipeline, attempt, retryInMs, error });
  }

  deliveryRecovered(pipeline: string, attempts: number): void {
    this.#logger.info("an output takes events again", { pipeline, attempts });
  }

  eventsUnreadable(pipeline: string, events: number): void {
    this.#logger.error("events cannot be read by a pipeline, which leaves them out", { pipeline, events });
  }

  eventsRejected(pipeline: string, events: number, error: Error): void {
    this.#logger.error("an output will never take some events, which are left out", { pipeline, events, error });
  }

  undeliveredDropped(pipeline: string, first: number, last: number): void {
    this.#logger.error("events were dropped before a pipeline had delivered them", {
      pipeline,
      first,
      last,
      events: last - first + 1,
    });
  }

  segmentsDeleted(events: number, segments: number): void {
    this.#logger.info("deleted old segments of the log", { events, segments });
  }

  upkeepFailed(error: Error): void {
    this.#logger.error("the upkeep of the log failed, and will be tried again", { error });
  }
}
