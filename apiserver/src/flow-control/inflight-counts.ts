import type { Gauge, MetricsRegistry } from "@gatehouse/component-base/metrics";
import type { TimedRatio } from "./timed-ratio.js";

/** The kind of a request, as metrics tell it. */
export type RequestKind = "readOnly" | "mutating";
type Phase = "executing" | "waiting";

const readVerbs = new Set(["get", "list", "watch"]);

/** Returns the kind of a request with this verb. */
export function kindOfVerb(verb: string): RequestKind {
  return readVerbs.has(verb) ? "readOnly" : "mutating";
}

/** The requests of one kind in one phase. */
class InflightCount {
  readonly ratio: TimedRatio;
  readonly #gauge: Gauge;
  count = 0;
  /** The largest numbers in this period and in the one before. */
  #peak = 0;
  #lastPeak = 0;

  constructor(ratio: TimedRatio, gauge: Gauge) {
    this.ratio = ratio;
    this.#gauge = gauge;
  }

  change(by: 1 | -1): void {
    this.count += by;
    this.ratio.numerator = this.count;
    if (this.count > this.#peak) {
      this.#peak = this.count;
    }
  }

  endPeriods(periods: number): void {
    this.#lastPeak = periods === 1 ? this.#peak : this.count;
    this.#peak = this.count;
  }

  show(): void {
    this.#gauge.set(Math.max(this.#peak, this.#lastPeak));
  }
}

/** The time in milliseconds over which the metrics show the largest number of requests. */
const periodMs = 1000;

/** Counts the requests that are executed or wait; long-running ones are left out once they have begun. */
export class InflightCounts {
  readonly #counts: Readonly<Record<Phase, Readonly<Record<RequestKind, InflightCount>>>>;
  readonly #all: readonly InflightCount[];
  readonly #now: () => number;
  #changedAtMs: number;
  #periodSinceMs: number;

  /** Registers the metrics. `ratio` returns what is measured over time. */
  constructor(
    registry: MetricsRegistry,
    ratio: (phase: Phase, kind: RequestKind) => TimedRatio,
    now: () => number = () => performance.now(),
  ) {
    const counts = (phase: Phase, name: string, help: string): Readonly<Record<RequestKind, InflightCount>> => {
      const stability = phase === "executing" ? "STABLE" : "ALPHA";
      const gauge = registry.gauge({ name, help, labelNames: ["request_kind"], stability });
      const count = (kind: RequestKind): InflightCount =>
        new InflightCount(ratio(phase, kind), gauge.labels({ request_kind: kind }));
      return { readOnly: count("readOnly"), mutating: count("mutating") };
    };
    this.#counts = {
      executing: counts(
        "executing",
        "apiserver_current_inflight_requests",
        "Largest number of requests that were executed in the last second.",
      ),
      waiting: counts(
        "waiting",
        "apiserver_current_inqueue_requests",
        "Largest number of requests that waited in the last second.",
      ),
    };
    this.#all = Object.values(this.#counts).flatMap((kinds) => Object.values(kinds));
    this.#now = now;
    this.#changedAtMs = now();
    this.#periodSinceMs = this.#changedAtMs;
    registry.beforeScrape(() => this.#collect());
  }

  /** Returns the number of requests of a kind that are executed. */
  executing(kind: RequestKind): number {
    return this.#counts.executing[kind].count;
  }

  /**
   * Reports whether the numbers are those of requests: none is below 0. Where one is, a limit lets more requests pass than
   * it says.
   */
  get isSound(): boolean {
    return this.#all.every(({ count }) => count >= 0);
  }

  /** Counts a request that begins (1) or ends (-1) a phase. */
  change(phase: Phase, kind: RequestKind, by: 1 | -1, nowMs: number): void {
    this.#advance(nowMs);
    this.#counts[phase][kind].change(by);
  }

  /** Sets the number by which the requests of a kind in a phase are divided, where it is known. */
  limit(phase: Phase, kind: RequestKind, limit: number): void {
    if (limit > 0) {
      this.#counts[phase][kind].ratio.denominator = limit;
    }
  }

  #advance(nowMs: number): void {
    const elapsedMs = nowMs - this.#changedAtMs;
    if (elapsedMs <= 0) {
      return;
    }
    this.#changedAtMs = nowMs;
    for (const count of this.#all) {
      count.ratio.advance(elapsedMs);
    }
    const periods = Math.floor((nowMs - this.#periodSinceMs) / periodMs);
    if (periods > 0) {
      this.#periodSinceMs += periods * periodMs;
      for (const count of this.#all) {
        count.endPeriods(periods);
      }
    }
  }

  #collect(): void {
    this.#advance(this.#now());
    for (const count of this.#all) {
      count.ratio.observe();
      count.show();
    }
  }
}
