import { type BackoffLimits, backoffMs } from "./backoff.js";
import { isLostRace } from "./status-errors.js";
import type { WorkQueueMetrics } from "./work-queue-metrics.js";

/** The outcome of work on a key: done, another try later, or another one after a given time. */
export type WorkResult = undefined | "retry" | { readonly afterMs: number };

/** Takes a listener that is called whenever a clock has been set ahead. */
export type OnClockAdvance = (listener: () => void) => void;

/** A clock that tests set ahead, in milliseconds. */
export interface QueueClock {
  readonly now: () => number;
  readonly onAdvance: OnClockAdvance;
}

/** The options of a WorkQueue. */
export interface WorkQueueOptions {
  /**
   * Works on one key; never on the same key twice at a time. A rejection is a failure: the key comes again after a
   * while.
   */
  readonly work: (key: string) => Promise<WorkResult>;
  /** Number of keys that are worked on at a time. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  /** Bounds of the wait of keys that fail or are to be tried again. Default 10 ms up to a minute. */
  readonly backoff?: BackoffLimits;
  /** Number of tries after the first one before a key is given up until it is added again. Default: no limit. */
  readonly maxRetries?: number;
  /** Counts and times what the queue does; nobody counts when absent. */
  readonly queueMetrics?: WorkQueueMetrics | undefined;
  /** Returns a number from 0 up to 1. Default `Math.random`. */
  readonly random?: () => number;
  /** The clock of a test: when it is set ahead, keys that have become due are added. Default: that of the machine. */
  readonly clock?: QueueClock | undefined;
}

const defaultBackoff: BackoffLimits = { firstMs: 10, maxMs: 60_000 };

/**
 * Keys that need work, each at most once: adding one that waits already does nothing, adding one that is being worked
 * on makes it come again afterwards. No work begins after the signal has aborted.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #backoff: BackoffLimits;
  readonly #random: () => number;
  readonly #now: () => number;
  readonly #metrics: WorkQueueMetrics | undefined;
  /** Keys that wait, in order of arrival, each with the time when it was added. */
  readonly #waiting = new Map<string, number>();
  /** Keys that are worked on, each with the time when that began. */
  readonly #working = new Map<string, number>();
  /** Keys that were added while they were being worked on. */
  readonly #again = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Map<string, { readonly timer: NodeJS.Timeout; readonly dueAt: number }>();
  #onIdle: (() => void)[] = [];

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#backoff = options.backoff ?? defaultBackoff;
    this.#random = options.random ?? Math.random;
    this.#metrics = options.queueMetrics;
    this.#metrics?.follow(() => ({ waiting: this.#waiting.size, workingSince: this.#working.values() }));
    this.#now = options.clock?.now ?? (() => performance.now());
    options.clock?.onAdvance(() => this.#addDue());
    options.signal.addEventListener("abort", () => this.#stop(), { once: true });
  }

  add(key: string): void {
    if (this.#options.signal.aborted) {
      return;
    }
    if (this.#working.has(key)) {
      this.#again.add(key);
      return;
    }
    if (!this.#waiting.has(key)) {
      this.#metrics?.added();
      this.#waiting.set(key, performance.now());
    }
    this.#startWork();
  }

  /** Adds a key after a while, unless it is due earlier anyway. */
  addAfter(key: string, ms: number): void {
    if (this.#options.signal.aborted) {
      return;
    }
    const dueAt = this.#now() + ms;
    const due = this.#timers.get(key);
    if (due !== undefined) {
      if (due.dueAt <= dueAt) {
        return;
      }
      clearTimeout(due.timer);
    }
    const timer = setTimeout(() => {
      this.#timers.delete(key);
      this.add(key);
    }, ms);
    this.#timers.set(key, { timer, dueAt });
  }

  /** Resolves when no key waits or is worked on; keys that wait for their time do not count. */
  idle(): Promise<void> {
    if (this.#waiting.size === 0 && this.#working.size === 0) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#onIdle.push(resolve);
    });
  }

  /** Adds the keys whose time has come although their timers still run: the clock is ahead of them. */
  #addDue(): void {
    const now = this.#now();
    for (const [key, { timer, dueAt }] of [...this.#timers]) {
      if (dueAt <= now) {
        clearTimeout(timer);
        this.#timers.delete(key);
        this.add(key);
      }
    }
  }

  #startWork(): void {
    while (this.#working.size < this.#options.concurrency) {
      const next = this.#waiting.entries().next();
      if (next.done === true) {
        return;
      }
      const [key, addedAt] = next.value;
      const now = performance.now();
      this.#metrics?.taken(now - addedAt);
      this.#waiting.delete(key);
      this.#working.set(key, now);
      void this.#workOn(key, now);
    }
  }

  async #workOn(key: string, startedAt: number): Promise<void> {
    try {
      this.#schedule(key, await this.#options.work(key));
    } catch (error) {
      this.#fail(key, error);
    }
    this.#metrics?.worked(performance.now() - startedAt);
    this.#working.delete(key);
    if (this.#again.delete(key)) {
      this.add(key);
    }
    this.#startWork();
    if (this.#waiting.size === 0 && this.#working.size === 0) {
      const waiters = this.#onIdle;
      this.#onIdle = [];
      for (const resolve of waiters) {
        resolve();
      }
    }
  }

  #schedule(key: string, result: WorkResult): void {
    if (result === "retry") {
      this.#retry(key);
      return;
    }
    this.#failures.delete(key);
    if (result !== undefined) {
      this.addAfter(key, result.afterMs);
    }
  }

  #fail(key: string, error: unknown): void {
    if (this.#options.signal.aborted) {
      return;
    }
    if (!isLostRace(error)) {
      this.#options.onError(error);
    }
    this.#retry(key);
  }

  #retry(key: string): void {
    const failures = this.#failures.get(key) ?? 0;
    if (failures >= (this.#options.maxRetries ?? Number.POSITIVE_INFINITY)) {
      this.#failures.delete(key);
      return;
    }
    this.#failures.set(key, failures + 1);
    this.#metrics?.retried();
    this.addAfter(key, backoffMs(failures, this.#backoff, this.#random));
  }

  #stop(): void {
    this.#waiting.clear();
    this.#again.clear();
    for (const { timer } of this.#timers.values()) {
      clearTimeout(timer);
    }
    this.#timers.clear();
  }
}
