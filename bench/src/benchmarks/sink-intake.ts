import { join } from "node:path";
import { eventListJson, eventsInBatch } from "../audit-events.js";
import type { Benchmark } from "../benchmark.js";
import { roundResult } from "../load/round-result.js";
import { startAuditSink } from "../processes/audit-sink.js";
import { startBareAppendServer, startLoadGenerator } from "../processes/start-children.js";
import { interleave } from "../rounds.js";

const connections = 8;
const path = "/audit";

/** Measures the cost of detecting duplicates, of chaining kept events, and of checking each event. */
export const sinkIntakeBenchmark: Benchmark = {
  name: "sink-intake",
  what: `audit sink: batches of ${eventsInBatch} Metadata events of 1 KB, durable before acknowledged, ${connections} connections`,
  limit: "a bare Node https server that parses each batch and appends it with a shared fsync",
  unit: "events/s",
  wanted: { atLeast: 0.6 },
  async run(environment) {
    const { certificates, roundMs } = environment;
    await using sink = await startAuditSink(environment);
    await using bare = startBareAppendServer();
    await using load = startLoadGenerator();
    const barePort = await bare.call("listen", {
      certificates,
      file: join(await environment.makeDirectory(), "events"),
    });
    const body = eventListJson();
    let firstNumber = 0;
    const side = (port: number, serverPid: number) => async () => {
      const result = await load.call("run", {
        port,
        certificates,
        protocol: "HTTP/1.1",
        connections,
        streams: 1,
        request: { method: "POST", path, body },
        firstNumber,
        expectedCode: 200,
        warmupMs: roundMs / 4,
        durationMs: roundMs,
        serverPids: [serverPid],
      });
      firstNumber = result.nextNumber;
      return roundResult(result, result.answers * eventsInBatch);
    };
    return await interleave(environment.rounds, side(sink.port, sink.pid), side(barePort, bare.pid));
  },
};
