import { createMetricsRegistry, type MetricsRegistry } from "@gatehouse/component-base/metrics";
import { resolveRequestInfo } from "../request/request-info.js";
import { compileFlowSchema } from "./compile-flow-schema.js";
import { FlowControlMetrics } from "./flow-control-metrics.js";
import { FlowRequest } from "./flow-request.js";
import {
  bootstrapFlowSchema,
  bootstrapPriorityLevel,
  everybody,
  everyPath,
  everyResource,
} from "./mandatory-objects.js";
import { PriorityLevels } from "./priority-levels.js";
import type { Admission } from "./queue-set.js";
import { type PriorityLevel, readPriorityLevel } from "./read-priority-level.js";

/** Levels with a clock that a test sets. */
export class TestLevels {
  nowMs = 1000;
  readonly registry: MetricsRegistry = createMetricsRegistry({ processMetrics: false });
  readonly metrics = new FlowControlMetrics(this.registry);
  readonly levels: PriorityLevels;
  /** Tasks that run later, with their times. */
  readonly later: { readonly atMs: number; readonly task: () => void }[] = [];
  /** Names of the requests that have begun after a wait, in order. */
  readonly begun: string[] = [];

  constructor(totalSeats: number) {
    this.levels = new PriorityLevels({
      totalSeats,
      metrics: this.metrics,
      now: () => this.nowMs,
      later: (ms, task) => this.later.push({ atMs: this.nowMs + ms, task }),
    });
    this.levels.configure([], []);
  }

  /** Configures one level of this name for everybody, beside the mandatory ones. */
  configure(level: PriorityLevel): void {
    this.levels.configure([level], [schemaOf(level.name)]);
  }

  /** Begins a request of a user. */
  start(
    username: string,
    name = username,
    seats = 1,
    additionalMs = 0,
  ): { request: FlowRequest; admission: Admission } {
    const user = { username, groups: ["system:authenticated"] };
    const info = resolveRequestInfo("GET", "/api/v1/namespaces/default/pods", new URLSearchParams());
    const flow = this.levels.classify(user, info);
    const work = { initialSeats: seats, finalSeats: additionalMs > 0 ? seats : 0, additionalMs };
    const request = new FlowRequest(flow, { user, info }, work, this.nowMs);
    const admission = flow.level.queues.start(request, this.nowMs);
    if (admission === "wait") {
      request.proceed = () => this.begun.push(name);
    }
    return { request, admission };
  }

  finish(request: FlowRequest): void {
    this.levels.levels.get(request.flow.schema.priorityLevel)?.queues.finish(request, this.nowMs);
  }
}

/** Returns a level that queues what it has no seat for. */
export function queueingLevel(name: string, queues: number, queueLengthLimit: number, shares = 100): PriorityLevel {
  return level(name, {
    nominalConcurrencyShares: shares,
    limitResponse: { type: "Queue", queuing: { queues, handSize: 1, queueLengthLimit } },
  });
}

/** Returns a level that rejects what it has no seat for. */
export function rejectingLevel(name: string, shares = 100): PriorityLevel {
  return level(name, { nominalConcurrencyShares: shares, limitResponse: { type: "Reject" } });
}

function level(name: string, limited: Parameters<typeof bootstrapPriorityLevel>[1]): PriorityLevel {
  const read = readPriorityLevel(bootstrapPriorityLevel(name, { type: "Limited", limited }));
  if (read === undefined) {
    throw new TypeError(`the level ${name} contradicts itself`);
  }
  return read;
}

/** Returns a schema by which everybody's requests are in a level, a flow for each user. */
export function schemaOf(levelName: string, precedence = 1000): ReturnType<typeof compileFlowSchema> {
  return compileFlowSchema(
    bootstrapFlowSchema(levelName, {
      priorityLevelConfiguration: { name: levelName },
      matchingPrecedence: precedence,
      distinguisherMethod: { type: "ByUser" },
      rules: [{ subjects: [...everybody], resourceRules: [everyResource], nonResourceRules: [everyPath] }],
    }),
  );
}
