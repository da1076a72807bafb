import type { Benchmark } from "../benchmark.js";
import { createBenchmark } from "./create.js";
import { getBenchmark } from "./get.js";
import { listBenchmark } from "./list.js";
import { memoryBenchmark } from "./memory.js";
import { startUpBenchmark } from "./start-up.js";
import { watchBenchmark } from "./watch.js";

/** Every benchmark, in the order of the report. */
export const benchmarks: readonly Benchmark[] = [
  getBenchmark,
  listBenchmark,
  createBenchmark,
  watchBenchmark,
  startUpBenchmark,
  memoryBenchmark,
];
