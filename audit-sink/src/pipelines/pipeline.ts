import { pause } from "@gatehouse/component-base";
import type { PipelineConfig } from "../config/audit-sink-config.js";
import type { AuditLog } from "../log/audit-log.js";
import { LogDamagedError } from "../log/log-batch.js";
import {
  EventsRejected,
  type Output,
  type OutputBatch,
  type OutputContext,
  type OutputEvent,
} from "../outputs/output.js";
import type { SinkLog } from "../sink-log.js";
import { BatchCollector, type CollectedBatch } from "./batch-collector.js";
import { eventTransform } from "./event-transform.js";
import type { PipelineMetrics } from "./pipeline-metrics.js";
import { PositionFile } from "./position-file.js";

/** What a pipeline works with. */
export interface PipelineOptions {
  readonly config: PipelineConfig;
  readonly log: AuditLog;
  /** Called once. */
  readonly openOutput: (context: OutputContext) => Promise<Output>;
  readonly metrics: PipelineMetrics;
  readonly sinkLog: SinkLog;
  /** Told of events that were deleted before they were delivered. */
  readonly onDropped?: (first: number, last: number) => void;
}

/** How often the position is saved, in milliseconds: what was delivered since then comes again after a crash. */
const saveIntervalMs = 250;

/**
 * Takes events from the log to one output, at its own pace: what was delivered stands in a position of its own, and an
 * output that fails is tried again until it succeeds.
 */
export class Pipeline {
  readonly #options: PipelineOptions;
  readonly #file: PositionFile;
  readonly #stop = new AbortController();
  readonly #abandon = new AbortController();
  #position = 0;
  #savedPosition = 0;
  #savedAt = Number.NEGATIVE_INFINITY;
  #output: Output | undefined;
  #running: Promise<void> | undefined;

  private constructor(options: PipelineOptions) {
    this.#options = options;
    this.#file = new PositionFile(options.log.directory, options.config.name);
  }

  /** Finds the position again, opens the output and begins to deliver. */
  static async start(options: PipelineOptions): Promise<Pipeline> {
    const pipeline = new Pipeline(options);
    await pipeline.#open();
    pipeline.#running = pipeline.#run();
    return pipeline;
  }

  get name(): string {
    return this.#options.config.name;
  }

  /** Events before this position are delivered, and the pipeline knows it after a crash: it needs them no more. */
  get savedPosition(): number {
    return this.#savedPosition;
  }

  /** Position of the next event to deliver. */
  get position(): number {
    return this.#position;
  }

  /** Finishes the delivery that is under way, saves the position and closes the output. When `signal` aborts, cuts short. */
  async stop(signal?: AbortSignal): Promise<void> {
    this.#stop.abort();
    const abandon = (): void => this.#abandon.abort();
    signal?.addEventListener("abort", abandon, { once: true });
    if (signal?.aborted === true) {
      abandon();
    }
    await this.#running;
    signal?.removeEventListener("abort", abandon);
    await this.#output?.close();
  }

  async #open(): Promise<void> {
    const { config, log, openOutput } = this.#options;
    const saved = await this.#file.read();
    this.#position = Math.min(saved?.position ?? (config.startAtEnd ? log.endPosition : 0), log.endPosition);
    if (saved === undefined) {
      this.#position = Math.max(this.#position, log.firstPosition);
    }
    this.#savedPosition = this.#position;
    this.#output = await openOutput({
      pipeline: config.name,
      state: saved?.state,
      saveState: () => this.#save(),
    });
    if (saved === undefined) {
      await this.#save();
    }
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#follow();
      } catch (error) {
        if (!(error instanceof LogDamagedError)) {
          await this.#waitAfter(error);
          continue;
        }
        const lost = error.resumeAt - this.#position;
        this.#options.sinkLog.eventsUnreadable(this.name, lost);
        this.#options.metrics.dropped("unreadable", lost);
        this.#position = error.resumeAt;
        // At the end of the log there may be nothing to resume with yet.
        await pause(saveIntervalMs, this.#stop.signal);
      }
    }
    await this.#saveQuietly();
  }

  /** Delivers until the log ends or the pipeline stops. */
  async #follow(): Promise<void> {
    const { log, config } = this.#options;
    const { policy, redact, batching } = config;
    const source = log.readFrom(this.#position, this.#stop.signal);
    const collector = new BatchCollector(source, { batching, transform: eventTransform({ policy, redact }) });
    try {
      let next = collector.next();
      for (;;) {
        const collected = await next;
        if (collected === undefined || this.#stop.signal.aborted) {
          return;
        }
        // The next batch is put together while this one is delivered.
        next = collector.next();
        next.catch(() => undefined);
        if (!(await this.#deliverAll(collected))) {
          return;
        }
      }
    } finally {
      await source.return();
    }
  }

  /** Delivers what was collected and moves on; false if the pipeline stopped before. */
  async #deliverAll({ batch, endPosition, leftOut, failed, startPosition }: CollectedBatch): Promise<boolean> {
    const { metrics, sinkLog } = this.#options;
    if (startPosition > this.#position) {
      const missed = startPosition - this.#position;
      sinkLog.undeliveredDropped(this.name, this.#position, startPosition - 1);
      metrics.dropped("retention", missed);
      this.#options.onDropped?.(this.#position, startPosition - 1);
    }
    if (batch !== undefined && !(await this.#deliver(batch))) {
      return false;
    }
    metrics.leftOut(leftOut);
    if (failed > 0) {
      sinkLog.eventsUnreadable(this.name, failed);
      metrics.dropped("unreadable", failed);
    }
    this.#position = endPosition;
    metrics.position(endPosition);
    if (performance.now() - this.#savedAt > saveIntervalMs) {
      await this.#saveQuietly();
    }
    return true;
  }

  /** Tries until it succeeds; false if the pipeline stopped before. */
  async #deliver(batch: OutputBatch): Promise<boolean> {
    const { config, metrics, sinkLog } = this.#options;
    const { initialBackoffMs, maxBackoffMs, timeoutMs } = config.retry;
    for (let attempt = 1; ; attempt++) {
      try {
        const rejected = await this.#attempt(batch, timeoutMs);
        metrics.delivered(batch.events.length - rejected, batch.bytes);
        if (rejected > 0) {
          sinkLog.eventsRejected(this.name, rejected, new EventsRejected("the output does not say which"));
          metrics.dropped("rejected", rejected);
        }
        if (attempt > 1) {
          sinkLog.deliveryRecovered(this.name, attempt);
        }
        return true;
      } catch (error) {
        if (error instanceof EventsRejected) {
          return await this.#deliverRejected(batch, error);
        }
        metrics.failed();
        // Pipelines that fail together should not all come back together.
        const longest = Math.min(initialBackoffMs * 2 ** (attempt - 1), maxBackoffMs);
        const waitMs = longest * (0.5 + Math.random() / 2);
        sinkLog.deliveryFailed(this.name, attempt, Math.round(waitMs), asError(error));
        if (!(await this.#wait(waitMs))) {
          return false;
        }
      }
    }
  }

  /** Returns how many events the output has thrown away. */
  async #attempt(batch: OutputBatch, timeoutMs: number): Promise<number> {
    // Not AbortSignal.any: what it makes of a signal that lives as long as the process stays with it.
    const attempt = new AbortController();
    const abort = (): void => attempt.abort(new Error("the time for the delivery is up"));
    const timer = setTimeout(abort, timeoutMs);
    this.#abandon.signal.addEventListener("abort", abort, { once: true });
    try {
      return (await (this.#output as Output).deliver(batch, attempt.signal)).rejected;
    } finally {
      clearTimeout(timer);
      this.#abandon.signal.removeEventListener("abort", abort);
    }
  }

  /** Finds the events that the output will never take, drops these and delivers the others. */
  async #deliverRejected(batch: OutputBatch, error: EventsRejected): Promise<boolean> {
    const { events } = batch;
    if (events.length === 1) {
      this.#options.sinkLog.eventsRejected(this.name, 1, error);
      this.#options.metrics.dropped("rejected", 1);
      return true;
    }
    const middle = events.length >> 1;
    for (const half of [events.slice(0, middle), events.slice(middle)]) {
      const bytes = half.reduce((sum, event) => sum + event.bytes.length, 0);
      if (!(await this.#deliver({ events: half, bytes }))) {
        return false;
      }
      this.#position = (half.at(-1) as OutputEvent).position + 1;
    }
    return true;
  }

  async #waitAfter(error: unknown): Promise<void> {
    const { initialBackoffMs, maxBackoffMs } = this.#options.config.retry;
    const waitMs = Math.min(initialBackoffMs, maxBackoffMs);
    this.#options.metrics.failed();
    this.#options.sinkLog.deliveryFailed(this.name, 1, waitMs, asError(error));
    await this.#wait(waitMs);
  }

  /** False when the pipeline stops meanwhile. */
  async #wait(waitMs: number): Promise<boolean> {
    await pause(waitMs, this.#stop.signal);
    return !this.#stop.signal.aborted;
  }

  async #save(): Promise<void> {
    const position = this.#position;
    await this.#file.write({ position, state: this.#output?.state?.() });
    this.#savedPosition = position;
    this.#savedAt = performance.now();
  }

  /** A position that cannot be saved now costs a repetition after a crash, and is saved with the next batch. */
  async #saveQuietly(): Promise<void> {
    try {
      await this.#save();
    } catch (error) {
      this.#options.sinkLog.upkeepFailed(asError(error));
    }
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
