import { formatMilliseconds } from "@gatehouse/envelopes/go";
import type { FlowRequest } from "./flow-request.js";
import type { LevelState } from "./level-state.js";
import type { PriorityLevels } from "./priority-levels.js";

/** Renders a line for each priority level, as v1.29 does. */
export function dumpPriorityLevels(levels: PriorityLevels): string {
  const rows = inOrder(levels).map(({ config, queues, isQuiescing }) => [
    config.name,
    queues.queues.filter(({ waiting }) => waiting.size > 0).length,
    queues.isIdle,
    isQuiescing,
    queues.waiting,
    queues.executing,
    queues.dispatched,
    queues.rejected,
    // v1.29 counts those that have waited too long among the cancelled.
    0,
    queues.cancelled,
  ]);
  return table([
    [
      "PriorityLevelName",
      "ActiveQueues",
      "IsIdle",
      "IsQuiescing",
      "WaitingRequests",
      "ExecutingRequests",
      "DispatchedRequests",
      "RejectedRequests",
      "TimedoutRequests",
      "CancelledRequests",
    ],
    ...rows,
  ]);
}

/** Renders a line for each queue. */
export function dumpQueues(levels: PriorityLevels): string {
  const rows = inOrder(levels).flatMap(({ config, queues }) =>
    queues.queues.map((queue) => [
      config.name,
      queue.index,
      queue.waiting.size,
      queue.executing.size,
      queue.seatsInUse,
      seatSeconds(queue.nextDispatch),
      queue.waitingInitialSeats,
      queue.waitingSeats,
      seatSeconds(queue.waitingWork),
    ]),
  );
  return table([
    [
      "PriorityLevelName",
      "Index",
      "PendingRequests",
      "ExecutingRequests",
      "SeatsInUse",
      "NextDispatchR",
      "InitialSeatsSum",
      "MaxSeatsSum",
      "TotalWorkSum",
    ],
    ...rows,
  ]);
}

/** Renders a line for each request that waits or is executed; with `details` also who asks for what. */
export function dumpRequests(levels: PriorityLevels, details: boolean): string {
  const rowOf = (level: string, queue: number, position: number, request: FlowRequest): readonly Cell[] => [
    level,
    request.flow.schema.name,
    queue,
    position,
    request.flow.distinguisher,
    goTime(request.arrivedAtMs),
    request.initialSeats,
    request.finalSeats,
    formatMilliseconds(request.additionalMs),
    request.startedAtMs === 0 ? "0001-01-01T00:00:00Z" : goTime(request.startedAtMs),
    ...(details ? detailsOf(request) : []),
  ];
  const rows = inOrder(levels).flatMap(({ config: { name }, queues }) => [
    ...queues.queues.flatMap(({ index, waiting, executing }) => [
      ...Array.from(waiting, (request, position) => rowOf(name, index, position, request)),
      ...Array.from(executing, (request) => rowOf(name, index, -1, request)),
    ]),
    ...Array.from(queues.queueless, (request) => rowOf(name, -1, -1, request)),
  ]);
  return table([
    [
      "PriorityLevelName",
      "FlowSchemaName",
      "QueueIndex",
      "RequestIndexInQueue",
      // v1.29 writes it so.
      "FlowDistingsher",
      "ArriveTime",
      "InitialSeats",
      "FinalSeats",
      "AdditionalLatency",
      "StartTime",
      ...(details ? ["UserName", "Verb", "APIPath", "Namespace", "Name", "APIVersion", "Resource", "SubResource"] : []),
    ],
    ...rows,
  ]);
}

function detailsOf({ user, info }: FlowRequest): readonly Cell[] {
  const apiVersion = info.group === "" ? info.version : `${info.group}/${info.version}`;
  return [user.username, info.verb, info.path, info.namespace, info.name, apiVersion, info.resource, info.subresource];
}

type Cell = string | number | boolean;

/** The least width of a column in the output of Go's tabwriter, as v1.29 sets it. */
const minWidth = 8;

/** Renders rows as Go's tabwriter does: columns end with a comma and at least one space. */
function table(rows: readonly (readonly Cell[])[]): string {
  const texts = rows.map((row) => row.map((cell, index) => `${cell}${index < row.length - 1 ? "," : ""}`));
  const widths = (texts[0] ?? []).map((_header, column) =>
    Math.max(minWidth, ...texts.map((row) => (row[column] ?? "").length + 1)),
  );
  return texts
    .map((row) => {
      const line = row.map((text, column) => (column === row.length - 1 ? text : text.padEnd(widths[column] ?? 0)));
      return `${line.join("")}\n`;
    })
    .join("");
}

function inOrder(levels: PriorityLevels): readonly LevelState[] {
  return [...levels.levels.values()].sort((one, other) => (one.config.name < other.config.name ? -1 : 1));
}

function seatSeconds(value: number): string {
  return `${Math.max(0, value).toFixed(8)}ss`;
}

/** Returns a time on the monotonic clock as Go writes it in UTC, with the fraction of the second that is known. */
function goTime(ms: number): string {
  const sinceEpoch = performance.timeOrigin + ms;
  const seconds = Math.floor(sinceEpoch / 1000);
  const microseconds = Math.floor((sinceEpoch - seconds * 1000) * 1000);
  const fraction = String(microseconds).padStart(6, "0").replace(/0+$/, "");
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}${fraction === "" ? "" : `.${fraction}`}Z`;
}
