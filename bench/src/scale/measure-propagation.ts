#!/usr/bin/env node
import { once } from "node:events";
import { get } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { defineFlags, type FlagValues } from "@gatehouse/component-base/flags";
import type { BenchEnvironment } from "../bench-environment.js";
import { startOnEtcd } from "../benchmarks/etcd.js";
import { collectionPath, configMapJson, configMapName } from "../config-maps.js";
import { readClientTls } from "../processes/client-tls.js";
import { type Etcd, startEtcd } from "../processes/etcd.js";
import type { Gatehouse } from "../processes/gatehouse.js";
import { privateBytes, processorSeconds } from "../processes/process-usage.js";
import { median } from "../rounds.js";
import { numbersOf, type Row, runMeasurement } from "./run-measurement.js";

const flags = defineFlags({
  etcd: { type: "path", default: "etcd", group: "Measurement", help: "The `program` etcd." },
  servers: { type: "stringList", group: "Measurement", help: "`numbers` of API servers. Default 1,3,10,30,100." },
  changes: {
    type: "int",
    min: 10,
    default: 200,
    group: "Measurement",
    help: "`number` of changes, one after the other.",
  },
});

/** Servers that start at a time: more only wait for the processor. */
const startsAtOnce = 4;

/**
 * Measures how long it takes until a change has reached the watchers of all of N API servers on one etcd, what etcd sends for it,
 * and what it costs each server. By hand, for docs/scale.md: on few cores the servers take their turns, so times are
 * upper bounds.
 */
async function* rows(environment: BenchEnvironment, values: FlagValues<typeof flags>): AsyncGenerator<Row> {
  for (const count of numbersOf(values.servers, [1, 3, 10, 30, 100])) {
    await using etcd = await startEtcd(values.etcd, await environment.makeDirectory());
    yield await measure(environment, etcd, count, values.changes);
  }
}

async function measure(environment: BenchEnvironment, etcd: Etcd, count: number, changes: number): Promise<Row> {
  const servers: Gatehouse[] = [];
  const watchers: Watcher[] = [];
  try {
    while (servers.length < count) {
      const group = Math.min(startsAtOnce, count - servers.length);
      servers.push(...(await Promise.all(Array.from({ length: group }, () => startOnEtcd(environment, etcd.url)))));
    }
    watchers.push(...(await Promise.all(servers.map((server) => Watcher.open(server)))));
    return await measureChanges(etcd, servers, watchers, changes);
  } finally {
    for (const watcher of watchers) {
      watcher.close();
    }
    await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
  }
}

async function measureChanges(
  etcd: Etcd,
  servers: readonly Gatehouse[],
  watchers: readonly Watcher[],
  changes: number,
): Promise<Row> {
  const pids = servers.map(({ pid }) => pid);
  const writer = servers[0] as Gatehouse;
  await makeChanges(writer, watchers, 0, warmUpChanges);
  const before = await countsOf(etcd, pids);
  const delays = await makeChanges(writer, watchers, warmUpChanges, changes);
  const after = await countsOf(etcd, pids);
  // Leases, compaction and questions for the revision go on without changes.
  await sleep(after.at - before.at);
  const idle = await countsOf(etcd, pids);
  const each = (name: "bytes" | "processor"): number => {
    const background = ((idle[name] - after[name]) * (after.at - before.at)) / (idle.at - after.at);
    return (after[name] - before[name] - background) / changes / servers.length;
  };
  const untilAll = delays.map(({ all }) => all).sort((a, b) => a - b);
  return {
    servers: servers.length,
    "answered, ms": round(median(delays.map(({ answered }) => answered))),
    "half has it, ms": round(median(delays.map(({ half }) => half))),
    "all have it, ms": round(median(untilAll)),
    "p99, ms": round(untilAll[Math.floor(untilAll.length * 0.99)] as number),
    "KB from etcd to each": round(each("bytes") / 1000),
    "us of each server": Math.round(each("processor") * 1e6),
    "MB of each server": Math.round((await privateBytes(pids)) / servers.length / 1e6),
  };
}

const warmUpChanges = 300;

interface Delays {
  readonly answered: number;
  readonly half: number;
  readonly all: number;
}

/** Creates objects, each when all watchers have seen the one before. Returns the delays in milliseconds. */
async function makeChanges(
  writer: Gatehouse,
  watchers: readonly Watcher[],
  first: number,
  count: number,
): Promise<readonly Delays[]> {
  const delays: Delays[] = [];
  for (let index = first; index < first + count; index++) {
    const name = configMapName(index);
    const seen = watchers.map((watcher) => watcher.untilSeen(name));
    const sentAt = performance.now();
    await writer.request("POST", collectionPath, configMapJson(name));
    const answered = performance.now() - sentAt;
    const times = (await Promise.all(seen)).map((at) => at - sentAt).sort((a, b) => a - b);
    delays.push({ answered, half: times[(times.length - 1) >> 1] as number, all: times.at(-1) as number });
  }
  return delays;
}

/** A watch that tells when it has seen the object of a name. */
class Watcher {
  #wanted: { readonly name: string; readonly resolve: (at: number) => void } | undefined;
  #rest = "";
  close: () => void = () => {};

  static async open({ port, certificates }: Gatehouse): Promise<Watcher> {
    const watcher = new Watcher();
    const path = `${collectionPath}?watch=1&resourceVersion=0&timeoutSeconds=3600`;
    const request = get({ host: "127.0.0.1", port, path, agent: false, ...readClientTls(certificates) });
    const [response] = await once(request, "response");
    response.setEncoding("utf8").on("data", (text: string) => watcher.#take(text));
    response.on("error", () => {});
    watcher.close = () => request.destroy();
    return watcher;
  }

  untilSeen(name: string): Promise<number> {
    return new Promise((resolve) => {
      this.#wanted = { name: `"name":"${name}"`, resolve };
    });
  }

  #take(text: string): void {
    this.#rest += text;
    if (this.#wanted !== undefined && this.#rest.includes(this.#wanted.name)) {
      this.#wanted.resolve(performance.now());
      this.#wanted = undefined;
    }
    this.#rest = this.#rest.slice(this.#rest.lastIndexOf("\n") + 1);
  }
}

/** Bytes that etcd has sent to its clients, and processor time of the servers in seconds. */
async function countsOf(etcd: Etcd, pids: readonly number[]) {
  const metrics = await (await fetch(`${etcd.url}/metrics`)).text();
  const bytes = Number(/^etcd_network_client_grpc_sent_bytes_total (\S+)$/m.exec(metrics)?.[1] ?? Number.NaN);
  return { at: performance.now(), bytes, processor: await processorSeconds(pids) };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

await runMeasurement(flags, "Measures how changes reach many API servers on one etcd.", rows);
