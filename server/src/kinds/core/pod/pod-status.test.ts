import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { podStatusSummary } from "./pod-status.js";

const now = Date.parse("2024-03-01T12:00:00Z");
const running = { running: { startedAt: "2024-03-01T11:00:00Z" } };
const done = { terminated: { exitCode: 0, reason: "Completed" } };

interface Row {
  readonly is: string;
  readonly init?: readonly JsonObject[];
  readonly containers?: number;
  readonly status: JsonObject;
  readonly deleted?: boolean;
  readonly shows: readonly [string, string, string];
}

const rows: readonly Row[] = [
  { is: "a pod that nobody has looked at yet", status: { phase: "Pending" }, shows: ["0/1", "Pending", "0"] },
  { is: "a pod without a status", status: {}, shows: ["0/1", "", "0"] },
  {
    is: "an evicted pod",
    status: { phase: "Failed", reason: "Evicted" },
    shows: ["0/1", "Evicted", "0"],
  },
  {
    is: "a pod held back by a scheduling gate",
    status: { phase: "Pending", conditions: [{ type: "PodScheduled", status: "False", reason: "SchedulingGated" }] },
    shows: ["0/1", "SchedulingGated", "0"],
  },
  {
    is: "a running pod",
    containers: 2,
    status: { phase: "Running", containerStatuses: [status("a", running), status("b", running)] },
    shows: ["2/2", "Running", "0"],
  },
  {
    is: "a pod whose first container waits",
    containers: 2,
    status: {
      phase: "Running",
      containerStatuses: [
        status("a", { waiting: { reason: "CrashLoopBackOff" } }, { restartCount: 3, lastState: ended("11:50:00") }),
        status("b", running, { restartCount: 1, lastState: ended("11:55:00") }),
      ],
    },
    shows: ["1/2", "CrashLoopBackOff", "4 (5m ago)"],
  },
  {
    is: "a pod whose container was killed by a signal",
    status: { phase: "Failed", containerStatuses: [status("a", { terminated: { exitCode: 137, signal: 9 } })] },
    shows: ["0/1", "Signal:9", "0"],
  },
  {
    is: "a pod whose container exited",
    status: { phase: "Failed", containerStatuses: [status("a", { terminated: { exitCode: 3 } })] },
    shows: ["0/1", "ExitCode:3", "0"],
  },
  {
    is: "a ready pod with one container that has completed",
    containers: 2,
    status: {
      phase: "Running",
      conditions: [{ type: "Ready", status: "True" }],
      containerStatuses: [status("a", done), status("b", running)],
    },
    shows: ["1/2", "Running", "0"],
  },
  {
    is: "a pod with one container that has completed and no readiness",
    containers: 2,
    status: { phase: "Running", containerStatuses: [status("a", done), status("b", running)] },
    shows: ["1/2", "NotReady", "0"],
  },
  {
    is: "a pod in its second init container",
    init: [{ name: "i1" }, { name: "i2" }],
    status: {
      phase: "Pending",
      initContainerStatuses: [status("i1", done, { restartCount: 2 }), status("i2", running)],
    },
    shows: ["0/1", "Init:1/2", "2"],
  },
  {
    is: "a pod whose init container waits for its turn",
    init: [{ name: "i1" }],
    status: { phase: "Pending", initContainerStatuses: [status("i1", { waiting: { reason: "PodInitializing" } })] },
    shows: ["0/1", "Init:0/1", "0"],
  },
  {
    is: "a pod whose init container cannot pull its image",
    init: [{ name: "i1" }],
    status: { phase: "Pending", initContainerStatuses: [status("i1", { waiting: { reason: "ErrImagePull" } })] },
    shows: ["0/1", "Init:ErrImagePull", "0"],
  },
  {
    is: "a pod whose init container failed",
    init: [{ name: "i1" }],
    status: { phase: "Pending", initContainerStatuses: [status("i1", { terminated: { exitCode: 2 } })] },
    shows: ["0/1", "Init:ExitCode:2", "0"],
  },
  {
    is: "a pod whose init container was killed by a signal",
    init: [{ name: "i1" }],
    status: { phase: "Pending", initContainerStatuses: [status("i1", { terminated: { exitCode: 137, signal: 9 } })] },
    shows: ["0/1", "Init:Signal:9", "0"],
  },
  {
    is: "a pod whose init container failed for a reason",
    init: [{ name: "i1" }],
    status: {
      phase: "Pending",
      initContainerStatuses: [status("i1", { terminated: { exitCode: 1, reason: "Error" } })],
    },
    shows: ["0/1", "Init:Error", "0"],
  },
  {
    is: "a pod with a sidecar, whose restarts alone count once init is over",
    init: [{ name: "i1" }, { name: "proxy", restartPolicy: "Always" }],
    status: {
      phase: "Running",
      initContainerStatuses: [
        status("i1", done, { restartCount: 5, lastState: ended("11:59:00") }),
        status("proxy", running, { started: true, restartCount: 1, lastState: ended("11:00:00") }),
      ],
      containerStatuses: [status("a", running)],
    },
    shows: ["2/2", "Running", "1 (60m ago)"],
  },
  {
    is: "a pod whose sidecar has not started",
    init: [{ name: "proxy", restartPolicy: "Always" }],
    status: { phase: "Pending", initContainerStatuses: [status("proxy", running, { started: false, ready: false })] },
    shows: ["0/2", "Init:0/1", "0"],
  },
  {
    is: "an initialized pod whose sidecar is starting again",
    init: [{ name: "proxy", restartPolicy: "Always" }],
    status: {
      phase: "Running",
      conditions: [{ type: "Initialized", status: "True" }],
      initContainerStatuses: [
        status("proxy", { waiting: { reason: "CrashLoopBackOff" } }, { started: false, ready: false, restartCount: 2 }),
      ],
      containerStatuses: [status("a", running)],
    },
    shows: ["1/2", "Init:CrashLoopBackOff", "2"],
  },
  {
    is: "a pod that is being deleted",
    status: { phase: "Running", containerStatuses: [status("a", running)] },
    deleted: true,
    shows: ["1/1", "Terminating", "0"],
  },
  {
    is: "a pod that is being deleted on a node that was lost",
    status: { phase: "Running", reason: "NodeLost" },
    deleted: true,
    shows: ["0/1", "Unknown", "0"],
  },
];

for (const row of rows) {
  test(`${row.is} shows as ${row.shows.join(" ")}`, () => {
    const containers = Array.from({ length: row.containers ?? 1 }, (_, index) => ({ name: `c${index}` }));
    const pod: JsonObject = {
      metadata: { name: "p", ...(row.deleted === true ? { deletionTimestamp: "2024-03-01T11:59:00Z" } : {}) },
      spec: { containers, initContainers: [...(row.init ?? [])] },
      status: row.status,
    };
    const summary = podStatusSummary(pod, { now });
    assert.deepEqual([summary.ready, summary.status, summary.restarts], row.shows);
  });
}

function status(name: string, state: JsonObject, more: JsonObject = {}): JsonObject {
  return { name, state, ready: true, restartCount: 0, ...more };
}

function ended(time: string): JsonValue {
  return { terminated: { exitCode: 1, finishedAt: `2024-03-01T${time}Z` } };
}
