import { ageOf, parseTime, type TableContext } from "@gatehouse/apiserver/tables";
import {
  booleanAt,
  conditionOfType,
  integerAt,
  isSet,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  textAt,
  valueAt,
} from "@gatehouse/envelopes/json";

/** The texts of a pod's Ready, Status and Restarts columns. */
export interface PodStatusSummary {
  readonly ready: string;
  readonly status: string;
  readonly restarts: string;
}

/** The sum of restart counts, with the time of the latest restart. */
interface Restarts {
  count: number;
  newest: JsonValue | undefined;
}

/**
 * Returns a summary of a pod by its container statuses: that of the first init container that is not done; if all are
 * done, that of the first container with a reason. Sidecars (init containers with restartPolicy Always, KEP-753) count
 * as containers.
 */
export function podStatusSummary(pod: JsonObject, context: TableContext): PodStatusSummary {
  const init = walkInitContainers(pod);
  let status = init.status ?? (isSchedulingGated(pod) ? "SchedulingGated" : textAt(pod, "status", "reason"));
  if (status === "") {
    status = textAt(pod, "status", "phase");
  }
  let ready = init.ready;
  let restarts = init.restarts;

  if (init.status === undefined || hasTrueCondition(pod, "Initialized")) {
    const containers = walkContainers(pod, init.sidecarRestarts);
    restarts = containers.restarts;
    ready += containers.ready;
    status = containers.status ?? status;
    if (status === "Completed" && containers.ready > 0) {
      status = hasTrueCondition(pod, "Ready") ? "Running" : "NotReady";
    }
  }
  if (isSet(pod, "metadata", "deletionTimestamp")) {
    status = textAt(pod, "status", "reason") === "NodeLost" ? "Unknown" : "Terminating";
  }

  const total = listAt(pod, "spec", "containers").length + init.sidecars.size;
  return { ready: `${ready}/${total}`, status, restarts: restartsText(restarts, context) };
}

/** Returns the state of the init containers; `status` is set while initialization waits for one of them. */
function walkInitContainers(pod: JsonObject) {
  const specs = listAt(pod, "spec", "initContainers");
  const sidecars = new Set(
    specs.filter((spec) => textAt(spec, "restartPolicy") === "Always").map((spec) => textAt(spec, "name")),
  );
  const restarts: Restarts = { count: 0, newest: undefined };
  const sidecarRestarts: Restarts = { count: 0, newest: undefined };
  let ready = 0;
  let status: string | undefined;
  for (const [index, container] of listAt(pod, "status", "initContainerStatuses").entries()) {
    addRestarts(restarts, container);
    const isSidecar = sidecars.has(textAt(container, "name"));
    if (isSidecar) {
      addRestarts(sidecarRestarts, container);
    }
    const state = objectAt(container, "state");
    if (isSet(state, "terminated") && Number(integerAt(state, "terminated", "exitCode")) === 0) {
      continue;
    }
    if (isSidecar && booleanAt(container, "started")) {
      ready += booleanAt(container, "ready") ? 1 : 0;
      continue;
    }
    status = `Init:${pendingReason(state) ?? `${index}/${specs.length}`}`;
    break;
  }
  return { status, ready, restarts, sidecarRestarts, sidecars };
}

/** Returns the reason for which an init container is not done; undefined if it runs or waits for its turn. */
function pendingReason(state: JsonObject): string | undefined {
  if (isSet(state, "terminated")) {
    return terminatedReason(state);
  }
  const waiting = textAt(state, "waiting", "reason");
  return waiting === "" || waiting === "PodInitializing" ? undefined : waiting;
}

function terminatedReason(state: JsonObject): string {
  const terminated = objectAt(state, "terminated");
  const reason = textAt(terminated, "reason");
  if (reason !== "") {
    return reason;
  }
  const signal = integerAt(terminated, "signal");
  return Number(signal) === 0 ? `ExitCode:${integerAt(terminated, "exitCode")}` : `Signal:${signal}`;
}

function walkContainers(pod: JsonObject, sidecarRestarts: Restarts) {
  const restarts: Restarts = { ...sidecarRestarts };
  let ready = 0;
  let status: string | undefined;
  const statuses: JsonArray = listAt(pod, "status", "containerStatuses");
  for (let index = statuses.length - 1; index >= 0; index--) {
    const container = statuses[index];
    addRestarts(restarts, container);
    const state = objectAt(container, "state");
    const waiting = textAt(state, "waiting", "reason");
    if (waiting !== "") {
      status = waiting;
    } else if (isSet(state, "terminated")) {
      status = terminatedReason(state);
    } else if (booleanAt(container, "ready") && isSet(state, "running")) {
      ready++;
    }
  }
  return { restarts, ready, status };
}

function addRestarts(restarts: Restarts, container: JsonValue | undefined): void {
  restarts.count += Number(integerAt(container, "restartCount"));
  const finishedAt = valueAt(container, "lastState", "terminated", "finishedAt");
  if ((parseTime(finishedAt) ?? -Infinity) > (parseTime(restarts.newest) ?? -Infinity)) {
    restarts.newest = finishedAt;
  }
}

function restartsText(restarts: Restarts, context: TableContext): string {
  return restarts.count === 0 || restarts.newest === undefined
    ? String(restarts.count)
    : `${restarts.count} (${ageOf(restarts.newest, context)} ago)`;
}

function isSchedulingGated(pod: JsonObject): boolean {
  return listAt(pod, "status", "conditions").some(
    (condition) => textAt(condition, "type") === "PodScheduled" && textAt(condition, "reason") === "SchedulingGated",
  );
}

function hasTrueCondition(pod: JsonObject, type: string): boolean {
  const condition = conditionOfType(listAt(pod, "status", "conditions"), type);
  return textAt(condition, "status") === "True";
}
