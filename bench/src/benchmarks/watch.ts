import type { Benchmark } from "../benchmark.js";
import { collectionPath, configMapJson, configMapName } from "../config-maps.js";
import { createRequest } from "../fill.js";
import type { Protocol } from "../load/open-load-connection.js";
import { roundResult } from "../load/round-result.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { startBareServer, startLoadGenerator } from "../processes/start-children.js";
import { interleave } from "../rounds.js";

/**
 * Number of writers, each with an object of its own. The server never waits for the disk then: one alone, or several
 * that change the same object, would measure how long a flush takes.
 */
const writers = 32;

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
    what: `${writers} writers, ${watchers} watchers over ${protocol}: events delivered`,
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
      const times = { warmupMs: roundMs / 2, durationMs: roundMs };
      const opening = { certificates, protocol, connections, streams };
      let nextNumber = 1;
      const figure = async () => {
        // Only what happens from now on: the objects that are there would be events, too.
        const list = JSON.parse((await gatehouse.request("GET", `${collectionPath}?limit=1`)).body.toString());
        const request = { method: "GET", path: `${path}&resourceVersion=${list.metadata.resourceVersion}` };
        await load.call("openStreams", { ...opening, port: gatehouse.port, request });
        const writer = {
          port: gatehouse.port,
          certificates,
          connections: writers,
          request: createRequest(),
          firstNumber: nextNumber,
        };
        const result = await load.call("runStreams", { ...times, serverPids: [gatehouse.pid], writer });
        nextNumber = result.nextNumber;
        await load.call("closeStreams", undefined);
        return roundResult(result, result.events);
      };
      const limit = async () => {
        await load.call("openStreams", { ...opening, port: barePort, request: { method: "GET", path } });
        await bare.call("startWriting", frame);
        const result = await load.call("runStreams", { ...times, serverPids: [bare.pid] });
        await bare.call("stopWriting", undefined);
        await load.call("closeStreams", undefined);
        return roundResult(result, result.events);
      };
      return await interleave(environment.rounds, figure, limit);
    },
  };
}
