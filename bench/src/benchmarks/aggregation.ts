import {
  aggregatedDiscoveryType,
  aggregatedPath,
  aggregateGroups,
  registerGroups,
  removeGroups,
} from "../aggregated-groups.js";
import type { BareServerOperations } from "../bare/bare-operations.js";
import type { Benchmark } from "../benchmark.js";
import { configMapJson, configMapName } from "../config-maps.js";
import { answeredRounds } from "../load/answered-rounds.js";
import type { LoadRequest } from "../load/load-request.js";
import { roundResult } from "../load/round-result.js";
import type { LoadTarget } from "../load/writers.js";
import type { Child } from "../processes/child.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { openPeer } from "../processes/peer.js";
import { startBareServer, startLoadGenerator } from "../processes/start-children.js";
import { interleave } from "../rounds.js";
import { inProcessorTime } from "./peer.js";

const protocol = "HTTP/2";
const connections = 32;

/** Requests that are passed on to another API server, and discovery with many of those. */
export const aggregationBenchmarks: readonly Benchmark[] = [
  {
    name: "get-aggregated",
    what: `get a 1 KB object from an API server behind this one, ${protocol}, ${connections} connections`,
    limit: "the same server without this one in front",
    unit: "requests/s",
    wanted: { atLeast: 0.5 },
    async run(environment) {
      const { certificates, roundMs } = environment;
      await using gatehouse = await startGatehouse(environment);
      await using bare = startBareServer(protocol);
      await using load = startLoadGenerator();
      const barePort = await aggregateGroups(gatehouse, bare, certificates, 1);
      const path = await serveObject(bare);
      const side = (port: number, serverPid: number) =>
        answeredRounds(
          load,
          { port, certificates, pids: [serverPid] },
          { request: { method: "GET", path }, roundMs, protocol, connections },
        );
      return await interleave(environment.rounds, side(gatehouse.port, gatehouse.pid), side(barePort, bare.pid));
    },
  },
  {
    name: "peer-get-aggregated",
    what: `processor time of the other server for one: get a 1 KB object from an API server behind it, ${protocol}, ${connections} connections`,
    limit: "ours",
    unit: "µs",
    wanted: { atLeast: 4 },
    needs: "peer",
    async run(environment) {
      const { certificates, roundMs } = environment;
      if (environment.peer === undefined) {
        throw new Error("there is no other server to compare with: --peer and --peer-pids name one");
      }
      await using gatehouse = await startGatehouse(environment);
      await using bare = startBareServer(protocol);
      await using load = startLoadGenerator();
      const peer = await openPeer(environment, environment.peer);
      await removeGroups(peer.client, 1);
      const barePort = await aggregateGroups(gatehouse, bare, certificates, 1);
      await registerGroups(peer.client, bare, barePort, 1);
      const request: LoadRequest = { method: "GET", path: await serveObject(bare) };
      const side = (target: LoadTarget) =>
        inProcessorTime(answeredRounds(load, target, { request, roundMs, protocol, connections }));
      try {
        return await interleave(environment.rounds, side(peer), side(gatehouse));
      } finally {
        await removeGroups(peer.client, 1);
        peer.client[Symbol.dispose]();
      }
    },
  },
  {
    name: "watch-aggregated",
    what: `events of 1 KB from an API server behind this one to ${connections} watchers, ${protocol}`,
    limit: "the same server without this one in front",
    unit: "events/s",
    wanted: { atLeast: 0.5 },
    async run(environment) {
      const { certificates, roundMs } = environment;
      await using gatehouse = await startGatehouse(environment);
      await using bare = startBareServer(protocol);
      await using load = startLoadGenerator();
      const barePort = await aggregateGroups(gatehouse, bare, certificates, 1);
      const path = `${aggregatedPath(0)}/things?watch=true`;
      await bare.call("serve", { path, headers: { "content-type": "application/json" }, stream: true });
      const frame = Buffer.from(`{"type":"MODIFIED","object":${configMapJson(configMapName(0))}}\n`);
      const opening = { certificates, protocol, connections, streams: 1, request: { method: "GET", path } } as const;
      const side = (port: number, serverPid: number) => async () => {
        await load.call("openStreams", { ...opening, port });
        await bare.call("startWriting", frame);
        const times = { warmupMs: roundMs / 2, durationMs: roundMs };
        const result = await load.call("runStreams", { ...times, serverPids: [serverPid] });
        await bare.call("stopWriting", undefined);
        await load.call("closeStreams", undefined);
        return roundResult(result, result.events);
      };
      return await interleave(environment.rounds, side(gatehouse.port, gatehouse.pid), side(barePort, bare.pid));
    },
  },
  {
    name: "discovery-aggregated",
    what: `aggregated discovery with 20 groups of an API server behind this one, ${protocol}, ${connections} connections`,
    limit: "the same with none",
    unit: "requests/s",
    wanted: { atLeast: 0.8 },
    async run(environment) {
      const { certificates, roundMs } = environment;
      await using many = await startGatehouse(environment);
      await using none = await startGatehouse(environment);
      await using bare = startBareServer(protocol);
      await using load = startLoadGenerator();
      await aggregateGroups(many, bare, certificates, 20);
      const request: LoadRequest = { method: "GET", path: "/apis", accept: aggregatedDiscoveryType };
      const side = ({ port, pid }: { readonly port: number; readonly pid: number }) =>
        answeredRounds(load, { port, certificates, pids: [pid] }, { request, roundMs, protocol, connections });
      return await interleave(environment.rounds, side(many), side(none));
    },
  },
];

/** Has a bare server answer for one object. Returns its path. */
async function serveObject(bare: Child<BareServerOperations>): Promise<string> {
  const path = `${aggregatedPath(0)}/namespaces/default/things/one`;
  const body = Buffer.from(configMapJson(configMapName(0)));
  await bare.call("serve", { path, headers: { "content-type": "application/json" }, body });
  return path;
}
