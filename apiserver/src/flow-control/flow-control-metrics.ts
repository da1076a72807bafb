import type { Gauge, Histogram, Labelled, MetricOptions, MetricsRegistry } from "@gatehouse/component-base/metrics";
import { FlowStatistics } from "./flow-statistics.js";
import type { LevelState } from "./level-state.js";
import { LevelStatistics } from "./level-statistics.js";
import type { SeatAllocation } from "./seat-allocation.js";
import type { ObservedDemand } from "./seat-demand.js";
import { TimedRatio } from "./timed-ratio.js";

type LevelLabel = "priority_level";
type FlowLabel = LevelLabel | "flow_schema";

const prefix = "apiserver_flowcontrol_";
const flowLabels = ["priority_level", "flow_schema"] as const;
const levelLabels = ["priority_level"] as const;
const durationBuckets = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const nanosecondly = "Observations, at the end of every nanosecond, of";

/** Gauges that v1.29 does not call alpha, and those that it has deprecated. */
const lifecycles: ReadonlyMap<string, Pick<MetricOptions<never>, "stability" | "deprecatedVersion">> = new Map([
  ["current_inqueue_requests", { stability: "BETA" }],
  ["current_executing_requests", { stability: "BETA" }],
  ["current_executing_seats", { stability: "BETA" }],
  ["nominal_limit_seats", { stability: "BETA" }],
  ["request_concurrency_in_use", { deprecatedVersion: "1.31.0" }],
  ["request_concurrency_limit", { deprecatedVersion: "1.30.0" }],
]);

function lifecycleOf(name: string): Pick<MetricOptions<never>, "stability" | "deprecatedVersion"> {
  return lifecycles.get(name) ?? {};
}

/** The metrics of flow control, with v1.29's names, labels and buckets. */
export class FlowControlMetrics {
  readonly #registry: MetricsRegistry;
  readonly #flows = new Map<string, { labels: Readonly<Record<FlowLabel, string>>; statistics: FlowStatistics }>();
  readonly #level = new Map<string, Labelled<LevelLabel, Gauge>>();
  readonly #ofFlow;
  readonly #ofLevel;

  constructor(registry: MetricsRegistry) {
    this.#registry = registry;
    const flowHistogram = (name: string, help: string, buckets: readonly number[]) =>
      registry.histogram({ name: prefix + name, help, labelNames: flowLabels, buckets });
    const flowGauge = (name: string, help: string) =>
      registry.gauge({ name: prefix + name, help, labelNames: flowLabels, ...lifecycleOf(name) });
    this.#ofFlow = {
      dispatched: registry.counter({
        name: `${prefix}dispatched_requests_total`,
        help: "Requests that were executed.",
        labelNames: flowLabels,
        stability: "BETA",
      }),
      rejected: registry.counter({
        name: `${prefix}rejected_requests_total`,
        help: "Requests that were rejected, by reason.",
        labelNames: [...flowLabels, "reason"],
        stability: "BETA",
      }),
      notAccommodated: registry.counter({
        name: `${prefix}request_dispatch_no_accommodation_total`,
        help: "Attempts to dispatch a request for which there were not enough free seats.",
        labelNames: flowLabels,
      }),
      queueLength: flowHistogram(
        "request_queue_length_after_enqueue",
        "Length of a queue as a request finds it that has been added to it.",
        [0, 10, 25, 50, 100, 250, 500, 1000],
      ),
      estimatedSeats: flowHistogram(
        "work_estimated_seats",
        "Estimated seats of requests, the larger number of before and after the answer.",
        [1, 2, 4, 10],
      ),
      watchers: flowHistogram(
        "watch_count_samples",
        "Watchers of what a request writes.",
        [0, 1, 10, 100, 1000, 10_000],
      ),
      wait: registry.histogram({
        name: `${prefix}request_wait_duration_seconds`,
        help: "Time that a request waited in its queue.",
        labelNames: [...flowLabels, "execute"],
        stability: "BETA",
        buckets: durationBuckets,
      }),
      execution: registry.histogram({
        name: `${prefix}request_execution_seconds`,
        help: "Time of the execution of a request; of a watch, until it has begun.",
        labelNames: [...flowLabels, "type"],
        buckets: durationBuckets,
      }),
      waitingRequests: flowGauge("current_inqueue_requests", "Requests that wait in queues."),
      waitingSeats: flowGauge("current_inqueue_seats", "Seats of the requests that wait in queues."),
      executingRequests: flowGauge("current_executing_requests", "Requests that are executed."),
      executingSeats: flowGauge("current_executing_seats", "Seats of the requests that are executed."),
      seatsInUse: flowGauge("request_concurrency_in_use", "Seats of the requests that are executed."),
    };
    const levelHistogram = (name: string, help: string, buckets: readonly number[]) =>
      registry.histogram({
        name: prefix + name,
        help: `${nanosecondly} ${help}`,
        labelNames: ["phase", "priority_level"],
        buckets,
      });
    this.#ofLevel = {
      epochs: registry.counter({
        name: `${prefix}epoch_advance_total`,
        help: "Times that the progress of a level's queues was set back.",
        labelNames: ["priority_level", "success"],
      }),
      nextStarts: registry.gauge({
        name: `${prefix}next_s_bounds`,
        help: "Least and greatest virtual start among the oldest requests of queues.",
        labelNames: ["priority_level", "bound"],
      }),
      nextDiscountedStarts: registry.gauge({
        name: `${prefix}next_discounted_s_bounds`,
        help: "Least and greatest virtual start among the oldest requests of queues, less the work under way.",
        labelNames: ["priority_level", "bound"],
      }),
      demandRatio: registry.histogram({
        name: `${prefix}demand_seats`,
        help: `${nanosecondly} the seats that a level could use, divided by its current limit.`,
        labelNames: levelLabels,
        buckets: [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6],
      }),
      requestRatio: levelHistogram(
        "priority_level_request_utilization",
        "the requests of a level that wait or are executed, divided by their limit.",
        [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1],
      ),
      seatRatio: levelHistogram(
        "priority_level_seat_utilization",
        "the seats of a level in use, divided by their limit.",
        [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1],
      ),
      fairFraction: registry
        .gauge({
          name: `${prefix}seat_fair_frac`,
          help: "Fraction of its target that each level gets that can use it.",
        })
        .labels({}),
    };
  }

  /** Returns the ratios of requests that only read or write, by phase. */
  readWriteRatio(): (phase: "waiting" | "executing", kind: "readOnly" | "mutating") => TimedRatio {
    const histogram = this.#registry.histogram({
      name: `${prefix}read_vs_write_current_requests`,
      help: `${nanosecondly} the requests that wait or are executed, divided by their limit.`,
      labelNames: ["phase", "request_kind"],
      buckets: [0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1],
    });
    return (phase, kind) => new TimedRatio(histogram.labels({ phase, request_kind: kind }));
  }

  /** Returns the statistics of a schema's requests in a level; the same ones when asked again. */
  flow(level: string, schema: string): FlowStatistics {
    const key = `${level} ${schema}`;
    const known = this.#flows.get(key);
    if (known !== undefined) {
      return known.statistics;
    }
    const labels = { priority_level: level, flow_schema: schema };
    const of = this.#ofFlow;
    const statistics = new FlowStatistics({
      dispatched: () => of.dispatched.labels(labels),
      rejected: (reason) => of.rejected.labels({ ...labels, reason }),
      notAccommodated: () => of.notAccommodated.labels(labels),
      queueLength: () => of.queueLength.labels(labels),
      estimatedSeats: () => of.estimatedSeats.labels(labels),
      watchers: () => of.watchers.labels(labels),
      wait: (execute) => of.wait.labels({ ...labels, execute: String(execute) }),
      execution: (type) => of.execution.labels({ ...labels, type }),
    });
    this.#flows.set(key, { labels, statistics });
    return statistics;
  }

  levelStatistics(level: string): LevelStatistics {
    const of = this.#ofLevel;
    const ratio = (histogram: Histogram): TimedRatio => new TimedRatio(histogram);
    const labels = { priority_level: level };
    return new LevelStatistics(
      {
        waitingRequests: ratio(of.requestRatio.labels({ ...labels, phase: "waiting" })),
        executingRequests: ratio(of.requestRatio.labels({ ...labels, phase: "executing" })),
        seatsInUse: ratio(of.seatRatio.labels({ ...labels, phase: "executing" })),
        demand: ratio(of.demandRatio.labels(labels)),
      },
      () => of.epochs.labels({ ...labels, success: "true" }).inc(),
    );
  }

  /** Shows the limits of a level by its configuration. */
  configured({ config, nominalSeats, minSeats, maxSeats }: LevelState): void {
    this.#set("request_concurrency_limit", "Seats of a level by its share.", config.name, nominalSeats);
    this.#set("nominal_limit_seats", "Seats of a level by its share.", config.name, nominalSeats);
    this.#set("lower_limit_seats", "Seats that a level keeps at least.", config.name, minSeats);
    this.#set("upper_limit_seats", "Seats that a level gets at most.", config.name, maxSeats);
  }

  /** Shows the limit of a level as it was adjusted to the demand. */
  adjusted(level: LevelState, demand: ObservedDemand, target: number): void {
    const { name } = level.config;
    const period = "over the last adjustment period";
    this.#set("demand_seats_high_watermark", `Greatest demand for seats ${period}.`, name, demand.highWatermark);
    this.#set("demand_seats_average", `Average demand for seats ${period}.`, name, demand.average);
    this.#set("demand_seats_stdev", `Standard deviation of the demand for seats ${period}.`, name, demand.deviation);
    this.#set("demand_seats_smoothed", "Smoothed demand for seats.", name, demand.smoothed);
    this.#set("target_seats", "Seats that a level should get.", name, target);
    this.#set("current_limit_seats", "Seats that a level has now.", name, level.currentSeats);
  }

  allocated({ fairFraction }: SeatAllocation): void {
    this.#ofLevel.fairFraction.set(fairFraction);
  }

  /** Sets the gauges whose values are known elsewhere; called before each scrape. */
  collect(levels: Iterable<LevelState>): void {
    const ofFlow = this.#ofFlow;
    const queued = new Set<string>();
    for (const { config, queues, statistics } of levels) {
      const labels = { priority_level: config.name };
      this.#set("current_r", "Progress of the queues of a level, in seat-seconds.", config.name, queues.progress);
      if (config.queuing !== undefined) {
        queued.add(config.name);
      }
      if (statistics.hasDispatched) {
        this.#set("dispatch_r", "Progress at the last dispatch.", config.name, statistics.dispatchedAt);
        this.#set("latest_s", "Virtual start of the last request dispatched.", config.name, statistics.latestStart);
        for (const bound of ["min", "max"] as const) {
          this.#ofLevel.nextStarts.labels({ ...labels, bound }).set(statistics.starts[bound]);
          this.#ofLevel.nextDiscountedStarts.labels({ ...labels, bound }).set(statistics.discountedStarts[bound]);
        }
      }
    }
    for (const { labels, statistics } of this.#flows.values()) {
      if (queued.has(labels.priority_level)) {
        ofFlow.waitingRequests.labels(labels).set(statistics.waiting);
        ofFlow.waitingSeats.labels(labels).set(statistics.waitingSeats);
      }
      ofFlow.executingRequests.labels(labels).set(statistics.executing);
      ofFlow.executingSeats.labels(labels).set(statistics.executingSeats);
      ofFlow.seatsInUse.labels(labels).set(statistics.executingSeats);
    }
  }

  #set(name: string, help: string, level: string, value: number): void {
    let gauge = this.#level.get(name);
    if (gauge === undefined) {
      gauge = this.#registry.gauge({ name: prefix + name, help, labelNames: levelLabels, ...lifecycleOf(name) });
      this.#level.set(name, gauge);
    }
    gauge.labels({ priority_level: level }).set(value);
  }
}
