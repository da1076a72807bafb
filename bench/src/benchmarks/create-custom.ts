import type { Benchmark } from "../benchmark.js";
import { deploymentRequest, widgetDefinition, widgetRequest } from "../custom-objects.js";
import type { LoadRequest } from "../load/load-request.js";
import { roundResult } from "../load/round-result.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { startLoadGenerator } from "../processes/start-children.js";
import { interleave } from "../rounds.js";

const writers = 32;

/** What a schema costs that is known only when it is there. */
export const createCustomBenchmark: Benchmark = {
  name: "create-custom",
  what: "create 10 KB objects of a custom kind with 200 fields, HTTP/1.1, 32 connections, durable",
  limit: "create Deployments of 10 KB",
  unit: "objects/s",
  wanted: { atLeast: 0.8 },
  async run(environment) {
    const { certificates, roundMs } = environment;
    await using gatehouse = await startGatehouse(environment);
    await using load = startLoadGenerator();
    await gatehouse.request(
      "POST",
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      JSON.stringify(widgetDefinition()),
    );
    let nextNumber = 0;
    const create = (request: LoadRequest) => async () => {
      const result = await load.call("run", {
        port: gatehouse.port,
        certificates,
        protocol: "HTTP/1.1",
        connections: writers,
        streams: 1,
        request,
        firstNumber: nextNumber,
        expectedCode: 201,
        warmupMs: roundMs / 4,
        durationMs: roundMs,
        serverPid: gatehouse.pid,
      });
      nextNumber = result.nextNumber;
      return roundResult(result, result.answers);
    };
    // Two seconds are plenty for the definition to be served.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    return await interleave(environment.rounds, create(widgetRequest()), create(deploymentRequest()));
  },
};
