import { aggregatedDiscoveryType, aggregatedPath, aggregateGroups } from "../aggregated-groups.js";
import type { Benchmark } from "../benchmark.js";
import { configMapJson, configMapName } from "../config-maps.js";
import { answeredRounds } from "../load/answered-rounds.js";
import type { LoadRequest } from "../load/load-request.js";
import { roundResult } from "../load/round-result.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { startBareServer, startLoadGenerator } from "../processes/start-children.js";
import { interleave } from "../rounds.js";

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
      const path = `${aggregatedPath(0)}/namespaces/default/things/one`;
      const body = Buffer.from(configMapJson(configMapName(0)));
      await bare.call("serve", { path, headers: { "content-type": "application/json" }, body });
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
