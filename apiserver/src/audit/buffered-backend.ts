import { TokenBucket } from "@gatehouse/policies/rate-limit";
import type { AuditBackend, AuditLosses } from "./audit-backend.js";
import type { AuditEvent } from "./audit-event.js";

/** Limits of a buffer and its batches. */
export interface BufferOptions {
  /** The limit of waiting events; further ones are dropped. */
  readonly bufferSize: number;
  readonly maxBatchSize: number;
  /** The time in milliseconds that an event waits at most for others in its batch. */
  readonly maxBatchWaitMs: number;
  /** The limit of batches: per second in the long run, and at once. */
  readonly throttle: { readonly perSecond: number; readonly burst: number } | undefined;
}

/** The limit of concurrent batches: v1.29 has none, but each keeps its events in memory. */
const maxUnderWay = 128;
const maxPauseMs = 60_000;
/** The limit of bodies that wait in memory in bytes, besides the limit of events. */
const maxWaitingBytes = 256 * 1024 * 1024;

/**
 * A backend that lets requests go on at once, and hands their events on in batches. A full buffer drops new events,
 * which is counted; batches are sent concurrently, and may arrive in any order, as in v1.29.
 */
export class BufferedBackend implements AuditBackend {
  readonly #backend: AuditBackend;
  readonly #options: BufferOptions;
  readonly #losses: AuditLosses;
  readonly #bucket: TokenBucket | undefined;
  #waiting: AuditEvent[] = [];
  #waitingBytes = 0;
  #underWay = 0;
  #timer: NodeJS.Timeout | undefined;
  /** True if waiting events are to be sent although they do not fill a batch. */
  #isDue = false;
  #throttled: NodeJS.Timeout | undefined;
  #whenDrained: (() => void) | undefined;

  constructor(backend: AuditBackend, options: BufferOptions, losses: AuditLosses) {
    this.#backend = backend;
    this.#options = options;
    this.#losses = losses;
    const { throttle } = options;
    this.#bucket = throttle && new TokenBucket(throttle.perSecond, throttle.burst, performance.now());
  }

  get name(): string {
    return `buffered<${this.#backend.name}>`;
  }

  process(events: readonly AuditEvent[]): boolean {
    const { bufferSize, maxBatchSize, maxBatchWaitMs } = this.#options;
    const room = this.#waitingBytes >= maxWaitingBytes ? 0 : bufferSize - this.#waiting.length;
    const taken = events.slice(0, Math.max(room, 0));
    for (const event of taken) {
      this.#waiting.push(event);
      this.#waitingBytes += event.bodyBytes;
    }
    if (taken.length < events.length) {
      this.#losses.lost("buffered", events.length - taken.length, "audit buffer queue blocked");
    }
    if (this.#waiting.length >= maxBatchSize) {
      this.#send();
    } else if (this.#timer === undefined && this.#waiting.length > 0) {
      this.#timer = setTimeout(() => this.#flush(), maxBatchWaitMs);
    }
    return true;
  }

  /** Sends what waits, be it a whole batch or not. */
  #flush(): void {
    this.#isDue = true;
    this.#send();
  }

  #send(): void {
    const { maxBatchSize } = this.#options;
    while (this.#waiting.length >= maxBatchSize || (this.#isDue && this.#waiting.length > 0)) {
      if (this.#underWay >= maxUnderWay || !this.#takeToken()) {
        return;
      }
      this.#hand(this.#waiting.splice(0, maxBatchSize));
    }
    this.#isDue = this.#whenDrained !== undefined;
    clearTimeout(this.#timer);
    this.#timer =
      this.#waiting.length === 0 ? undefined : setTimeout(() => this.#flush(), this.#options.maxBatchWaitMs);
    if (this.#waiting.length === 0 && this.#underWay === 0) {
      this.#whenDrained?.();
    }
  }

  #takeToken(): boolean {
    const { throttle } = this.#options;
    if (throttle === undefined || this.#bucket?.tryTake(performance.now()) !== false) {
      return true;
    }
    this.#throttled ??= setTimeout(
      () => {
        this.#throttled = undefined;
        this.#send();
      },
      Math.min(1000 / throttle.perSecond, maxPauseMs),
    );
    return false;
  }

  #hand(batch: readonly AuditEvent[]): void {
    for (const event of batch) {
      this.#waitingBytes -= event.bodyBytes;
    }
    this.#underWay++;
    void Promise.resolve(this.#backend.process(batch)).then(() => {
      this.#underWay--;
      this.#send();
    });
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#whenDrained = resolve;
      this.#flush();
    });
    await this.#backend.close();
  }
}
