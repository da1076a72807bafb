import { eventListJson, eventsInBatch } from "../audit-events.js";
import type { Benchmark } from "../benchmark.js";
import { roundResult } from "../load/round-result.js";
import { startAuditSink } from "../processes/audit-sink.js";
import { startLoadGenerator } from "../processes/start-children.js";
import type { RunningProgram } from "../processes/start-program.js";
import { interleave } from "../rounds.js";

const connections = 8;

/** Measures the cost of the index for the intake. */
export const sinkIntakeIndexBenchmark: Benchmark = {
  name: "sink-intake-index",
  what: `audit sink with an index: batches of ${eventsInBatch} Metadata events of 1 KB, ${connections} connections`,
  limit: "the same without an index",
  unit: "events/s",
  async run(environment) {
    const { certificates, roundMs } = environment;
    await using indexed = await startAuditSink(environment, [], { hasIndex: true });
    await using plain = await startAuditSink(environment);
    await using load = startLoadGenerator();
    const body = eventListJson();
    let firstNumber = 0;
    const side = (sink: RunningProgram) => async () => {
      const result = await load.call("run", {
        port: sink.port,
        certificates,
        protocol: "HTTP/1.1",
        connections,
        streams: 1,
        request: { method: "POST", path: "/audit", body },
        firstNumber,
        expectedCode: 200,
        warmupMs: roundMs / 4,
        durationMs: roundMs,
        serverPids: [sink.pid],
      });
      firstNumber = result.nextNumber;
      return roundResult(result, result.answers * eventsInBatch);
    };
    return await interleave(environment.rounds, side(indexed), side(plain));
  },
};
