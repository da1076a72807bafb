import type { BenchEnvironment } from "../bench-environment.js";
import type { Benchmark } from "../benchmark.js";
import { collectionPath, configMapJson } from "../config-maps.js";
import { createRequest } from "../fill.js";
import type { LoadOperations } from "../load/load-generator.js";
import type { Protocol } from "../load/open-load-connection.js";
import { roundResult } from "../load/round-result.js";
import type { Child } from "../processes/child.js";
import { type Gatehouse, startGatehouse } from "../processes/gatehouse.js";
import { startBareWriter, startLoadGenerator } from "../processes/start-children.js";
import { interleave, type Round } from "../rounds.js";

const writers = 32;

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
    const [figure] = creators(environment, gatehouse, load, "HTTP/1.1");
    return await interleave(environment.rounds, figure, limit);
  },
};

/** What the protocol costs beside a write. */
export const createHttp2Benchmark: Benchmark = {
  name: "create-h2",
  what: "create 1 KB ConfigMaps, HTTP/2, 32 connections, durable",
  limit: "the same over HTTP/1.1",
  unit: "objects/s",
  wanted: { atLeast: 0.7 },
  async run(environment) {
    await using gatehouse = await startGatehouse(environment);
    await using load = startLoadGenerator();
    const [figure, limit] = creators(environment, gatehouse, load, "HTTP/2", "HTTP/1.1");
    return await interleave(environment.rounds, figure, limit as Round);
  },
};

/** A round for each protocol; together they give each object a name of its own. */
function creators(
  environment: BenchEnvironment,
  gatehouse: Gatehouse,
  load: Child<LoadOperations>,
  ...protocols: readonly [Protocol, ...Protocol[]]
): readonly [Round, ...Round[]] {
  const { certificates, roundMs } = environment;
  let nextNumber = 0;
  const create = (protocol: Protocol) => async () => {
    const result = await load.call("run", {
      port: gatehouse.port,
      certificates,
      protocol,
      connections: writers,
      streams: 1,
      request: createRequest(),
      firstNumber: nextNumber,
      expectedCode: 201,
      warmupMs: roundMs / 4,
      durationMs: roundMs,
      serverPid: gatehouse.pid,
    });
    nextNumber = result.nextNumber;
    return roundResult(result, result.answers);
  };
  const [first, ...others] = protocols;
  return [create(first), ...others.map(create)];
}
