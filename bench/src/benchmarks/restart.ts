import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BenchEnvironment } from "../bench-environment.js";
import type { Benchmark } from "../benchmark.js";
import { collectionPath } from "../config-maps.js";
import { fill } from "../fill.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { startLoadGenerator } from "../processes/start-children.js";
import { interleave, type RoundResult } from "../rounds.js";

/** Measures the time from a restart to the first list of a large cluster's clients. */
export const restartBenchmark: Benchmark = {
  name: "restart",
  what: "100,000 x 1 KB objects stored: process start to the first full list received",
  limit: "reading the store's files",
  unit: "ms",
  async run(environment) {
    const directory = await environment.makeDirectory();
    {
      await using gatehouse = await startGatehouse(environment, directory);
      await using load = startLoadGenerator();
      await fill(load, gatehouse, environment.certificates, environment.quick ? 20_000 : 100_000);
    }
    return await interleave(
      environment.quick ? 2 : environment.rounds,
      () => startAndList(environment, directory),
      () => readFiles(directory),
    );
  },
};

async function startAndList(environment: BenchEnvironment, directory: string): Promise<RoundResult> {
  await using gatehouse = await startGatehouse(environment, directory);
  await gatehouse.request("GET", collectionPath);
  return { value: performance.now() - gatehouse.startedAt };
}

async function readFiles(directory: string): Promise<RoundResult> {
  const startedAt = performance.now();
  for (const file of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (file.isFile()) {
      await readFile(join(file.path, file.name));
    }
  }
  return { value: performance.now() - startedAt };
}
