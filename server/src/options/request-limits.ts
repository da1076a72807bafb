import type { RequestLimits } from "@gatehouse/apiserver/flow-control";
import type { FlagTable, FlagValues } from "@gatehouse/component-base/flags";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";

const group = "Generic";
const features = "Features";

/** The flags that limit concurrent requests, named as kube-apiserver names them. */
export const requestLimitFlags = {
  "enable-priority-and-fairness": {
    type: "bool",
    default: true,
    group: features,
    help: "Share the work of the server fairly among its users, by FlowSchemas and PriorityLevelConfigurations.",
  },
  "max-requests-inflight": {
    type: "int",
    default: 400,
    min: 0,
    group,
    help: "Requests that are served at a time: with --max-mutating-requests-inflight the sum for all, if --enable-priority-and-fairness is true; otherwise the limit of requests that only read, and 0 is no limit.",
  },
  "max-mutating-requests-inflight": {
    type: "int",
    default: 200,
    min: 0,
    group,
    help: "Requests that are served at a time: with --max-requests-inflight the sum for all, if --enable-priority-and-fairness is true; otherwise the limit of requests that write, and 0 is no limit.",
  },
  "goaway-chance": {
    type: "float",
    default: 0,
    min: 0,
    max: 0.02,
    group,
    help: "The fraction of HTTP/2 requests that tell the client to open another connection (GOAWAY), so that a load balancer can divide clients anew.",
  },
  "max-connection-bytes-per-sec": {
    type: "int",
    default: 0,
    min: 0,
    group,
    help: "Bytes per second and direction that a connection of exec, attach, port-forward, or of another protocol through a proxy, is slowed down to. 0 is no limit.",
  },
} as const satisfies FlagTable;

/** Reads the limits of concurrent requests. */
export function resolveRequestLimits(flags: FlagValues<typeof requestLimitFlags>, problems: Problem[]): RequestLimits {
  const limits = {
    fairness: flags["enable-priority-and-fairness"],
    maxReadOnly: flags["max-requests-inflight"],
    maxMutating: flags["max-mutating-requests-inflight"],
  };
  if (limits.fairness && limits.maxReadOnly + limits.maxMutating <= 0) {
    problems.push(
      problemAt(
        "--max-requests-inflight",
        "and --max-mutating-requests-inflight must add up to something positive with --enable-priority-and-fairness",
      ),
    );
  }
  return limits;
}
