import type { Benchmark } from "../benchmark.js";
import { collectionPath, configMapJson, configMapName } from "../config-maps.js";
import type { Protocol } from "../load/open-load-connection.js";
import { roundResult } from "../load/round-result.js";
import { watchedWriters, watchRounds } from "../load/watch-rounds.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { startBareServer, startLoadGenerator } from "../processes/start-children.js";
import { interleave } from "../rounds.js";

/** Fan-out: a few writers' new objects to everybody who watches. */
export const watchBenchmarks: readonly Benchmark[] = [
  watchBenchmark("watch", "HTTP/1.1", 1000, 1),
  // Twenty watches a connection, as the informers of one program share theirs.
  watchBenchmark("watch-h2", "HTTP/2", 50, 20),
];

function watchBenchmark(benchmarkName: string, protocol: Protocol, connections: number, streams: number): Benchmark {
  const watchers = (connections * streams).toLocaleString("en");
  return {
    name: benchmarkName,
    what: `${watchedWriters} writers, ${watchers} watchers over ${protocol}: events delivered`,
    limit: `a bare Node ${protocol === "HTTP/2" ? "http2" : "https"} server writing the same bytes to ${watchers} open responses`,
    unit: "events/s",
    wanted: { atLeast: 0.9 },
    async run(environment) {
      const { certificates, roundMs } = environment;
      await using gatehouse = await startGatehouse(environment);
      await using bare = startBareServer(protocol);
      await using load = startLoadGenerator();
      const name = configMapName(0);
      const created = await gatehouse.request("POST", collectionPath, configMapJson(name));
      const barePort = await bare.call("listen", certificates);
      const path = `${collectionPath}?watch=1`;
      await bare.call("serve", {
        path,
        headers: { "cache-control": "no-cache, private", "content-type": "application/json" },
        stream: true,
      });
      const frame = Buffer.from(`{"type":"MODIFIED","object":${created.body.toString().trimEnd()}}\n`);
      const target = { port: gatehouse.port, certificates, pids: [gatehouse.pid] };
      const figure = watchRounds(load, target, gatehouse, { protocol, connections, streams, roundMs });
      const limit = async () => {
        const opening = { certificates, protocol, connections, streams, port: barePort };
        await load.call("openStreams", { ...opening, request: { method: "GET", path } });
        await bare.call("startWriting", frame);
        const times = { warmupMs: roundMs / 2, durationMs: roundMs };
        const result = await load.call("runStreams", { ...times, serverPids: [bare.pid] });
        await bare.call("stopWriting", undefined);
        await load.call("closeStreams", undefined);
        return roundResult(result, result.events);
      };
      return await interleave(environment.rounds, figure, limit);
    },
  };
}
