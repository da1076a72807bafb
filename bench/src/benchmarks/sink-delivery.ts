import { request } from "node:https";
import { join } from "node:path";
import { eventListJson, eventsInBatch } from "../audit-events.js";
import type { BenchEnvironment } from "../bench-environment.js";
import type { Benchmark } from "../benchmark.js";
import { startAuditSink } from "../processes/audit-sink.js";
import { readClientTls } from "../processes/client-tls.js";
import { processorSeconds } from "../processes/process-usage.js";
import { startLoadGenerator } from "../processes/start-children.js";

/** Wanted rate of a sink on any machine, in events per second; not measured. */
const wantedPerSecond = 20_000;
const batchesAtATime = 50;
/** Events that the output may be behind before more are sent: about a second's worth. */
const maxBehind = 40_000;
const pollMs = 50;

/** Measures the rate that a sink sustains: it must not take in for long what it cannot deliver. */
export const sinkDeliveryBenchmark: Benchmark = {
  name: "sink-delivery",
  what: `audit sink: events of 1 KB taken in and delivered to a rotating, packed file, for --sink-seconds`,
  limit: "the rate that is wanted of it",
  unit: "events/s",
  wanted: { atLeast: 1 },
  async run(environment) {
    const path = join(await environment.makeDirectory(), "audit.log");
    const output = { file: { path, maxBytes: "100Mi", maxFiles: 3 } };
    await using sink = await startAuditSink(environment, [{ name: "file", output }]);
    await using load = startLoadGenerator();
    const body = eventListJson();
    const processorBefore = await processorSeconds([sink.pid]);
    const startedAt = performance.now();
    const durationMs = environment.sinkSeconds * 1000;
    let firstNumber = 0;
    let largest = 0;
    const behind = async (): Promise<number> => {
      const { position, end } = await positionsOf(environment, sink.port);
      largest = Math.max(largest, end - position);
      return end - position;
    };
    while (performance.now() - startedAt < durationMs) {
      await load.call("send", {
        port: sink.port,
        certificates: environment.certificates,
        protocol: "HTTP/1.1",
        connections: 8,
        streams: 1,
        request: { method: "POST", path: "/audit", body },
        firstNumber,
        expectedCode: 200,
        count: batchesAtATime,
      });
      firstNumber += batchesAtATime;
      while ((await behind()) > maxBehind) {
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
    }
    while ((await behind()) > 0) {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    const seconds = (performance.now() - startedAt) / 1000;
    const events = firstNumber * eventsInBatch;
    const micros = ((await processorSeconds([sink.pid])) - processorBefore) * (1e6 / events);
    const figure = events / seconds;
    return {
      figure,
      limit: wantedPerSecond,
      ratio: figure / wantedPerSecond,
      notes: [
        `${events} events in ${seconds.toFixed(1)} s; the output was at most ${largest} behind`,
        `processor time for one, in microseconds: ${micros.toFixed(1)}`,
      ],
    };
  },
};

/** Returns the positions of the log's end and of the pipeline, from the metrics of the sink. */
function positionsOf(
  { certificates }: BenchEnvironment,
  port: number,
): Promise<{ readonly position: number; readonly end: number }> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path: "/metrics", agent: false, ...readClientTls(certificates) };
    const sent = request(options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      response.on("end", () => {
        const position = /^gatehouse_audit_sink_pipeline_position\{pipeline="file"\} (\d+)$/m.exec(text)?.[1];
        const end = /^gatehouse_audit_sink_log_end_position (\d+)$/m.exec(text)?.[1];
        resolve({ position: Number(position ?? 0), end: Number(end ?? 0) });
      });
    });
    sent.on("error", reject);
    sent.end();
  });
}
