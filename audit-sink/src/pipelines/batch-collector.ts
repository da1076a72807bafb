import { TimeSlice } from "@gatehouse/envelopes/scheduling";
import type { BatchingConfig } from "../config/audit-sink-config.js";
import type { LogBatch } from "../log/log-batch.js";
import type { OutputBatch, OutputEvent } from "../outputs/output.js";
import type { EventTransform } from "./event-transform.js";

/** Events of the log that a pipeline has looked at, and what is to be delivered of them. */
export interface CollectedBatch {
  /** Batch of the events that were kept; undefined when all were left out. */
  readonly batch: OutputBatch | undefined;
  /** Position of the first event that was looked at: those before it are kept no more. */
  readonly startPosition: number;
  /** Position after the last event that was looked at. */
  readonly endPosition: number;
  readonly leftOut: number;
  /** Events that could not be worked on. */
  readonly failed: number;
}

/** Parts and settings of a collector. */
export interface BatchCollectorOptions {
  readonly batching: BatchingConfig;
  readonly transform: EventTransform;
}

interface OpenBatch {
  readonly batch: LogBatch;
  /** Index of the next event to look at. */
  next: number;
}

/** Puts events together until there are enough of them, or the first has waited long enough. */
export class BatchCollector {
  readonly #source: AsyncIterator<LogBatch, void>;
  readonly #options: BatchCollectorOptions;
  #reading: Promise<IteratorResult<LogBatch, void>> | undefined;
  /** Read, but not yet looked at whole. */
  #open: OpenBatch | undefined;

  constructor(source: AsyncIterator<LogBatch, void>, options: BatchCollectorOptions) {
    this.#source = source;
    this.#options = options;
  }

  /** The next batch; undefined when the log ends. Rejects as the log does. */
  async next(): Promise<CollectedBatch | undefined> {
    const collected = new Collected(this.#options);
    let deadline: number | undefined;
    for (;;) {
      if (this.#open === undefined) {
        const read = await this.#read(deadline).catch((error: unknown) => {
          // What was collected before is whole; the next call rejects.
          if (collected.isEmpty) {
            throw error;
          }
          return "late" as const;
        });
        if (read === "late" || read === undefined) {
          return read === undefined && collected.isEmpty ? undefined : collected.result();
        }
        this.#open = { batch: read, next: 0 };
      }
      deadline ??= performance.now() + this.#options.batching.maxWaitMs;
      const isDone = await this.#look(collected);
      if (isDone || collected.isFull) {
        return collected.result();
      }
    }
  }

  /** Looks at what has been read; returns whether the batch is complete. */
  async #look(collected: Collected): Promise<boolean> {
    const slice = new TimeSlice();
    const open = this.#open as OpenBatch;
    while (open.next < open.batch.events.length) {
      if (!collected.take(open.batch, open.next)) {
        return true;
      }
      open.next++;
      const nextSlice = slice.yield();
      if (nextSlice !== undefined) {
        await nextSlice;
      }
    }
    this.#open = undefined;
    return false;
  }

  /** The next events of the log; `late` when they do not come before the deadline, undefined at the end. */
  async #read(deadline: number | undefined): Promise<LogBatch | "late" | undefined> {
    this.#reading ??= this.#source.next();
    const result = await (deadline === undefined ? this.#reading : beforeDeadline(this.#reading, deadline));
    if (result === "late") {
      return "late";
    }
    this.#reading = undefined;
    return result.done === true ? undefined : result.value;
  }
}

async function beforeDeadline<T>(promise: Promise<T>, deadline: number): Promise<T | "late"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), Math.max(0, deadline - performance.now()));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A batch as it grows. */
class Collected {
  readonly #batching: BatchingConfig;
  readonly #transform: EventTransform;
  readonly #events: OutputEvent[] = [];
  #bytes = 0;
  #looked = 0;
  #leftOut = 0;
  #failed = 0;
  #startPosition: number | undefined;
  #endPosition = 0;

  constructor({ batching, transform }: BatchCollectorOptions) {
    this.#batching = batching;
    this.#transform = transform;
  }

  get isEmpty(): boolean {
    return this.#looked === 0;
  }

  get isFull(): boolean {
    return this.#events.length >= this.#batching.maxEvents || this.#looked >= maxLooked;
  }

  /** Adds an event; returns false when the batch is complete without it. */
  take(batch: LogBatch, index: number): boolean {
    const { maxBytes } = this.#batching;
    // A hole in the log stands between two batches, so that it is told of once.
    if (this.#looked > 0 && batch.position + index !== this.#endPosition) {
      return false;
    }
    if (this.isFull) {
      return false;
    }
    const event = batch.events[index] as LogBatch["events"][number];
    const bytes = this.#transformed(event.bytes);
    if (Buffer.isBuffer(bytes)) {
      if (this.#events.length > 0 && this.#bytes + bytes.length > maxBytes) {
        return false;
      }
      this.#bytes += bytes.length;
      this.#events.push({
        position: batch.position + index,
        sender: batch.sender,
        receivedTimestamp: batch.receivedTimestamp,
        bytes,
        digest: event.digest,
      });
    } else if (bytes === "failed") {
      this.#failed++;
    } else {
      this.#leftOut++;
    }
    this.#looked++;
    this.#startPosition ??= batch.position + index;
    this.#endPosition = batch.position + index + 1;
    return true;
  }

  result(): CollectedBatch {
    const isEmpty = this.#events.length === 0;
    return {
      batch: isEmpty ? undefined : { events: this.#events, bytes: this.#bytes },
      startPosition: this.#startPosition ?? this.#endPosition,
      endPosition: this.#endPosition,
      leftOut: this.#leftOut,
      failed: this.#failed,
    };
  }

  #transformed(bytes: Buffer): Buffer | "leftOut" | "failed" {
    try {
      return this.#transform(bytes) ?? "leftOut";
    } catch {
      // What is nested too deeply to be written again. It must not go out as it came: it may hold what is to be blotted out.
      return "failed";
    }
  }
}

/** A policy that leaves out nearly everything must still let the position advance. */
const maxLooked = 100_000;
