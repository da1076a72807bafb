import { setTimeout as sleep } from "node:timers/promises";
import type { BenchEnvironment } from "../bench-environment.js";
import type { Benchmark, Measurement } from "../benchmark.js";
import { collectionPath, configMapJson, configMapName } from "../config-maps.js";
import type { LoadOperations } from "../load/load-generator.js";
import type { Protocol } from "../load/open-load-connection.js";
import type { Child } from "../processes/child.js";
import { type Gatehouse, startGatehouse } from "../processes/gatehouse.js";
import { residentBytes } from "../processes/process-usage.js";
import { startBareServer, startLoadGenerator } from "../processes/start-children.js";

/** Idle this long, a process has given back what it will. */
const settleMs = 3000;
/** Each watcher gets so many: what it needs while it is written to stays with it. */
const events = 50;

/**
 * Measures the memory of clients that only wait, as most of a large cluster's do. One round: memory is not noisy as
 * time is.
 */
export const memoryWatchersBenchmarks: readonly Benchmark[] = [
  // Nearly all of it is the connection's, with its TLS, which the bare server has, too.
  watchersBenchmark("memory-watchers", "HTTP/1.1", { connections: 2000, streams: 1, atMost: 1.5 }),
  // Kube-apiserver v1.29 has 35 KB for such a watcher, and 90 for one over HTTP/1.1, in Go; the bare one has 12 and 65.
  watchersBenchmark("memory-watchers-h2", "HTTP/2", { connections: 100, streams: 20, atMost: 3.5 }),
];

interface Watchers {
  readonly connections: number;
  readonly streams: number;
}

function watchersBenchmark(
  name: string,
  protocol: Protocol,
  { atMost, ...all }: Watchers & { readonly atMost: number },
): Benchmark {
  const count = (all.connections * all.streams).toLocaleString("en");
  return {
    name,
    what: `resident memory of ${count} watchers over ${protocol} on ${all.connections} connections, ${events} events sent to each`,
    limit: "a bare Node server with as many open responses",
    unit: "MB",
    wanted: { atMost },
    async run(environment): Promise<Measurement> {
      const watchers = environment.quick ? { ...all, connections: all.connections / 4 } : all;
      await using load = startLoadGenerator();
      const figure = await ofGatehouse(environment, load, protocol, watchers);
      const limit = await ofBareServer(environment, load, protocol, watchers);
      const each = (bytes: number): string =>
        `${(bytes / 1000 / watchers.connections / watchers.streams).toFixed(0)} KB`;
      return {
        figure: figure / 1e6,
        limit: limit / 1e6,
        ratio: figure / limit,
        notes: [`${each(figure)} for a watcher, ${each(limit)} for an open response of the bare server`],
      };
    },
  };
}

async function ofGatehouse(
  environment: BenchEnvironment,
  load: Child<LoadOperations>,
  protocol: Protocol,
  watchers: Watchers,
): Promise<number> {
  await using gatehouse = await startGatehouse(environment);
  const { port, pid, certificates } = gatehouse;
  // What the first requests cost is not the watchers'.
  await createSome(gatehouse, 0);
  const { body } = await gatehouse.request("GET", `${collectionPath}?limit=1`);
  const { resourceVersion } = JSON.parse(body.toString()).metadata;
  await sleep(settleMs);
  const before = await residentBytes(pid);
  const request = { method: "GET", path: `${collectionPath}?watch=1&resourceVersion=${resourceVersion}` };
  await load.call("openStreams", { port, certificates, protocol, ...watchers, request });
  await createSome(gatehouse, events);
  await sleep(settleMs);
  const after = await residentBytes(pid);
  await load.call("closeStreams", undefined);
  return after - before;
}

async function createSome(gatehouse: Gatehouse, from: number): Promise<void> {
  for (let index = from; index < from + events; index++) {
    await gatehouse.request("POST", collectionPath, configMapJson(configMapName(index)));
  }
}

async function ofBareServer(
  { certificates }: BenchEnvironment,
  load: Child<LoadOperations>,
  protocol: Protocol,
  watchers: Watchers,
): Promise<number> {
  await using bare = startBareServer(protocol);
  const port = await bare.call("listen", certificates);
  await bare.call("serve", { path: collectionPath, headers: { "content-type": "application/json" }, stream: true });
  await sleep(settleMs);
  const before = await residentBytes(bare.pid);
  const request = { method: "GET", path: collectionPath };
  await load.call("openStreams", { port, certificates, protocol, ...watchers, request });
  await sleep(settleMs);
  const after = await residentBytes(bare.pid);
  await load.call("closeStreams", undefined);
  return after - before;
}
