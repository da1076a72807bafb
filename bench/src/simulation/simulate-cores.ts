#!/usr/bin/env node
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineFlags, formatHelp, parseFlags } from "@gatehouse/component-base/flags";
import { formatProblems } from "@gatehouse/component-base/problems";
import { type BenchEnvironment, openBenchEnvironment } from "../bench-environment.js";
import { createRequest } from "../fill.js";
import { describeMachine } from "../machine.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { startLoadGenerator } from "../processes/start-children.js";
import { startWorkers } from "../processes/workers.js";
import { environmentOptions, numbersOf } from "./options.js";
import { shareProcessor } from "./processor-share.js";

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

/** A row of the table. Rates are those of simulated time. */
interface Row {
  readonly workers: number;
  readonly slowdown: number;
  readonly "creates/s": number;
  readonly "us of processor time": number;
  readonly "share of its core": number;
  readonly "load generator": number;
}

/**
 * Prints how many creates N workers on one data directory take when each has a core of its own, on a machine that has fewer.
 * Each process gets 1/slowdown of a core, a flush takes `slowdown` times as long (slow-flush.c), and what is counted in a second is
 * multiplied by it: everything takes its course in slow motion. As many times slower as there are workers, all of them
 * together need one core, and the load generator has the other. Needs root, cc and control groups; by hand, for
 * docs/scale.md.
 */
async function main(argv: readonly string[]): Promise<void> {
  const parsed = parseFlags(flags, argv);
  if (parsed.outcome === "invalid") {
    process.stderr.write(formatProblems(parsed.problems));
    process.exitCode = 1;
    return;
  }
  if (parsed.outcome !== "run") {
    const command = "node bench/dist/simulation/simulate-cores.js";
    process.stdout.write(formatHelp(flags, { command, summary: "Simulates workers with a core each." }));
    return;
  }
  const { writers: connections, seconds, slowdowns } = parsed.values;
  process.stdout.write(`${describeMachine()}\n`);
  await using environment = await openBenchEnvironment(environmentOptions);
  process.env["LD_PRELOAD"] = compileSlowFlush(await environment.makeDirectory());
  const rows: Row[] = [];
  for (const [index, workers] of numbersOf(parsed.values.workers, [1, 2, 4, 8, 16, 32, 64]).entries()) {
    const slowdown = Number(slowdowns[index] ?? workers);
    process.env["GATEHOUSE_FLUSH_MICROS"] = String(parsed.values["flush-micros"] * slowdown);
    rows.push(await simulate(environment, workers, slowdown, { connections, durationMs: seconds * 1000 }));
    process.stdout.write(`${JSON.stringify(rows.at(-1))}\n`);
  }
  console.table(rows);
}

/** Compiles what takes the place of flushes, into a folder. Returns its path, for LD_PRELOAD. */
function compileSlowFlush(folder: string): string {
  const library = join(folder, "slow-flush.so");
  const source = fileURLToPath(new URL("../../src/simulation/slow-flush.c", import.meta.url));
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

await main(process.argv.slice(2));
