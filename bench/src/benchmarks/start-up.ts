import type { Benchmark } from "../benchmark.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { startNode } from "../processes/start-node.js";
import { interleave } from "../rounds.js";

/** Measures the time from process start to readiness, for which tests and restarts wait. */
export const startUpBenchmark: Benchmark = {
  name: "start-up",
  what: "process start to /readyz, empty store",
  limit: "node -e 0",
  unit: "ms",
  wanted: { atMost: 5 },
  async run(environment) {
    // Once before measuring, so that the files are in the page cache for all rounds alike.
    await startOnce();
    await startNode();
    return await interleave(environment.quick ? 3 : 2 * environment.rounds + 1, startOnce, startNode);

    async function startOnce() {
      await using gatehouse = await startGatehouse(environment);
      return { value: gatehouse.readyAfterMs };
    }
  },
};
