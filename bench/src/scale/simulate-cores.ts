#!/usr/bin/env node
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { defineFlags, type FlagValues } from "@gatehouse/component-base/flags";
import type { BenchEnvironment } from "../bench-environment.js";
import { createRequest } from "../fill.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { processorSeconds } from "../processes/process-usage.js";
import { startLoadGenerator } from "../processes/start-children.js";
import { startWorkers } from "../processes/workers.js";
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
  "warm-up": {
    type: "int",
    min: 1,
    default: 2000,
    group: "Simulation",
    help: "`number` of requests by which each worker has compiled what it needs.",
  },
  seconds: { type: "int", min: 1, default: 20, group: "Simulation", help: "`seconds` of each measurement." },
});

/** Connections that send what workers compile their code by. */
const warmUpConnections = 64;

/**
 * Yields how many creates N workers on one data directory take when each has a core of its own, on a machine that has fewer.
 * The main thread of each process is slowed down (slow-down.cjs), a flush takes as much longer (slow-flush.c), and what is counted
 * in a second is multiplied by the factor: everything takes its course in slow motion. As many times slower as there are
 * workers, all of them together need one core, and the load generator has the other. Needs cc; by hand, for docs/scale.md.
 */
async function* rows(environment: BenchEnvironment, values: FlagValues<typeof flags>): AsyncGenerator<Row> {
  const folder = await environment.makeDirectory();
  const flushFile = join(folder, "flush-micros");
  process.env["LD_PRELOAD"] = compileSlowFlush(folder);
  process.env["GATEHOUSE_FLUSH_FILE"] = flushFile;
  process.env["NODE_OPTIONS"] = `--require=${sourceFile("slow-down.cjs")}`;
  for (const [index, workers] of numbersOf(values.workers, [1, 2, 4, 8, 16, 32, 64]).entries()) {
    const slowdown = Number(values.slowdowns[index] ?? workers);
    process.env["GATEHOUSE_SLOWDOWN"] = String(slowdown);
    const flush = (factor: number): void => writeFileSync(flushFile, String(values["flush-micros"] * factor));
    flush(0);
    yield await simulate(environment, workers, slowdown, values, () => flush(slowdown));
  }
}

/** Compiles what takes the place of flushes, into a folder. Returns its path, for LD_PRELOAD. */
function compileSlowFlush(folder: string): string {
  const library = join(folder, "slow-flush.so");
  execFileSync("cc", ["-shared", "-fPIC", "-O2", "-o", library, sourceFile("slow-flush.c")], { stdio: "inherit" });
  return library;
}

function sourceFile(name: string): string {
  return fileURLToPath(new URL(`../../src/scale/${name}`, import.meta.url));
}

async function simulate(
  environment: BenchEnvironment,
  workers: number,
  slowdown: number,
  { writers, seconds, "warm-up": warmUpPerWorker }: FlagValues<typeof flags>,
  slowFlushes: () => void,
): Promise<Row> {
  await using server = await (workers === 1 ? startGatehouse(environment) : startWorkers(environment, workers));
  await using load = startLoadGenerator();
  const { port, certificates, pids } = server;
  const request = createRequest();
  const shape = { port, certificates, protocol: "HTTP/1.1", streams: 1, request, expectedCode: 201 } as const;
  const warmUp = warmUpPerWorker * workers;
  await load.call("send", { ...shape, connections: warmUpConnections, firstNumber: 0, count: warmUp });
  await load.call("begin", { ...shape, connections: writers, firstNumber: warmUp });
  slowFlushes();
  for (const pid of pids) {
    process.kill(pid, "SIGUSR2");
  }
  await sleep((seconds * 1000) / 4);
  const [before, processorBefore] = [await load.call("answered", undefined), await processorSeconds(pids)];
  const startedAt = performance.now();
  await sleep(seconds * 1000);
  const answers = (await load.call("answered", undefined)) - before;
  const elapsed = (performance.now() - startedAt) / 1000;
  const processor = (await processorSeconds(pids)) - processorBefore;
  return {
    workers,
    slowdown,
    "creates/s": Math.round((answers / elapsed) * slowdown),
    "us of processor time": Math.round((processor / answers) * 1e6),
    "share of its core": Math.round((processor / elapsed / workers) * slowdown * 100) / 100,
  };
}

await runMeasurement(flags, "Simulates workers with a core each.", rows);
