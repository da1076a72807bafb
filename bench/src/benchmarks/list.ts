import type { BenchEnvironment } from "../bench-environment.js";
import type { Benchmark } from "../benchmark.js";
import { collectionPath } from "../config-maps.js";
import { fill } from "../fill.js";
import { roundResult } from "../load/round-result.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { startBareServer, startLoadGenerator } from "../processes/start-children.js";
import { headersToReplay } from "../replay.js";
import { interleave } from "../rounds.js";

const connections = 4;
/** The usual size of pieces in Node's own streams. */
const chunkBytes = 64 * 1024;

/** Reads of a large collection: how the bytes of many objects become one answer. */
export const listBenchmark: Benchmark = {
  name: "list",
  what: "list 10,000 such objects, 4 connections",
  limit: "a bare Node HTTPS server sending one prepared buffer in chunks",
  unit: "MB/s",
  wanted: { atLeast: 0.6 },
  async run(environment: BenchEnvironment) {
    const { certificates, roundMs } = environment;
    await using gatehouse = await startGatehouse(environment);
    await using bare = startBareServer("HTTP/1.1");
    await using load = startLoadGenerator();
    await fill(load, gatehouse, certificates, 10_000);
    const answer = await gatehouse.request("GET", collectionPath);
    const barePort = await bare.call("listen", certificates);
    await bare.call("serve", {
      path: collectionPath,
      headers: headersToReplay(answer),
      body: answer.body,
      chunkBytes,
    });
    const side = (port: number, serverPid: number) => async () => {
      const result = await load.call("run", {
        port,
        certificates,
        protocol: "HTTP/1.1",
        connections,
        streams: 1,
        request: { method: "GET", path: collectionPath },
        firstNumber: 0,
        expectedCode: 200,
        warmupMs: roundMs / 4,
        durationMs: roundMs,
        serverPids: [serverPid],
      });
      return roundResult(result, result.bytes / 1e6);
    };
    return await interleave(environment.rounds, side(gatehouse.port, gatehouse.pid), side(barePort, bare.pid));
  },
};
