import type { BenchEnvironment } from "../bench-environment.js";
import type { Benchmark, Measurement } from "../benchmark.js";
import { collectionPath } from "../config-maps.js";
import { definitionsPath } from "../custom-definitions.js";
import { widgetDefinition, widgetRequest, widgetsPath } from "../custom-objects.js";
import { deploymentApplication, deploymentCreation, deploymentReplacement } from "../deployments.js";
import { createRequest } from "../fill.js";
import { type Watchers, type WatchTarget, watchedWriters, watchRounds } from "../load/watch-rounds.js";
import { type LoadTarget, Writers } from "../load/writers.js";
import { type ApiClient, untilServed } from "../processes/api-client.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { openPeer } from "../processes/peer.js";
import { startLoadGenerator } from "../processes/start-children.js";
import { interleave, type Round } from "../rounds.js";
import { startOnEtcd } from "./etcd.js";

/** Returns the number of objects to change; more than one round changes. */
const objectsOf = ({ quick }: BenchEnvironment): number => (quick ? 1_500 : 6_000);

/** Brings a server to where it can be measured. */
type Prepare = (clients: Writers, server: Pick<ApiClient, "request">, environment: BenchEnvironment) => Promise<Round>;

/**
 * Compare the processor time of equal requests on another server, of all its processes: only where there is one
 * (`--peer`).
 */
export const peerBenchmarks: readonly Benchmark[] = [
  peerBenchmark("peer-create", "create 1 KB ConfigMaps", async (clients) => clients.creating(createRequest())),
  peerBenchmark("peer-update", "update 10 KB Deployments by PUT", async (clients, _server, environment) => {
    await clients.fill(deploymentCreation(), objectsOf(environment));
    let round = 0;
    return clients.changing(() => deploymentReplacement(++round));
  }),
  peerBenchmark(
    "peer-apply",
    "apply 10 KB Deployments that two managers own",
    async (clients, _server, environment) => {
      await clients.fill(deploymentCreation(), objectsOf(environment));
      await clients.send(deploymentApplication(0), 200, objectsOf(environment));
      let round = 0;
      return clients.changing(() => deploymentApplication(++round));
    },
  ),
  peerBenchmark("peer-custom", "create 10 KB objects of a custom kind with 200 fields", async (clients, server) => {
    await server.request("POST", definitionsPath, JSON.stringify(widgetDefinition()));
    await untilServed(server, widgetsPath);
    return clients.creating(widgetRequest());
  }),
  peerBenchmark(
    "peer-create-etcd",
    "create 1 KB ConfigMaps on one etcd, of the API server alone",
    async (clients) => clients.creating(createRequest()),
    "peerEtcd",
  ),
  peerWatchBenchmark("peer-watch", { protocol: "HTTP/1.1", connections: 50, streams: 1 }),
  peerWatchBenchmark("peer-watch-h2", { protocol: "HTTP/2", connections: 10, streams: 5 }),
];

function peerBenchmark(name: string, what: string, prepare: Prepare, on: "peer" | "peerEtcd" = "peer"): Benchmark {
  return {
    name,
    what: `processor time of the other server for one: ${what}, HTTP/2, 32 connections, durable`,
    limit: "ours",
    unit: "µs",
    wanted: { atLeast: 3 },
    needs: on,
    async run(environment): Promise<Measurement> {
      if (environment.peer === undefined) {
        throw new Error("there is no other server to compare with: --peer and --peer-pids name one");
      }
      const url = on === "peerEtcd" ? environment.peerEtcd : undefined;
      await using gatehouse = await (url === undefined ? startGatehouse(environment) : startOnEtcd(environment, url));
      await using load = startLoadGenerator();
      const peer = await openPeer(environment, environment.peer);
      const side = async (target: LoadTarget, server: Pick<ApiClient, "request">): Promise<Round> =>
        inProcessorTime(await prepare(new Writers(environment, target, load, "HTTP/2"), server, environment));
      try {
        await emptied(peer.client);
        return await interleave(environment.rounds, await side(peer, peer.client), await side(gatehouse, gatehouse));
      } finally {
        peer.client[Symbol.dispose]();
      }
    },
  };
}

function peerWatchBenchmark(name: string, watchers: Watchers): Benchmark {
  const count = (watchers.connections * watchers.streams).toLocaleString("en");
  return {
    name,
    what: `processor time of the other server for one event: ${watchedWriters} writers, ${count} watchers over ${watchers.protocol}`,
    limit: "ours",
    unit: "µs",
    wanted: { atLeast: 2 },
    needs: "peer",
    async run(environment): Promise<Measurement> {
      const { certificates, peer: options, roundMs } = environment;
      if (options === undefined) {
        throw new Error("there is no other server to compare with: --peer and --peer-pids name one");
      }
      await using gatehouse = await startGatehouse(environment);
      await using load = startLoadGenerator();
      const peer = await openPeer(environment, options);
      const ours = { port: gatehouse.port, certificates, pids: [gatehouse.pid] };
      const side = (target: WatchTarget, server: Pick<ApiClient, "request">): Round =>
        inProcessorTime(watchRounds(load, target, server, { ...watchers, roundMs }));
      try {
        await emptied(peer.client);
        return await interleave(
          environment.rounds,
          side({ ...peer, mayEndWatches: true }, peer.client),
          side(ours, gatehouse),
        );
      } finally {
        peer.client[Symbol.dispose]();
      }
    },
  };
}

/** Takes away what a benchmark before has left. */
async function emptied(peer: ApiClient): Promise<void> {
  await peer.request("DELETE", collectionPath);
  await peer.request("DELETE", deploymentCreation().path.split("?", 1)[0] as string);
  const definition = `${definitionsPath}/widgets.bench.example.com`;
  await peer.ask("DELETE", definition);
  while ((await peer.ask("GET", definition)).code !== 404) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/**
 * Returns a round with the processor time as its value: throughput says little of two servers with different numbers of
 * threads.
 */
export function inProcessorTime(round: Round): Round {
  return async () => {
    const { processorMicros, notes = [] } = await round();
    return { value: processorMicros as number, notes };
  };
}
