import { setTimeout as sleep } from "node:timers/promises";
import type { Benchmark } from "../benchmark.js";
import { definitionJson, definitionsPath, groupOf, pluralOf } from "../custom-definitions.js";
import { untilServed } from "../processes/api-client.js";
import { type Gatehouse, startGatehouse } from "../processes/gatehouse.js";
import { residentBytes } from "../processes/process-usage.js";
import { median } from "../rounds.js";

const settleMs = 2000;
const atATime = 16;
const fields = 200;

/** Measures the memory of a cluster with very many operators. One round: memory is not noisy as time is. */
export const definitionsBenchmark: Benchmark = {
  name: "definitions",
  what: "resident memory of a definition with 200 fields, of 1,000",
  limit: "1 MB",
  unit: "MB",
  wanted: { atMost: 1 },
  async run(environment) {
    const count = environment.quick ? 200 : 1000;
    const dataDirectory = await environment.makeDirectory();
    let empty = 0;
    const notes: string[] = [];
    {
      await using gatehouse = await startGatehouse(environment, dataDirectory);
      await sleep(settleMs);
      empty = await residentBytes(gatehouse.pid);
      const before = await latencies(gatehouse, "before");
      const first = await firstAndLast(gatehouse, count);
      const after = await latencies(gatehouse, "after");
      await sleep(settleMs);
      notes.push(
        `get of a ConfigMap ${ratio(after.get, before.get)}, create ${ratio(after.create, before.create)}`,
        `create of a definition: ${first.first.toFixed(1)} ms at first, ${first.last.toFixed(1)} ms at last`,
        `as they were made: ${perOne(await residentBytes(gatehouse.pid), empty, count)} MB each`,
      );
      await useAll(gatehouse, count);
      await sleep(settleMs);
      notes.push(`each used once: ${perOne(await residentBytes(gatehouse.pid), empty, count)} MB each`);
      await gatehouse.request("GET", "/openapi/v3");
      await sleep(settleMs);
      notes.push(`OpenAPI v3 of all asked for: ${perOne(await residentBytes(gatehouse.pid), empty, count)} MB each`);
    }
    await using restarted = await startGatehouse(environment, dataDirectory);
    notes.push(`started again in ${Math.round(restarted.readyAfterMs)} ms`);
    await useAll(restarted, count);
    await sleep(settleMs);
    const figure = Number(perOne(await residentBytes(restarted.pid), empty, count));
    return { figure, limit: 1, ratio: figure, notes: [...notes, "figure: after a restart, each used once"] };
  },
};

/** Makes them; milliseconds of the first and of the last fifty. */
async function firstAndLast(gatehouse: Gatehouse, count: number): Promise<{ first: number; last: number }> {
  const times: number[] = [];
  for (let index = 0; index < count; index += atATime) {
    const batch = Array.from({ length: Math.min(atATime, count - index) }, (_, offset) => index + offset);
    await Promise.all(
      batch.map(async (number) => {
        const begun = performance.now();
        await gatehouse.request("POST", definitionsPath, definitionJson(number, fields));
        times[number] = performance.now() - begun;
      }),
    );
  }
  await untilServed(gatehouse, `/apis/${groupOf(count - 1)}/v1/${pluralOf(count - 1)}`);
  return { first: median(times.slice(0, 50)), last: median(times.slice(-50)) };
}

/** An instance of each, so that every schema is compiled. */
async function useAll(gatehouse: Gatehouse, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const path = `/apis/${groupOf(index)}/v1/namespaces/default/${pluralOf(index)}`;
    const body = JSON.stringify({
      apiVersion: `${groupOf(index)}/v1`,
      kind: `Thing${index}`,
      metadata: { generateName: "used-" },
      spec: { field1: 1 },
    });
    await gatehouse.request("POST", path, body);
    await gatehouse.request("GET", path);
  }
}

interface Latencies {
  readonly get: number;
  readonly create: number;
}

/** Medians in milliseconds, one request after the other. */
async function latencies(gatehouse: Gatehouse, name: string): Promise<Latencies> {
  const path = "/api/v1/namespaces/default/configmaps";
  const get: number[] = [];
  const create: number[] = [];
  for (let index = 0; index < 600; index++) {
    const body = JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: `${name}-${index}` } });
    const begun = performance.now();
    await gatehouse.request("POST", path, body);
    const created = performance.now();
    await gatehouse.request("GET", `${path}/${name}-${index}`);
    create.push(created - begun);
    get.push(performance.now() - created);
  }
  return { get: median(get.slice(100)), create: median(create.slice(100)) };
}

function ratio(after: number, before: number): string {
  return `${after.toFixed(2)} ms against ${before.toFixed(2)} ms before (${(after / before).toFixed(2)})`;
}

function perOne(bytes: number, empty: number, count: number): string {
  return ((bytes - empty) / count / 1e6).toFixed(3);
}
