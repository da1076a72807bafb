import { pause } from "@gatehouse/component-base/time";
import { auditSequenceHeader, auditSourceHeader } from "@gatehouse/envelopes/audit-headers";
import { TokenBucket } from "@gatehouse/policies/rate-limit";
import type { AuditBackend, AuditLosses } from "../audit-backend.js";
import type { AuditEvent } from "../audit-event.js";
import type { BufferOptions } from "../buffered-backend.js";
import { retryDelayMs, webhookTries } from "../retry-delays.js";
import { WebhookCallError, type WebhookCaller } from "../webhook-caller.js";
import { SpoolDirectory } from "./spool-directory.js";
import { type SpooledBatch, SpoolReader } from "./spool-reader.js";
import { SpoolWriter, type SpoolWriterOptions } from "./spool-writer.js";

/** Options of a spool, and of the delivery of its events. */
export interface SpoolOptions extends Omit<BufferOptions, "bufferSize"> {
  readonly directory: string;
  readonly maxBytes: number;
  /**
   * The strict mode. If true, no request is answered before the spool has its events, and none begins while the spool
   * cannot take them. If false, requests go on when the disk is full, with their events in memory, and events are
   * dropped when there is no more room.
   */
  readonly isStrict: boolean;
  /** The delay until writes are durable; see `SpoolWriterOptions`. */
  readonly flushAfterMs: number;
  /** The delay in milliseconds before the second try; delays grow from there, up to a minute. */
  readonly initialBackoffMs: number;
  readonly caller: WebhookCaller;
  readonly losses: AuditLosses;
  readonly report: DeliveryReport;
  /** The signal that ends delivery; events that are left stay for the next start. */
  readonly signal: AbortSignal;
}

/** A listener for failures, called at each try; the reason holds nothing of the events. */
export interface DeliveryReport {
  /** Called when the spool cannot be written or read. No event is lost by that. */
  auditSpoolFailed(reason: string): void;
  auditDeliveryFailed(reason: string, tries: number): void;
  auditDeliveryRecovered(): void;
}

const maxSegmentBytes = 8 * 1024 * 1024;
const segmentsInSpool = 8;
const maxPauseMs = 60_000;
/** The size in bytes that a batch does not exceed by much. */
const maxBatchBytes = 4 * 1024 * 1024;
/** The size in bytes of lines that may wait in memory for a slow or full disk. */
const maxQueuedBytes = 64 * 1024 * 1024;
/** The share of `maxBytes` below which a spool that was full takes events again. */
const refillShare = 0.9;

/** Status codes that refuse the batch itself: a smaller one may pass. */
const refusals: ReadonlySet<number> = new Set([400, 413, 422]);

/**
 * Keeps every event on disk until the webhook has taken it, and sends them in order, again and again until it does. Each
 * has a number that goes along, so that the receiver can tell that none is missing. Survives the end of the process at any
 * moment. See docs/decisions/0048 for what happens when it is full, or its disk.
 */
export class SpoolingBackend implements AuditBackend {
  readonly name = "spool<webhook>";
  readonly #options: SpoolOptions;
  readonly #directory: SpoolDirectory;
  readonly #source: string;
  readonly #writer: SpoolWriter;
  readonly #reader: SpoolReader;
  readonly #delivery: Promise<void>;
  readonly #bucket: TokenBucket | undefined;
  #batchSize: number;
  #isFull = false;
  #isClosing = false;
  /** The time since which the oldest event waits for others in its batch; undefined if none waits. */
  #waitingSinceMs: number | undefined;
  #wake: () => void = () => {};

  private constructor(
    options: SpoolOptions,
    directory: SpoolDirectory,
    state: Awaited<ReturnType<SpoolDirectory["open"]>>,
  ) {
    this.#options = options;
    this.#directory = directory;
    this.#source = state.source;
    this.#batchSize = options.maxBatchSize;
    const segmentBytes = Math.min(maxSegmentBytes, options.maxBytes / segmentsInSpool);
    this.#writer = new SpoolWriter(directory, state, this.#writerOptions(segmentBytes), () => this.#wake());
    this.#reader = new SpoolReader(directory, state, (segment) => this.#writer.isOpen(segment));
    const { throttle } = options;
    this.#bucket = throttle && new TokenBucket(throttle.perSecond, throttle.burst, performance.now());
    // What was left the last time has waited long enough.
    this.#waitingSinceMs = Number.NEGATIVE_INFINITY;
    this.#delivery = this.#deliver();
  }

  /** Opens the folder, or makes it, and goes on with what it holds. Rejects with DirectoryInUseError. */
  static async open(options: SpoolOptions): Promise<SpoolingBackend> {
    const directory = new SpoolDirectory(options.directory);
    return new SpoolingBackend(options, directory, await directory.open());
  }

  #writerOptions(segmentBytes: number): SpoolWriterOptions {
    const { flushAfterMs, signal, losses, report } = this.#options;
    return {
      segmentBytes,
      flushAfterMs,
      signal,
      report: {
        failed: ({ message }) => report.auditSpoolFailed(`writing: ${message}`),
        lost: (count, { message }) => losses.lost("spool", count, message),
      },
    };
  }

  /**
   * Writes events to the spool. Strict mode always takes events of finished work: their amount is bounded by the
   * requests that were let in. It refuses a request that has only begun if its event is kept in memory.
   */
  async process(events: readonly AuditEvent[]): Promise<boolean> {
    const { losses, isStrict } = this.#options;
    if (!isStrict && this.#isWithoutRoom()) {
      losses.lost("spool", events.length, "the audit spool is full");
      await this.#writer.skip(events.length);
      return false;
    }
    const lines = events.map(({ item }) => `${item}\n`).join("");
    const hasOnlyBegun = events.every(({ stage }) => stage === "RequestReceived");
    const outcome = await this.#writer.append(lines, events.length, !isStrict || hasOnlyBegun);
    // What was kept may have been written meanwhile.
    return outcome === "written" || (outcome === "kept" && (!isStrict || this.#writer.failure === undefined));
  }

  refusal(): string | undefined {
    if (!this.#options.isStrict) {
      return undefined;
    }
    const { failure } = this.#writer;
    if (failure !== undefined) {
      return `the audit spool cannot be written (${(failure as NodeJS.ErrnoException).code ?? failure.name})`;
    }
    return this.#isWithoutRoom() ? "the audit spool is full" : undefined;
  }

  #isWithoutRoom(): boolean {
    const { maxBytes } = this.#options;
    const bytes = this.#reader.bytes + this.#writer.queuedBytes;
    this.#isFull = bytes >= maxBytes || (this.#isFull && bytes > maxBytes * refillShare);
    return this.#isFull || this.#writer.queuedBytes >= maxQueuedBytes;
  }

  async #deliver(): Promise<void> {
    const { report, signal } = this.#options;
    while (!signal.aborted) {
      if (!(await this.#isDue())) {
        return;
      }
      await this.#takeToken();
      const batch = await this.#reader.read(this.#batchSize, maxBatchBytes).catch((error: unknown) => {
        report.auditSpoolFailed(`reading: ${String(error)}`);
        return undefined;
      });
      if (batch === undefined) {
        await pause(this.#options.initialBackoffMs, signal);
      } else {
        await this.#send(batch);
      }
    }
  }

  /** Waits until a batch can be sent. Returns false if nothing is left and nothing will come. */
  async #isDue(): Promise<boolean> {
    const { maxBatchWaitMs, signal } = this.#options;
    for (;;) {
      const { waiting } = this.#reader;
      if (signal.aborted || (waiting === 0 && this.#isClosing)) {
        return false;
      }
      const now = performance.now();
      if (waiting > 0) {
        this.#waitingSinceMs ??= now;
      }
      const dueInMs = waiting === 0 ? undefined : (this.#waitingSinceMs as number) + maxBatchWaitMs - now;
      if (waiting >= this.#batchSize || (waiting > 0 && this.#isClosing) || (dueInMs !== undefined && dueInMs <= 0)) {
        this.#waitingSinceMs = undefined;
        return true;
      }
      await new Promise<void>((resolve) => {
        const timer = dueInMs === undefined ? undefined : setTimeout(resolve, Math.ceil(dueInMs));
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
        signal.addEventListener("abort", this.#wake, { once: true });
      });
      signal.removeEventListener("abort", this.#wake);
    }
  }

  async #takeToken(): Promise<void> {
    const { throttle, signal } = this.#options;
    while (throttle !== undefined && !signal.aborted && this.#bucket?.tryTake(performance.now()) === false) {
      await pause(Math.min(1000 / throttle.perSecond, maxPauseMs), signal);
    }
  }

  /** Sends a batch until it has been taken, or the process ends. */
  async #send(batch: SpooledBatch): Promise<void> {
    const { caller, initialBackoffMs, signal, losses, report, maxBatchSize } = this.#options;
    let { items } = batch;
    let refused = 0;
    for (let tried = 1; !signal.aborted; tried++) {
      try {
        await caller.post(items, {
          [auditSourceHeader.toLowerCase()]: this.#source,
          [auditSequenceHeader.toLowerCase()]: String(batch.first),
        });
        this.#batchSize = Math.min(this.#batchSize * 2, maxBatchSize);
        if (tried > 1) {
          report.auditDeliveryRecovered();
        }
        break;
      } catch (error) {
        const isRefusal = error instanceof WebhookCallError && refusals.has(error.status ?? 0);
        if (isRefusal && items.length > 1) {
          // One event that the receiver does not like must not hold up the others for ever.
          this.#batchSize = Math.ceil(items.length / 2);
          items = items.slice(0, this.#batchSize);
          continue;
        }
        if (!signal.aborted) {
          report.auditDeliveryFailed(error instanceof Error ? error.message : String(error), tried);
        }
        refused += isRefusal ? 1 : 0;
        if (refused === webhookTries) {
          losses.lost("webhook", 1, error instanceof Error ? error.message : String(error));
          break;
        }
      }
      await pause(retryDelayMs(initialBackoffMs, tried), signal);
    }
    if (!signal.aborted) {
      await this.#reader.advance(batch, items).catch((error: unknown) => {
        report.auditSpoolFailed(`keeping how far it has been delivered: ${String(error)}`);
      });
    }
  }

  /** Delivers events until the signal aborts; the rest stays for the next start. */
  async close(): Promise<void> {
    await this.#writer.close();
    this.#isClosing = true;
    this.#wake();
    await this.#delivery;
    await this.#directory[Symbol.asyncDispose]();
  }
}
