import { startControlPlane } from "@gatehouse/testing";
import type { BenchEnvironment } from "../bench-environment.js";
import type { Benchmark, Measurement } from "../benchmark.js";
import { startNode } from "../processes/start-node.js";
import { interleave, type RoundResult } from "../rounds.js";

/** Measures the time from a call in a test to a control plane that is ready for pods, and ten of them side by side. */
export const testKitBenchmarks: readonly Benchmark[] = [
  {
    name: "test-kit",
    what: "`startControlPlane()` in the process of the tests, new certificates, roles of every cluster",
    limit: "node -e 0",
    unit: "ms",
    run: (environment) => measure(environment, 1),
  },
  {
    name: "test-kit-ten",
    what: "ten `startControlPlane()` side by side in one process",
    limit: "node -e 0",
    unit: "ms",
    run: (environment) => measure(environment, 10),
  },
];

async function measure({ quick, rounds }: BenchEnvironment, count: number): Promise<Measurement> {
  // The first one loads the server.
  const first = await startAndStop(1);
  const measurement = await interleave(quick ? 3 : 2 * rounds + 1, () => startAndStop(count), startNode);
  return {
    ...measurement,
    notes: [...measurement.notes, `the first of the process took ${Math.round(first.value)} ms`],
  };
}

async function startAndStop(count: number): Promise<RoundResult> {
  const startedAt = performance.now();
  const clusters = await Promise.all(Array.from({ length: count }, () => startControlPlane()));
  const value = performance.now() - startedAt;
  await Promise.all(clusters.map((cluster) => cluster.stop()));
  return { value };
}
