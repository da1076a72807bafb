import { setTimeout as sleep } from "node:timers/promises";
import type { BenchEnvironment } from "../bench-environment.js";
import type { Benchmark, Measurement } from "../benchmark.js";
import { collectionPath } from "../config-maps.js";
import { fill } from "../fill.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { residentBytes } from "../processes/process-usage.js";
import { startLoadGenerator } from "../processes/start-children.js";

/** Idle this long, a process has given back what it will. */
const settleMs = 2000;
const pageSize = 500;

/** Measures the memory of a large cluster's objects. One round: memory is not noisy as time is. */
export const memoryBenchmark: Benchmark = {
  name: "memory",
  what: "resident memory with 100,000 x 1 KB objects, less an empty server's",
  limit: "the objects' JSON bytes",
  unit: "MB",
  wanted: { atMost: 3 },
  async run(environment) {
    const count = environment.quick ? 20_000 : 100_000;
    const dataDirectory = await environment.makeDirectory();
    const { empty, filled, jsonBytes } = await measureFilling(environment, dataDirectory, count);
    const restarted = (await measureRestarted(environment, dataDirectory)) - empty;
    const used = filled - empty;
    return {
      figure: used / 1e6,
      limit: jsonBytes / 1e6,
      ratio: used / jsonBytes,
      notes: [
        `an empty server has ${Math.round(empty / 1e6)} MB`,
        `started again with the same ${count.toLocaleString("en")} objects and listed once: ` +
          `${Math.round(restarted / 1e6)} MB, ratio ${(restarted / jsonBytes).toFixed(2)}`,
      ],
    } satisfies Measurement;
  },
};

/** The process that has taken every object itself, and carries what that leaves behind. */
async function measureFilling(environment: BenchEnvironment, dataDirectory: string, count: number) {
  await using gatehouse = await startGatehouse(environment, dataDirectory);
  await sleep(settleMs);
  const empty = await residentBytes(gatehouse.pid);
  await using load = startLoadGenerator();
  await fill(load, gatehouse, environment.certificates, count);
  const jsonBytes = await readAll(gatehouse.request);
  await sleep(settleMs);
  return { empty, filled: await residentBytes(gatehouse.pid), jsonBytes };
}

async function measureRestarted(environment: BenchEnvironment, dataDirectory: string): Promise<number> {
  await using gatehouse = await startGatehouse(environment, dataDirectory);
  await readAll(gatehouse.request);
  await sleep(settleMs);
  return await residentBytes(gatehouse.pid);
}

/** Lists everything in pages, as clients do, so that the cache is filled. Returns the bytes of the objects. */
async function readAll(request: (method: string, path: string) => Promise<{ readonly body: Buffer }>): Promise<number> {
  let bytes = 0;
  let next = "";
  do {
    const { body } = await request("GET", `${collectionPath}?limit=${pageSize}&continue=${next}`);
    const list = JSON.parse(body.toString()) as { metadata: { continue?: string }; items: unknown[] };
    for (const item of list.items) {
      bytes += Buffer.byteLength(JSON.stringify(item));
    }
    next = encodeURIComponent(list.metadata.continue ?? "");
  } while (next !== "");
  return bytes;
}
