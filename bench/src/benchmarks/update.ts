import type { Benchmark } from "../benchmark.js";
import { deploymentApplication, deploymentCreation, deploymentReplacement } from "../deployments.js";
import { Writers } from "../load/writers.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { startLoadGenerator } from "../processes/start-children.js";
import { interleave } from "../rounds.js";

/** Deployments that are there to be changed: more than are changed in one round. */
export const changedObjects = 8_000;

/** Measures the cost of changing a large object over creating one: it is compared with its predecessor. */
export const updateLargeBenchmark: Benchmark = {
  name: "update-large",
  what: "update 10 KB Deployments by PUT, HTTP/1.1, 32 connections, durable",
  limit: "create of the same",
  unit: "objects/s",
  wanted: { atLeast: 0.8 },
  async run(environment) {
    await using gatehouse = await startGatehouse(environment);
    await using load = startLoadGenerator();
    const clients = new Writers(environment, gatehouse, load);
    await clients.fill(deploymentCreation(), changedObjects);
    let round = 0;
    return await interleave(
      environment.rounds,
      clients.changing(() => deploymentReplacement(++round)),
      clients.creating(deploymentCreation()),
    );
  },
};

/** Measures the cost of merging an applied object and its owners. */
export const applyBenchmark: Benchmark = {
  name: "apply",
  what: "apply 10 KB Deployments that two managers own, HTTP/1.1, 32 connections, durable",
  limit: "PUT of the same",
  unit: "objects/s",
  wanted: { atLeast: 0.5 },
  async run(environment) {
    await using gatehouse = await startGatehouse(environment);
    await using load = startLoadGenerator();
    const clients = new Writers(environment, gatehouse, load);
    await clients.fill(deploymentCreation(), changedObjects);
    await clients.send(deploymentApplication(0), 200, changedObjects);
    // Every write changes something: it has a number of its own.
    let round = 0;
    return await interleave(
      environment.rounds,
      clients.changing(() => deploymentApplication(++round)),
      clients.changing(() => deploymentReplacement(++round)),
    );
  },
};

/** Measures the cost of detecting unknown and repeated members. */
export const strictBenchmark: Benchmark = {
  name: "create-strict",
  what: "create 10 KB Deployments with strict field validation, HTTP/1.1, 32 connections, durable",
  limit: "the same, unknown fields ignored",
  unit: "objects/s",
  wanted: { atLeast: 0.9 },
  async run(environment) {
    await using gatehouse = await startGatehouse(environment);
    await using load = startLoadGenerator();
    const clients = new Writers(environment, gatehouse, load);
    return await interleave(
      environment.rounds,
      clients.creating(deploymentCreation("Strict")),
      clients.creating(deploymentCreation("Ignore")),
    );
  },
};
