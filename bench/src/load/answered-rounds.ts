import type { Child } from "../processes/child.js";
import type { Round } from "../rounds.js";
import type { LoadOperations } from "./load-generator.js";
import type { LoadRequest } from "./load-request.js";
import type { Protocol } from "./open-load-connection.js";
import { roundResult } from "./round-result.js";
import type { LoadTarget } from "./writers.js";

/** The request that each connection sends again and again, and the connections. */
export interface AnsweredRequests {
  readonly request: LoadRequest;
  /** Length of a round in milliseconds, without its warm-up. */
  readonly roundMs: number;
  /** Default HTTP/1.1. */
  readonly protocol?: Protocol;
  /** Default 32. */
  readonly connections?: number;
  /** Requests of a connection at a time. Default 1. */
  readonly streams?: number;
}

/** Returns rounds in which one server answers the same request with 200, as often as it can. */
export function answeredRounds(load: Child<LoadOperations>, target: LoadTarget, requests: AnsweredRequests): Round {
  const { request, roundMs, protocol = "HTTP/1.1", connections = 32, streams = 1 } = requests;
  return async () => {
    const result = await load.call("run", {
      port: target.port,
      certificates: target.certificates,
      protocol,
      connections,
      streams,
      request,
      firstNumber: 0,
      expectedCode: 200,
      warmupMs: roundMs / 4,
      durationMs: roundMs,
      serverPids: target.pids,
    });
    return roundResult(result, result.answers);
  };
}
