import type { Benchmark } from "../benchmark.js";
import { collectionPath, configMapJson } from "../config-maps.js";
import { createTemplate } from "../fill.js";
import { roundResult } from "../load/round-result.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { startBareWriter, startLoadGenerator } from "../processes/start-children.js";
import { interleave } from "../rounds.js";

const writers = 32;

/** Writes that are on disk when they are answered. */
export const createBenchmark: Benchmark = {
  name: "create",
  what: "create 1 KB ConfigMaps, 32 connections, durable",
  limit: "bare durable LMDB transactions of the same size, 32 writers",
  unit: "objects/s",
  wanted: { atLeast: 0.25 },
  async run(environment) {
    const { certificates, roundMs } = environment;
    await using gatehouse = await startGatehouse(environment);
    await using bare = startBareWriter();
    await using load = startLoadGenerator();
    const created = await gatehouse.request("POST", collectionPath, configMapJson("bench-size"));
    await bare.call("open", await environment.makeDirectory());
    let nextNumber = 0;
    const figure = async () => {
      const result = await load.call("run", {
        port: gatehouse.port,
        certificates,
        connections: writers,
        request: createTemplate(),
        firstNumber: nextNumber,
        expectedCode: 201,
        warmupMs: roundMs / 4,
        durationMs: roundMs,
        serverPid: gatehouse.pid,
      });
      nextNumber = result.nextNumber;
      return roundResult(result, result.answers);
    };
    const limit = async () => ({
      value: await bare.call("write", {
        writers,
        valueBytes: created.body.length,
        warmupMs: roundMs / 4,
        durationMs: roundMs,
      }),
    });
    return await interleave(environment.rounds, figure, limit);
  },
};
