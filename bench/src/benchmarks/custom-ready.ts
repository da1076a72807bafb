import type { Benchmark } from "../benchmark.js";
import { definitionJson, definitionsPath, groupOf, pluralOf } from "../custom-definitions.js";
import { untilServed } from "../processes/api-client.js";
import { type Gatehouse, startGatehouse } from "../processes/gatehouse.js";
import { interleave } from "../rounds.js";

/** Measures the time until a new definition can be used, for which the installation of an operator waits. */
export const customReadyBenchmark: Benchmark = {
  name: "custom-ready",
  what: "a definition with 200 fields created until its first instance is listed",
  limit: "a ConfigMap created and listed",
  unit: "ms",
  async run(environment) {
    await using gatehouse = await startGatehouse(environment);
    let count = 0;
    return await interleave(
      environment.quick ? 5 : 4 * environment.rounds + 1,
      async () => ({ value: await untilListed(gatehouse, count++) }),
      async () => ({ value: await configMapListed(gatehouse, count++) }),
    );
  },
};

async function untilListed(gatehouse: Gatehouse, index: number): Promise<number> {
  const path = `/apis/${groupOf(index)}/v1/namespaces/default/${pluralOf(index)}`;
  const definition = definitionJson(index, 200);
  const begun = performance.now();
  await gatehouse.request("POST", definitionsPath, definition);
  const instance = JSON.stringify({
    apiVersion: `${groupOf(index)}/v1`,
    kind: `Thing${index}`,
    metadata: { name: "first" },
    spec: { field1: 1 },
  });
  await untilServed(gatehouse, path, { method: "POST", body: instance });
  await gatehouse.request("GET", path);
  return performance.now() - begun;
}

async function configMapListed(gatehouse: Gatehouse, index: number): Promise<number> {
  const path = "/api/v1/namespaces/default/configmaps";
  const body = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: `c${index}` } });
  const begun = performance.now();
  await gatehouse.request("POST", path, body);
  await gatehouse.request("GET", `${path}?fieldSelector=metadata.name%3Dc${index}`);
  return performance.now() - begun;
}
