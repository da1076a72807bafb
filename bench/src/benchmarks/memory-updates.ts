import { setTimeout as sleep } from "node:timers/promises";
import type { Benchmark, Measurement } from "../benchmark.js";
import { benchNamespace, collectionPath } from "../config-maps.js";
import { type Gatehouse, startGatehouse } from "../processes/gatehouse.js";
import { residentBytes } from "../processes/process-usage.js";

/** Idle this long, a process has given back what it will. */
const settleMs = 3000;
const coldBytes = 5000;
/** Few updates of the hot one fill a slab of the cache; were it larger, it would have memory of its own. */
const hotBytes = 60_000;
const hotUpdates = 4;

/**
 * Objects that change once, each followed by several changes of one that is always changing: what is kept of the many
 * lies between what is no longer needed of the one. One round: memory is not noisy as time is.
 */
export const memoryUpdatesBenchmark: Benchmark = {
  name: "memory-updates",
  what: "resident memory of 2,000 x 5 KB objects, each updated beside 4 updates of a hot one of 60 KB",
  limit: "the bytes of the objects",
  unit: "MB",
  // Slabs that such objects keep would make it more than 50. Recent events have 16 MiB, and the store's pages 32.
  wanted: { atMost: 20 },
  async run(environment): Promise<Measurement> {
    const count = environment.quick ? 500 : 2000;
    await using gatehouse = await startGatehouse(environment);
    await sleep(settleMs);
    const before = await residentBytes(gatehouse.pid);
    await put(gatehouse, "POST", "hot", hotBytes, 0);
    for (let index = 0; index < count; index++) {
      await put(gatehouse, "POST", `cold-${index}`, coldBytes, 0);
    }
    await sleep(settleMs);
    const filled = await residentBytes(gatehouse.pid);
    for (let index = 0; index < count; index++) {
      await put(gatehouse, "PUT", `cold-${index}`, coldBytes, 1);
      for (let update = 1; update <= hotUpdates; update++) {
        await put(gatehouse, "PUT", "hot", hotBytes, index * hotUpdates + update);
      }
    }
    await sleep(settleMs);
    const used = (await residentBytes(gatehouse.pid)) - before;
    const limit = count * coldBytes + hotBytes;
    return {
      figure: used / 1e6,
      limit: limit / 1e6,
      ratio: used / limit,
      notes: [`before the updates ${Math.round((filled - before) / 1e6)} MB, an empty server's not counted`],
    };
  },
};

async function put(gatehouse: Gatehouse, method: "POST" | "PUT", name: string, bytes: number, generation: number) {
  const path = method === "POST" ? collectionPath : `${collectionPath}/${name}`;
  const data = { generation: String(generation), filling: "x".repeat(bytes) };
  const metadata = { name, namespace: benchNamespace };
  await gatehouse.request(method, path, JSON.stringify({ kind: "ConfigMap", apiVersion: "v1", metadata, data }));
}
