import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Benchmark } from "../benchmark.js";
import { startTestPair } from "../processes/test-pair.js";
import { interleave } from "../rounds.js";

const gatehouse = fileURLToPath(new URL("../bundle/gatehouse.js", import.meta.resolve("@gatehouse/deploy")));

/** A process that lives so long, in milliseconds, keeps its compiled code for later ones. */
const settledMs = 4000;

/** Measures how long a test waits for the pair of `gatehouse envtest install`, beside kube-apiserver and etcd (`--peer-pair`). */
export const readyPairBenchmark: Benchmark = {
  name: "ready-pair",
  what: "etcd and kube-apiserver of `gatehouse envtest install`, asked every 100 ms as envtest does: from the start to healthy",
  limit: "kube-apiserver and etcd themselves",
  unit: "ms",
  wanted: { atMost: 0.1 },
  needs: "peerPair",
  async run(environment) {
    const peer = environment.peerPair;
    if (peer === undefined) {
      throw new Error("there is no other pair to compare with: --peer-pair names its folder");
    }
    const ours = await environment.makeDirectory();
    await promisify(execFile)(process.execPath, [gatehouse, "envtest", "install", ours]);
    const of = (binaries: string) => async () => ({ value: await startTestPair(environment, binaries) });
    await startTestPair(environment, ours, settledMs);
    await startTestPair(environment, peer);
    return await interleave(environment.rounds, of(ours), of(peer));
  },
};
