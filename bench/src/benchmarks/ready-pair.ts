import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { BenchEnvironment } from "../bench-environment.js";
import type { Benchmark } from "../benchmark.js";
import { startTestPair } from "../processes/test-pair.js";
import { interleave } from "../rounds.js";

const gatehouse = fileURLToPath(new URL("../bundle/gatehouse.js", import.meta.resolve("@gatehouse/deploy")));

/** A process that lives so long, in milliseconds, keeps its compiled code for later ones. */
const settledMs = 4000;

/** Starts of one round of a suite. */
const startsOfSuite = 10;

/** Measures how long a test waits for the pair of `gatehouse envtest install`, beside kube-apiserver and etcd (`--peer-pair`). */
export const readyPairBenchmark: Benchmark = {
  name: "ready-pair",
  what: "etcd and kube-apiserver of `gatehouse envtest install`, asked every 100 ms as envtest does: from the start to healthy",
  limit: "kube-apiserver and etcd themselves",
  unit: "ms",
  wanted: { atMost: 0.1 },
  needs: "peerPair",
  run: (environment) => besidePeer(environment, (binaries) => startTestPair(environment, binaries)),
};

/** Measures how long a suite takes whose tests start the pair, and end it, one after the other, beside kube-apiserver and etcd. */
export const pairSuiteBenchmark: Benchmark = {
  name: "pair-suite",
  what: `${startsOfSuite} starts and ends of the pair of \`gatehouse envtest install\`, one after the other, as the tests of a suite do`,
  limit: "the same of kube-apiserver and etcd",
  unit: "ms",
  wanted: { atMost: 0.2 },
  needs: "peerPair",
  run: (environment) =>
    besidePeer(environment, async (binaries) => {
      const startedAt = performance.now();
      for (let started = 0; started < startsOfSuite; started++) {
        await startTestPair(environment, binaries);
      }
      return performance.now() - startedAt;
    }),
};

/**
 * Measures milliseconds with the installed pair and with the other one, in turns. Each is started once before: later starts find
 * compiled code and files in memory.
 */
async function besidePeer(
  environment: BenchEnvironment,
  measure: (binaries: string) => Promise<number>,
): ReturnType<Benchmark["run"]> {
  const peer = environment.peerPair;
  if (peer === undefined) {
    throw new Error("there is no other pair to compare with: --peer-pair names its folder");
  }
  const ours = await environment.makeDirectory();
  await promisify(execFile)(process.execPath, [gatehouse, "envtest", "install", ours]);
  await startTestPair(environment, ours, settledMs);
  await startTestPair(environment, peer);
  const of = (binaries: string) => async () => ({ value: await measure(binaries) });
  return await interleave(environment.rounds, of(ours), of(peer));
}
