import type { Benchmark } from "../benchmark.js";
import { collectionPath, configMapJson } from "../config-maps.js";
import { createRequest } from "../fill.js";
import { Writers, writers } from "../load/writers.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { startBareCreateServer, startBareWriter, startLoadGenerator } from "../processes/start-children.js";
import { interleave, type Round } from "../rounds.js";

/** Writes that are on disk when they are answered. */
export const createBenchmark: Benchmark = {
  name: "create",
  what: "create 1 KB ConfigMaps, HTTP/1.1, 32 connections, durable",
  limit: "bare durable LMDB transactions of the same size, 32 writers",
  unit: "objects/s",
  wanted: { atLeast: 0.3 },
  async run(environment) {
    const { roundMs } = environment;
    await using gatehouse = await startGatehouse(environment);
    await using bare = startBareWriter();
    await using load = startLoadGenerator();
    const created = await gatehouse.request("POST", collectionPath, configMapJson("bench-size"));
    await bare.call("open", await environment.makeDirectory());
    const limit = async () => ({
      value: await bare.call("write", {
        writers,
        valueBytes: created.body.length,
        warmupMs: roundMs / 4,
        durationMs: roundMs,
      }),
    });
    const figure = new Writers(environment, gatehouse, load).creating(createRequest());
    return await interleave(environment.rounds, figure, limit);
  },
};

/** Compares a create with the most that one thread of Node allows: the difference is the work of an API server. */
export const createFloorBenchmark: Benchmark = {
  name: "create-floor",
  what: "create 1 KB ConfigMaps, HTTP/1.1, 32 connections, durable",
  limit: "a bare Node https server that parses, stamps, stores in shared transactions and answers",
  unit: "objects/s",
  wanted: { atLeast: 0.85 },
  async run(environment) {
    const { certificates } = environment;
    await using gatehouse = await startGatehouse(environment);
    await using bare = startBareCreateServer();
    await using load = startLoadGenerator();
    const directory = await environment.makeDirectory();
    const target = { port: await bare.call("listen", { certificates, directory }), certificates, pids: [bare.pid] };
    return await interleave(
      environment.rounds,
      new Writers(environment, gatehouse, load).creating(createRequest()),
      new Writers(environment, target, load).creating(createRequest()),
    );
  },
};

/** Measures the cost of the protocol beside a write. */
export const createHttp2Benchmark: Benchmark = {
  name: "create-h2",
  what: "create 1 KB ConfigMaps, HTTP/2, 32 connections, durable",
  limit: "the same over HTTP/1.1",
  unit: "objects/s",
  wanted: { atLeast: 0.7 },
  async run(environment) {
    await using gatehouse = await startGatehouse(environment);
    await using load = startLoadGenerator();
    const clients = new Writers(environment, gatehouse, load);
    const [figure, limit] = (["HTTP/2", "HTTP/1.1"] as const).map((protocol) =>
      clients.creating(createRequest(), protocol),
    );
    return await interleave(environment.rounds, figure as Round, limit as Round);
  },
};
