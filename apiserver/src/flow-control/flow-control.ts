import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import type { FlowSchema } from "./compile-flow-schema.js";
import { FlowControlMetrics } from "./flow-control-metrics.js";
import { FlowTurns } from "./flow-turns.js";
import { InflightCounts } from "./inflight-counts.js";
import { PriorityLevels } from "./priority-levels.js";
import type { PriorityLevel } from "./read-priority-level.js";
import { WatchCounts } from "./watch-counts.js";
import type { WorkSources } from "./work-estimate.js";

/** The limits of concurrent requests. */
export interface RequestLimits {
  /**
   * True if all requests together share the sum of both limits by priority and fairness; false if reads and writes have a
   * limit each.
   */
  readonly fairness: boolean;
  /** The limit of requests that read; 0 for none, without fairness. */
  readonly maxReadOnly: number;
  /** The limit of requests that write; 0 for none, without fairness. */
  readonly maxMutating: number;
}

/** The limits of v1.29 for a server that has no configuration objects. */
export const defaultRequestLimits: RequestLimits = { fairness: false, maxReadOnly: 400, maxMutating: 200 };

/** The parts of the server that flow control needs. */
export interface FlowControlOptions extends Omit<WorkSources, "countWatchers"> {
  readonly limits: RequestLimits;
  readonly registry: MetricsRegistry;
  /** The longest that a request without a deadline waits in a queue, in milliseconds. */
  readonly maxWaitMs: number;
}

/** The interval in milliseconds at which seats are adjusted to the demand. */
const adjustmentMs = 10_000;

/** Priority and fairness of one server: who gets seats, who gets the thread, and who has to wait. */
export class FlowControl implements Disposable {
  readonly levels: PriorityLevels;
  readonly turns = new FlowTurns();
  readonly watches = new WatchCounts();
  readonly counts: InflightCounts;
  readonly sources: WorkSources;
  readonly maxWaitMs: number;
  readonly #adjustment: NodeJS.Timeout;

  constructor(options: FlowControlOptions) {
    const { limits, registry, maxWaitMs } = options;
    const metrics = new FlowControlMetrics(registry);
    this.counts = new InflightCounts(registry, metrics.readWriteRatio());
    this.levels = new PriorityLevels({
      totalSeats: limits.maxReadOnly + limits.maxMutating,
      metrics,
      now: () => performance.now(),
      later: (ms, task) => setTimeout(task, ms).unref(),
    });
    this.sources = { ...options, countWatchers: (info) => this.watches.interestedIn(info) };
    this.maxWaitMs = maxWaitMs;
    registry.beforeScrape(() => {
      this.levels.advance();
      metrics.collect(this.levels.levels.values());
    });
    this.configure([], []);
    this.#adjustment = setInterval(() => this.levels.adjust(), adjustmentMs).unref();
  }

  /** Uses these configuration objects from now on. */
  configure(levels: readonly PriorityLevel[], schemas: readonly FlowSchema[]): void {
    this.levels.configure(levels, schemas);
    for (const kind of ["readOnly", "mutating"] as const) {
      this.counts.limit("waiting", kind, this.levels.maxWaiting);
      this.counts.limit("executing", kind, this.levels.seatSum);
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#adjustment);
  }
}
