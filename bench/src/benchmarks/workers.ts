import { setTimeout as sleep } from "node:timers/promises";
import type { BenchEnvironment } from "../bench-environment.js";
import type { Benchmark, Measurement } from "../benchmark.js";
import { collectionPath, configMapJson, configMapName } from "../config-maps.js";
import { createRequest } from "../fill.js";
import type { LoadOperations } from "../load/load-generator.js";
import { roundResult } from "../load/round-result.js";
import { Writers } from "../load/writers.js";
import type { Child } from "../processes/child.js";
import { type Gatehouse, startGatehouse } from "../processes/gatehouse.js";
import { privateBytes, residentBytes } from "../processes/process-usage.js";
import { startLoadGenerator } from "../processes/start-children.js";
import { startWorkers } from "../processes/workers.js";
import { interleave } from "../rounds.js";

const connections = 32;

/** The processor time of a get, in all processes of the server, the one that accepts connections too. */
const getOfWorkersBenchmark: Benchmark = {
  name: "get-workers",
  what: "get a 1 KB ConfigMap from 2 workers, HTTP/1.1, 32 connections: processor time of a request",
  limit: "the same with one process",
  unit: "us",
  wanted: { atMost: 1.15 },
  async run(environment) {
    await using two = await startWorkers(environment, 2);
    await using one = await startGatehouse(environment);
    await using load = startLoadGenerator();
    const path = `${collectionPath}/${configMapName(0)}`;
    const side = async (gatehouse: Gatehouse) => {
      await gatehouse.request("POST", collectionPath, configMapJson(configMapName(0)));
      await send(environment, load, gatehouse, path, warmUpRequests);
      return async () => {
        const result = await load.call("run", {
          port: gatehouse.port,
          certificates: environment.certificates,
          protocol: "HTTP/1.1",
          connections,
          streams: 1,
          request: { method: "GET", path },
          firstNumber: 0,
          expectedCode: 200,
          warmupMs: environment.roundMs / 4,
          durationMs: environment.roundMs,
          serverPids: gatehouse.pids,
        });
        const { value, processorMicros = 0, notes = [] } = roundResult(result, result.answers);
        const perSecond = `${gatehouse.pids.length === 1 ? "one process" : "2 workers"}: about ${roundTo(value, 500)} requests/s`;
        return { value: processorMicros, notes: [...notes, perSecond] };
      };
    };
    const [figure, limit] = [await side(two), await side(one)];
    const { notes, ...measured } = await interleave(environment.rounds, figure, limit);
    return { ...measured, notes: notes.slice(0, 4) };
  },
};

/** Every process compiles the code by itself: without this the processor time is that of compilers. */
const warmUpRequests = 40_000;

const warmUpCreates = 10_000;

/** Sends reads of a path over connections to all workers. */
async function send(
  { certificates }: BenchEnvironment,
  load: Child<LoadOperations>,
  { port }: Gatehouse,
  path: string,
  count: number,
): Promise<void> {
  const shape = { protocol: "HTTP/1.1", connections, streams: 1 } as const;
  const request = { method: "GET", path };
  await load.call("send", { port, certificates, ...shape, request, firstNumber: 0, expectedCode: 200, count });
}

function roundTo(value: number, step: number): number {
  return Math.round(value / step) * step;
}

/** Durable writes of two processes, which share the lock of the writer and the flush of the disk. */
const createOfWorkersBenchmark: Benchmark = {
  name: "create-workers",
  what: "create 1 KB ConfigMaps with 2 workers, HTTP/1.1, 32 connections, durable",
  limit: "the same with one process",
  unit: "objects/s",
  wanted: { atLeast: 1.3 },
  async run(environment) {
    await using two = await startWorkers(environment, 2);
    await using one = await startGatehouse(environment);
    await using load = startLoadGenerator();
    const [ofTwo, ofOne] = [new Writers(environment, two, load), new Writers(environment, one, load)];
    for (const clients of [ofTwo, ofOne]) {
      await clients.fill(createRequest(), warmUpCreates);
    }
    return await interleave(environment.rounds, ofTwo.creating(createRequest()), ofOne.creating(createRequest()));
  },
};

/** Idle this long, a process has given back what it will. */
const settleMs = 3000;
const requests = 3000;

/** The memory that a server needs more with one worker more. Pages that all processes of Node share are counted once. */
const memoryOfWorkersBenchmark: Benchmark = {
  name: "memory-workers",
  what: "memory of a third worker: private memory of 3 workers and their parent, less that of 2; after 3,000 reads",
  limit: "resident memory of one process",
  unit: "MB",
  wanted: { atMost: 0.6 },
  async run(environment): Promise<Measurement> {
    await using one = await startGatehouse(environment);
    await use(environment, one);
    const resident = await residentBytes(one.pid);
    const [two, three] = [await memoryOf(environment, 2), await memoryOf(environment, 3)];
    const further = three - two;
    const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
    return {
      figure: further / 1e6,
      limit: resident / 1e6,
      ratio: further / resident,
      notes: [
        `one process: ${megabytes(await privateBytes([one.pid]))} of its own`,
        `2 workers and their parent: ${megabytes(two)}`,
      ],
    };
  },
};

async function memoryOf(environment: BenchEnvironment, count: number): Promise<number> {
  await using workers = await startWorkers(environment, count);
  await use(environment, workers);
  return await privateBytes(workers.pids);
}

/** Reads through connections to all workers: a process that has done nothing yet does not show what it needs. */
async function use(environment: BenchEnvironment, gatehouse: Gatehouse): Promise<void> {
  await using load = startLoadGenerator();
  await send(environment, load, gatehouse, collectionPath, requests);
  await sleep(settleMs);
}

/** Costs and gains of a second worker. */
export const workersBenchmarks: readonly Benchmark[] = [
  getOfWorkersBenchmark,
  createOfWorkersBenchmark,
  memoryOfWorkersBenchmark,
];
