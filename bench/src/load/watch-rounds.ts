import type { ClientCertificates } from "../certificates.js";
import { collectionPath } from "../config-maps.js";
import { createRequest } from "../fill.js";
import type { ApiClient } from "../processes/api-client.js";
import type { Child } from "../processes/child.js";
import type { Round } from "../rounds.js";
import type { LoadOperations } from "./load-generator.js";
import type { Protocol } from "./open-load-connection.js";
import { roundResult } from "./round-result.js";
import type { LoadTarget } from "./writers.js";

/**
 * Number of writers, each with an object of its own. The server never waits for the disk then: one alone, or several
 * that change the same object, would measure how long a flush takes.
 */
export const watchedWriters = 32;

/** The watchers of a benchmark: on how many connections, and how many on each. */
export interface Watchers {
  readonly protocol: Protocol;
  readonly connections: number;
  readonly streams: number;
}

/** A server with TLS. */
export interface WatchTarget extends LoadTarget {
  readonly certificates: ClientCertificates;
  /** True of a server that may end watches whose clients are slow, as kube-apiserver does; a note then says how many. */
  readonly mayEndWatches?: boolean;
}

/** Rounds in which some clients create ConfigMaps and others watch them. The value is the events that arrive in a second. */
export function watchRounds(
  load: Child<LoadOperations>,
  { port, certificates, pids, mayEndWatches = false }: WatchTarget,
  server: Pick<ApiClient, "request">,
  { roundMs, ...watchers }: Watchers & { readonly roundMs: number },
): Round {
  let nextNumber = 1;
  return async () => {
    // Only what happens from now on: the objects that are there would be events, too.
    const list = JSON.parse((await server.request("GET", `${collectionPath}?limit=1`)).body.toString());
    const path = `${collectionPath}?watch=1&resourceVersion=${list.metadata.resourceVersion}`;
    await load.call("openStreams", { ...watchers, port, certificates, request: { method: "GET", path } });
    const writer = {
      port,
      certificates,
      connections: watchedWriters,
      request: createRequest(),
      firstNumber: nextNumber,
    };
    const times = { warmupMs: roundMs / 2, durationMs: roundMs };
    const result = await load.call("runStreams", { ...times, serverPids: pids, writer });
    nextNumber = result.nextNumber;
    await load.call("closeStreams", undefined);
    const round = roundResult(result, result.events);
    if (result.endedStreams === 0) {
      return round;
    }
    const ended = `the server has ended ${result.endedStreams} of ${watchers.connections * watchers.streams} watches`;
    if (!mayEndWatches) {
      throw new Error(ended);
    }
    return { ...round, notes: [...(round.notes ?? []), ended] };
  };
}
