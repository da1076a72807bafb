#!/usr/bin/env node
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineFlags, type FlagValues } from "@gatehouse/component-base/flags";
import type { BenchEnvironment } from "../bench-environment.js";
import { createRequest } from "../fill.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { startLoadGenerator } from "../processes/start-children.js";
import { startWorkers } from "../processes/workers.js";
import { shareProcessor } from "./processor-share.js";
import { numbersOf, type Row, runMeasurement } from "./run-measurement.js";

const flags = defineFlags({
  workers: { type: "stringList", group: "Simulation", help: "`numbers` of workers. Default 1,2,4,8,16,32,64." },
  slowdowns: {
    type: "stringList",
    group: "Simulation",
    help: "`factors` by which each of them is slowed down. Default: the number of workers.",
  },
  writers: { type: "int", min: 1, default: 1000, group: "Simulation", help: "`number` of connections that write." },
  "flush-micros": { type: "int", min: 0, default: 900, group: "Simulation", help: "`microseconds` of a flush." },
  seconds: { type: "int", min: 1, default: 20, group: "Simulation", help: "`seconds` of each measurement." },
});

/** Requests by which a worker has compiled what it needs, and the connections that send them. */
const warmUpPerWorker = 2000;
const warmUpConnections = 64;

interface Load {
  readonly connections: number;
  readonly durationMs: number;
}

/**
 * Prints how many creates N workers on one data directory take when each has a core of its own, on a machine that has fewer.
 * Each process gets 1/slowdown of a core, a flush takes `slowdown` times as long (slow-flush.c), and what is counted in a second is
 * multiplied by it: everything takes its course in slow motion. As many times slower as there are workers, all of them
 * together need one core, and the load generator has the other. Needs root, cc and control groups; by hand, for
 * docs/scale.md.
 */
async function* rows(environment: BenchEnvironment, values: FlagValues<typeof flags>): AsyncGenerator<Row> {
  const load = { connections: values.writers, durationMs: values.seconds * 1000 };
  process.env["LD_PRELOAD"] = compileSlowFlush(await environment.makeDirectory());
  for (const [index, workers] of numbersOf(values.workers, [1, 2, 4, 8, 16, 32, 64]).entries()) {
    const slowdown = Number(values.slowdowns[index] ?? workers);
    process.env["GATEHOUSE_FLUSH_MICROS"] = String(values["flush-micros"] * slowdown);
    yield await simulate(environment, workers, slowdown, load);
  }
}

/** Compiles what takes the place of flushes, into a folder. Returns its path, for LD_PRELOAD. */
function compileSlowFlush(folder: string): string {
  const library = join(folder, "slow-flush.so");
  const source = fileURLToPath(new URL("../../src/scale/slow-flush.c", import.meta.url));
  execFileSync("cc", ["-shared", "-fPIC", "-O2", "-o", library, source], { stdio: "inherit" });
  return library;
}

async function simulate(
  environment: BenchEnvironment,
  workers: number,
  slowdown: number,
  { connections, durationMs }: Load,
): Promise<Row> {
  await using server = await (workers === 1 ? startGatehouse(environment) : startWorkers(environment, workers));
  await using load = startLoadGenerator();
  const { port, certificates, pids } = server;
  const request = createRequest();
  const shape = { port, certificates, protocol: "HTTP/1.1", streams: 1, request, expectedCode: 201 } as const;
  const warmUp = warmUpPerWorker * workers;
  await load.call("send", { ...shape, connections: warmUpConnections, firstNumber: 0, count: warmUp });
  using _ = shareProcessor(pids, slowdown);
  const time = { warmupMs: durationMs / 4, durationMs, serverPids: pids };
  const result = await load.call("run", { ...shape, ...time, connections, firstNumber: warmUp });
  const { answers, seconds, serverProcessorSeconds, busy } = result;
  return {
    workers,
    slowdown,
    "creates/s": Math.round((answers / seconds) * slowdown),
    "us of processor time": Math.round((serverProcessorSeconds / answers) * 1e6),
    "share of its core": roundTo2((serverProcessorSeconds / seconds / workers) * slowdown),
    "load generator": roundTo2(busy),
  };
}

function roundTo2(value: number): number {
  return Math.round(value * 100) / 100;
}

await runMeasurement(flags, "Simulates workers with a core each.", rows);
