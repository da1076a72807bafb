import { StepMeter, yieldToEventLoop } from "@gatehouse/envelopes/scheduling";
import { tooManyRequests } from "@gatehouse/envelopes/status";
import { digestOf } from "../log/digest.js";
import type { KeptEvent, NewBatch } from "../log/log-batch.js";
import type { BatchOrigin } from "./batch-origin.js";
import type { DuplicateFilter } from "./duplicate-filter.js";
import { type RefusedEvent, scanEventList } from "./scan-event-list.js";

/** Storage of accepted batches. */
export interface BatchStore {
  append(batch: NewBatch): Promise<number>;
}

/** Follows which numbers of a source have come. */
export interface SequenceObserver {
  /** Tells whether another batch of the source can be followed now; if not, it can be a few seconds later. */
  hasRoom(sender: string, origin: BatchOrigin | undefined): boolean;
  /** Notes that events of a source are durable. */
  received(sender: string, origin: BatchOrigin | undefined, count: number): void;
}

/** Parts and settings of an intake. */
export interface IntakeOptions {
  readonly log: BatchStore;
  readonly duplicates: DuplicateFilter;
  /** Resolves when `duplicates` and `sequences` know what was kept before; nothing is taken in until then. */
  readonly recalled: Promise<void>;
  readonly sequences: SequenceObserver;
  readonly maxEventBytes: number;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

/** One request: a body with an EventList, and who has sent it. The body may be written to. */
export interface IntakeRequest {
  readonly sender: string;
  readonly origin: BatchOrigin | undefined;
  readonly body: Uint8Array;
}

/** Outcome of a request, in numbers of events. */
export interface IntakeResult {
  /** Kept now. */
  readonly kept: number;
  /** Kept before. */
  readonly duplicates: number;
  readonly refused: readonly RefusedEvent[];
}

/** Number of bytes that are hashed in one step: about 5 ms of work. */
const bytesPerStep = 4 * 1024 * 1024;

/** Time after which the next round of upkeep has most likely ended. */
const retrySeconds = 2;

/** Takes batches in: finds the events, leaves out those it has, and answers when the others are on disk. */
export class Intake {
  readonly #options: IntakeOptions;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /**
   * Resolves when every event that is not refused is durable. Rejects with StatusError 400 when the body is no EventList,
   * with 429 when the sender names more new sources than can be followed, and with LogWriteError when the log cannot take
   * it: then the sender must send all of it again.
   */
  async take({ sender, origin, body }: IntakeRequest): Promise<IntakeResult> {
    const { duplicates, log, recalled, sequences, now = Date.now } = this.#options;
    const receivedTimestamp = now();
    await recalled;
    if (!sequences.hasRoom(sender, origin)) {
      throw tooManyRequests(
        "too many sources or gaps of the sender are followed, please try again later",
        retrySeconds,
      );
    }
    const { events: found, refused } = scanEventList(body, this.#options);
    const all = await this.#digested(body, found);
    const events = all.filter(({ digest }) => duplicates.add(sender, digest));
    // Known events may be on their way to the disk, with another request: asked before this one joins them.
    const known =
      events.length === all.length
        ? undefined
        : duplicates.settled(
            sender,
            all.map(({ digest }) => digest),
          );
    // A failure of both is told once.
    known?.catch(() => undefined);
    if (events.length > 0) {
      const numbered = origin === undefined ? {} : { ...origin, received: found.length + refused.length };
      const keeping = log.append({ sender, ...numbered, receivedTimestamp, events });
      duplicates.keep(
        sender,
        events.map(({ digest }) => digest),
        keeping,
      );
      await keeping;
    }
    await known;
    sequences.received(sender, origin, found.length + refused.length);
    return { kept: events.length, duplicates: all.length - events.length, refused };
  }

  async #digested(
    body: Uint8Array,
    found: readonly { readonly start: number; readonly end: number; readonly index: number }[],
  ): Promise<readonly KeptEvent[]> {
    const whole = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    const events: KeptEvent[] = [];
    const meter = new StepMeter(bytesPerStep);
    for (const { start, end, index } of found) {
      const bytes = whole.subarray(start, end);
      events.push({ bytes, digest: digestOf(bytes), offset: index });
      if (meter.count(bytes.length)) {
        await yieldToEventLoop();
      }
    }
    return events;
  }
}
