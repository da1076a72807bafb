import { pause } from "@gatehouse/component-base/time";
import type { PipelineConfig } from "../config/audit-sink-config.js";
import type { AuditLog } from "../log/audit-log.js";
import { LogDamagedError } from "../log/log-batch.js";
import type { Output, OutputContext } from "../outputs/output.js";
import type { SinkLog } from "../sink-log.js";
import { BatchCollector, type CollectedBatch } from "./batch-collector.js";
import { Delivery } from "./delivery.js";
import { eventTransform } from "./event-transform.js";
import type { PipelineMetrics } from "./pipeline-metrics.js";
import { PositionFile } from "./position-file.js";

/** Parts and settings of a pipeline. */
export interface PipelineOptions {
  readonly config: PipelineConfig;
  readonly log: AuditLog;
  /** Called once. */
  readonly openOutput: (context: OutputContext) => Promise<Output>;
  readonly metrics: PipelineMetrics;
  readonly sinkLog: SinkLog;
  /** Called with the first and last position of events that were deleted before delivery. */
  readonly onDropped?: (first: number, last: number) => void;
}

/** Interval in milliseconds between saves of the position: later deliveries are repeated after a crash. */
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
  #delivery: Delivery | undefined;
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
    const { config, log, openOutput, metrics, sinkLog } = this.#options;
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
    this.#delivery = new Delivery({
      pipeline: config.name,
      output: this.#output,
      retry: config.retry,
      metrics,
      sinkLog,
      stop: this.#stop.signal,
      abandon: this.#abandon.signal,
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
        await this.#saveWhileIdle(next);
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
    const isDelivered =
      batch === undefined ||
      (await (this.#delivery as Delivery).deliver(batch, (position) => {
        this.#position = position;
      }));
    if (!isDelivered) {
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

  async #waitAfter(error: unknown): Promise<void> {
    const { initialBackoffMs, maxBackoffMs } = this.#options.config.retry;
    const waitMs = Math.min(initialBackoffMs, maxBackoffMs);
    this.#options.metrics.failed();
    this.#options.sinkLog.deliveryFailed(this.name, 1, waitMs, asError(error));
    await pause(waitMs, this.#stop.signal);
  }

  /** Saves the position while no batch comes, after the last one has moved it. */
  async #saveWhileIdle(next: Promise<unknown>): Promise<void> {
    if (this.#savedPosition === this.#position) {
      return;
    }
    const isIdle = await Promise.race([
      next.then(
        () => false,
        () => false,
      ),
      pause(saveIntervalMs, this.#stop.signal).then(() => true),
    ]);
    if (isIdle) {
      await this.#saveQuietly();
    }
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
