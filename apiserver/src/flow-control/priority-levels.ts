import type { RequestInfo } from "../request/request-info.js";
import type { UserInfo } from "../request/user-info.js";
import { byPrecedence, compileFlowSchema, type FlowSchema } from "./compile-flow-schema.js";
import type { FlowControlMetrics } from "./flow-control-metrics.js";
import type { LevelFlow, LevelState } from "./level-state.js";
import { catchAllName, exemptName, mandatoryFlowSchemas, mandatoryPriorityLevels } from "./mandatory-objects.js";
import { QueueSet } from "./queue-set.js";
import { type PriorityLevel, readPriorityLevel } from "./read-priority-level.js";
import { RetryAfter } from "./retry-after.js";
import { allocateSeats } from "./seat-allocation.js";
import type { ObservedDemand } from "./seat-demand.js";
import { dealHand, hashFlow } from "./shuffle-sharding.js";

/** The parts of the levels that do not change. */
export interface PriorityLevelsOptions {
  /** The number of seats that all levels divide among them. */
  readonly totalSeats: number;
  readonly metrics: FlowControlMetrics;
  /** Returns the time in milliseconds on a monotonic clock. */
  readonly now: () => number;
  /** Runs a task after a time in milliseconds. */
  readonly later: (ms: number, task: () => void) => void;
}

/** A schema in use, with its flows. */
interface SchemaState {
  readonly schema: FlowSchema;
  readonly level: LevelState;
  readonly flows: Map<string, LevelFlow>;
}

/** The number of flows of a schema that are remembered; more are dealt their hands again. */
const maxFlows = 1000;
/** The part of a level's seats that one request may take up. */
const maxSeatsFraction = 0.15;

const imaginedLevels = mandatoryPriorityLevels.map(readPriorityLevel).filter((level) => level !== undefined);
const imaginedSchemas = mandatoryFlowSchemas.map(compileFlowSchema);

/**
 * The priority levels and flow schemas of a server, as the configuration objects have them. Seats are divided by shares, and
 * adjusted to the demand from time to time: levels lend what they do not need.
 */
export class PriorityLevels {
  readonly #options: PriorityLevelsOptions;
  readonly #levels = new Map<string, LevelState>();
  #schemas: readonly SchemaState[] = [];
  #seatSum = 0;

  constructor(options: PriorityLevelsOptions) {
    this.#options = options;
  }

  /** The levels in use by name, those included that only wait for their last request. */
  get levels(): ReadonlyMap<string, LevelState> {
    return this.#levels;
  }

  /** The number of requests that may wait in all queues together. */
  get maxWaiting(): number {
    let sum = 0;
    for (const { config } of this.#levels.values()) {
      sum += (config.queuing?.queues ?? 0) * (config.queuing?.queueLengthLimit ?? 0);
    }
    return sum;
  }

  /** The sum of the seats of all levels by their shares; each is rounded up. */
  get seatSum(): number {
    return this.#seatSum;
  }

  /** Uses these objects from now on. Schemas of levels that do not exist are passed over. */
  configure(levels: readonly PriorityLevel[], schemas: readonly FlowSchema[]): void {
    const wanted = new Map(levels.map((level) => [level.name, level]));
    const usable = schemas.filter(({ priorityLevel }) => wanted.has(priorityLevel)).sort(byPrecedence);
    for (const level of imaginedLevels) {
      if (!wanted.has(level.name)) {
        wanted.set(level.name, level);
      }
    }
    this.#replaceLevels(wanted);
    this.#divideByShares();
    this.adjust();
    this.#schemas = withMandatory(usable).map((schema) => ({
      schema,
      level: this.#levels.get(schema.priorityLevel) as LevelState,
      flows: new Map(),
    }));
  }

  /** Finds the flow of a request. */
  classify(user: UserInfo, info: RequestInfo): LevelFlow {
    let state: SchemaState | undefined;
    for (const candidate of this.#schemas) {
      if (candidate.schema.matches(user, info)) {
        state = candidate;
        break;
      }
    }
    // Every user is in a group that the last schema names, unless an authenticator is at fault.
    state ??= this.#schemas.find(({ schema }) => schema.name === catchAllName) as SchemaState;
    const { schema, level, flows } = state;
    const distinguisher =
      (level.config.queuing?.queues ?? 0) > 1
        ? schema.distinguisher === "ByUser"
          ? user.username
          : schema.distinguisher === "ByNamespace"
            ? info.namespace
            : ""
        : "";
    return flows.get(distinguisher) ?? this.#makeFlow(state, distinguisher);
  }

  /** Brings everything that is measured over time up to now, in the metrics as well. */
  advance(): void {
    const nowMs = this.#options.now();
    for (const { queues, statistics } of this.#levels.values()) {
      queues.advance(nowMs);
      statistics.observeRatios();
    }
  }

  /** Removes a level that nothing configures any more when its last request has ended. */
  removeIfDone(level: LevelState): void {
    if (level.isQuiescing && level.queues.isIdle && this.#levels.get(level.config.name) === level) {
      this.#levels.delete(level.config.name);
      this.#divideByShares();
      this.adjust();
    }
  }

  #makeFlow({ schema, level, flows }: SchemaState, distinguisher: string): LevelFlow {
    if (flows.size >= maxFlows) {
      flows.clear();
    }
    const { queuing } = level.config;
    const flow = {
      schema,
      level,
      distinguisher,
      hand:
        queuing === undefined
          ? []
          : dealHand(queuing.queues > 1 ? hashFlow(schema.name, distinguisher) : 0n, queuing.queues, queuing.handSize),
      statistics: this.#options.metrics.flow(level.config.name, schema.name),
      answerFields: [
        ...["X-Kubernetes-Pf-Flowschema-Uid", schema.uid],
        ...["X-Kubernetes-Pf-Prioritylevel-Uid", level.config.uid],
      ],
    };
    flows.set(distinguisher, flow);
    return flow;
  }

  #replaceLevels(wanted: ReadonlyMap<string, PriorityLevel>): void {
    for (const [name, level] of this.#levels) {
      if (!wanted.has(name)) {
        level.isQuiescing = true;
        if (level.queues.isIdle) {
          this.#levels.delete(name);
        }
      }
    }
    for (const config of wanted.values()) {
      const known = this.#levels.get(config.name);
      if (known === undefined) {
        this.#levels.set(config.name, this.#makeLevel(config));
      } else {
        known.config = config;
        known.isQuiescing = false;
      }
    }
  }

  #makeLevel(config: PriorityLevel): LevelState {
    const { metrics, now, later } = this.#options;
    const statistics = metrics.levelStatistics(config.name);
    return {
      config,
      queues: new QueueSet(config, { statistics, nowMs: now(), later }),
      statistics,
      retryAfter: new RetryAfter(),
      isQuiescing: false,
      nominalSeats: 0,
      minSeats: 0,
      maxSeats: 0,
      currentSeats: 0,
      maxSeatsOfRequest: 0,
    };
  }

  #divideByShares(): void {
    const { totalSeats, metrics } = this.#options;
    const levels = [...this.#levels.values()];
    const shares = levels.reduce((sum, { config }) => sum + config.shares, 0);
    this.#seatSum = 0;
    for (const level of levels) {
      const { queuing, lendablePercent, borrowingLimitPercent } = level.config;
      const seats = shares === 0 ? 0 : Math.ceil((totalSeats * level.config.shares) / shares);
      const percentOf = (percent: number): number => Math.round((seats * percent) / 100);
      level.nominalSeats = seats;
      level.minSeats = seats - percentOf(lendablePercent);
      level.maxSeats = seats + (borrowingLimitPercent === undefined ? totalSeats : percentOf(borrowingLimitPercent));
      level.maxSeatsOfRequest =
        queuing === undefined
          ? 0
          : Math.max(1, Math.min(Math.ceil(seats * maxSeatsFraction), Math.trunc(seats / queuing.handSize)));
      this.#seatSum += seats;
      metrics.configured(level);
    }
  }

  /** Adjusts the seats of all levels to the demand since the last time. */
  adjust(): void {
    const { metrics, now, totalSeats } = this.#options;
    const nowMs = now();
    const levels = [...this.#levels.values()];
    const demands = levels.map(({ queues, statistics }): ObservedDemand => {
      queues.advance(nowMs);
      return statistics.demand.endPeriod();
    });
    const claims = levels.map(({ minSeats, nominalSeats, maxSeats }, index) => {
      const { highWatermark, smoothed } = demands[index] as ObservedDemand;
      const lowerBound = Math.max(minSeats, Math.min(nominalSeats, highWatermark));
      return { lowerBound, upperBound: maxSeats, target: Math.max(lowerBound, smoothed) };
    });
    const allocation = allocateSeats(this.#seatSum, claims);
    for (const [index, level] of levels.entries()) {
      level.currentSeats = Math.round(allocation.seats[index] as number);
      const { waitingRequests, executingRequests, seatsInUse, demand } = level.statistics.ratios;
      const { queuing } = level.config;
      const limit = level.currentSeats > 0 ? level.currentSeats : Math.max(1, Math.round(totalSeats / 10));
      waitingRequests.denominator = queuing === undefined ? 1 : Math.max(1, queuing.queueLengthLimit) * queuing.queues;
      executingRequests.denominator = limit;
      seatsInUse.denominator = limit;
      demand.denominator = limit;
      metrics.adjusted(level, demands[index] as ObservedDemand, (claims[index] as { target: number }).target);
      level.queues.configure(level.config, level.currentSeats, nowMs);
    }
    metrics.allocated(allocation);
  }
}

/** Adds the schemas that always exist: one before all others, one behind them. */
function withMandatory(schemas: readonly FlowSchema[]): readonly FlowSchema[] {
  const imagined = (name: string): readonly FlowSchema[] =>
    schemas.some((schema) => schema.name === name) ? [] : imaginedSchemas.filter((schema) => schema.name === name);
  return [...imagined(exemptName), ...schemas, ...imagined(catchAllName)];
}
