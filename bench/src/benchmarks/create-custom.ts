import type { Benchmark } from "../benchmark.js";
import { definitionsPath } from "../custom-definitions.js";
import { widgetDefinition, widgetRequest, widgetsPath } from "../custom-objects.js";
import { deploymentCreation } from "../deployments.js";
import { Writers } from "../load/writers.js";
import { untilServed } from "../processes/api-client.js";
import { startGatehouse } from "../processes/gatehouse.js";
import { startLoadGenerator } from "../processes/start-children.js";
import { interleave } from "../rounds.js";

/** Measures the cost of a schema that is known only at run time. */
export const createCustomBenchmark: Benchmark = {
  name: "create-custom",
  what: "create 10 KB objects of a custom kind with 200 fields, HTTP/1.1, 32 connections, durable",
  limit: "create Deployments of 10 KB",
  unit: "objects/s",
  wanted: { atLeast: 0.8 },
  async run(environment) {
    await using gatehouse = await startGatehouse(environment);
    await using load = startLoadGenerator();
    await gatehouse.request("POST", definitionsPath, JSON.stringify(widgetDefinition()));
    await untilServed(gatehouse, widgetsPath);
    const clients = new Writers(environment, gatehouse, load);
    return await interleave(
      environment.rounds,
      clients.creating(widgetRequest()),
      clients.creating(deploymentCreation()),
    );
  },
};
