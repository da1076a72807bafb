import type { BenchEnvironment } from "../bench-environment.js";
import type { Benchmark } from "../benchmark.js";
import { deploymentJson, deploymentName, deploymentsPath } from "../deployments.js";
import type { LoadOperations } from "../load/load-generator.js";
import type { LoadRequest } from "../load/load-request.js";
import { roundResult } from "../load/round-result.js";
import type { Child } from "../processes/child.js";
import { type Gatehouse, startGatehouse } from "../processes/gatehouse.js";
import { startLoadGenerator } from "../processes/start-children.js";
import { interleave, type Round } from "../rounds.js";

const writers = 32;
/** More than are changed in one round. */
const objects = 8_000;

/** What a change of a large object costs beside making one: it is compared with what there was. */
export const updateLargeBenchmark: Benchmark = {
  name: "update-large",
  what: "update 10 KB Deployments by PUT, HTTP/1.1, 32 connections, durable",
  limit: "create of the same",
  unit: "objects/s",
  wanted: { atLeast: 0.8 },
  async run(environment) {
    await using gatehouse = await startGatehouse(environment);
    await using load = startLoadGenerator();
    const fleet = new Fleet(environment, gatehouse, load);
    await fleet.fill();
    return await interleave(environment.rounds, fleet.updates(), fleet.creations());
  },
};

/** What it costs to merge what is applied, and to tell who owns it. */
export const applyBenchmark: Benchmark = {
  name: "apply",
  what: "apply 10 KB Deployments that two managers own, HTTP/1.1, 32 connections, durable",
  limit: "PUT of the same",
  unit: "objects/s",
  wanted: { atLeast: 0.5 },
  async run(environment) {
    await using gatehouse = await startGatehouse(environment);
    await using load = startLoadGenerator();
    const fleet = new Fleet(environment, gatehouse, load);
    await fleet.fill();
    await fleet.adopt();
    return await interleave(environment.rounds, fleet.applications(), fleet.updates());
  },
};

/** What it costs to look for unknown and repeated members. */
export const strictBenchmark: Benchmark = {
  name: "create-strict",
  what: "create 10 KB Deployments with strict field validation, HTTP/1.1, 32 connections, durable",
  limit: "the same, unknown fields ignored",
  unit: "objects/s",
  wanted: { atLeast: 0.9 },
  async run(environment) {
    await using gatehouse = await startGatehouse(environment);
    await using load = startLoadGenerator();
    const fleet = new Fleet(environment, gatehouse, load);
    return await interleave(environment.rounds, fleet.creations("Strict"), fleet.creations("Ignore"));
  },
};

/** Deployments by number, and loads that work on them. Every write changes something: it has a number of its own. */
class Fleet {
  readonly #environment: BenchEnvironment;
  readonly #gatehouse: Gatehouse;
  readonly #load: Child<LoadOperations>;
  #round = 0;
  #created = objects;

  constructor(environment: BenchEnvironment, gatehouse: Gatehouse, load: Child<LoadOperations>) {
    this.#environment = environment;
    this.#gatehouse = gatehouse;
    this.#load = load;
  }

  /** Creates them. */
  fill(): Promise<void> {
    return this.#send(creation(), 201);
  }

  /** Makes a second manager an owner of each. */
  adopt(): Promise<void> {
    return this.#send(application(this.#round), 200);
  }

  creations(fieldValidation = "Warn"): Round {
    return async () => {
      const result = await this.#run(creation(fieldValidation), 201, this.#created);
      this.#created = result.nextNumber;
      return roundResult(result, result.answers);
    };
  }

  updates(): Round {
    return async () => {
      const result = await this.#run(replacement(++this.#round), 200, 0);
      return roundResult(result, result.answers);
    };
  }

  applications(): Round {
    return async () => {
      const result = await this.#run(application(++this.#round), 200, 0);
      return roundResult(result, result.answers);
    };
  }

  get #target() {
    const { port } = this.#gatehouse;
    const { certificates } = this.#environment;
    return { port, certificates, protocol: "HTTP/1.1", connections: writers, streams: 1 } as const;
  }

  #send(request: LoadRequest, expectedCode: number): Promise<void> {
    return this.#load.call("send", { ...this.#target, request, firstNumber: 0, expectedCode, count: objects });
  }

  #run(request: LoadRequest, expectedCode: number, firstNumber: number) {
    const { roundMs } = this.#environment;
    const time = { warmupMs: roundMs / 4, durationMs: roundMs, serverPid: this.#gatehouse.pid };
    return this.#load.call("run", { ...this.#target, ...time, request, firstNumber, expectedCode });
  }
}

function creation(fieldValidation = "Warn"): LoadRequest {
  const path = `${deploymentsPath}?fieldManager=creator&fieldValidation=${fieldValidation}`;
  return { method: "POST", path, body: deploymentJson(deploymentName, 0) };
}

function replacement(round: number): LoadRequest {
  const path = `${deploymentsPath}/${deploymentName}?fieldManager=creator`;
  return { method: "PUT", path, body: deploymentJson(deploymentName, round) };
}

function application(round: number): LoadRequest {
  return {
    method: "PATCH",
    path: `${deploymentsPath}/${deploymentName}?fieldManager=applier&force=true`,
    contentType: "application/apply-patch+yaml",
    body: deploymentJson(deploymentName, round),
  };
}
