import { defaultAdmissionPlugins } from "@gatehouse/server";
import type { Benchmark } from "../benchmark.js";
import { deploymentCreation } from "../deployments.js";
import { Writers } from "../load/writers.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { startLoadGenerator } from "../processes/start-children.js";
import { interleave } from "../rounds.js";

/** Measures the cost of the admission plugins for a write. */
export const createAdmissionBenchmark: Benchmark = {
  name: "create-admission",
  what: "create 10 KB Deployments with all default admission plugins, HTTP/1.1, 32 connections, durable",
  limit: "the same with none",
  unit: "objects/s",
  wanted: { atLeast: 0.8 },
  async run(environment) {
    await using admitting = await startGatehouse(environment);
    await using bare = await startGatehouse(environment, undefined, [
      `--disable-admission-plugins=${defaultAdmissionPlugins.join(",")}`,
    ]);
    await using load = startLoadGenerator();
    return await interleave(
      environment.rounds,
      new Writers(environment, admitting, load).creating(deploymentCreation()),
      new Writers(environment, bare, load).creating(deploymentCreation()),
    );
  },
};
