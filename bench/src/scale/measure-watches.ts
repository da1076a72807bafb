#!/usr/bin/env node
import { setImmediate as nextRound, setTimeout as sleep } from "node:timers/promises";
import { defineFlags, type FlagValues } from "@gatehouse/component-base/flags";
import type { BenchEnvironment } from "../bench-environment.js";
import { collectionPath, configMapJson, configMapName } from "../config-maps.js";
import { StreamGroup } from "../load/stream-group.js";
import { readClientTls } from "../processes/client-tls.js";
import { type Gatehouse, startGatehouse } from "../processes/gatehouse.js";
import { processorSeconds, residentBytes } from "../processes/process-usage.js";
import { startLatencyProbe } from "../processes/start-children.js";
import { median } from "../rounds.js";
import { type Row, runMeasurement } from "./run-measurement.js";

const flags = defineFlags({
  watches: { type: "int", min: 1, default: 100_000, group: "Measurement", help: "`number` of watches over HTTP/2." },
  streams: { type: "int", min: 1, default: 100, group: "Measurement", help: "`number` of them on each connection." },
  changes: {
    type: "int",
    min: 1,
    default: 20,
    group: "Measurement",
    help: "`number` of changes that all of them want.",
  },
});

/** Idle this long, a process has given back what it will. */
const settleMs = 3000;

/**
 * Prints what many watches of one server need: memory, the time until a change has reached all of them, and how long other
 * requests wait meanwhile. By hand, for docs/scale.md.
 */
async function* rows(environment: BenchEnvironment, values: FlagValues<typeof flags>): AsyncGenerator<Row> {
  await using gatehouse = await startGatehouse(environment);
  yield await measure(environment, gatehouse, values);
}

async function measure(
  { certificates }: BenchEnvironment,
  gatehouse: Gatehouse,
  { watches, streams, changes }: FlagValues<typeof flags>,
): Promise<Row> {
  await using probe = startLatencyProbe();
  const { port, pid } = gatehouse;
  await change(gatehouse, 0);
  await sleep(settleMs);
  const before = await residentBytes(pid);
  const group = new StreamGroup();
  const request = { method: "GET", path: `${collectionPath}?watch=1&labelSelector=app=bench` };
  const connections = Math.ceil(watches / streams);
  await group.open({ port, tls: readClientTls(certificates), protocol: "HTTP/2", connections, streams, request });
  await delivered(group, group.size); // The object that was there.
  await sleep(settleMs);
  const opened = await residentBytes(pid);
  await probe.call("open", { port, certificates });
  await probe.call("reset", undefined);
  const processorBefore = await processorSeconds([pid]);
  const times: number[] = [];
  for (let index = 1; index <= changes; index++) {
    const sentAt = performance.now();
    await change(gatehouse, index);
    await delivered(group, group.size * (index + 1));
    times.push(performance.now() - sentAt);
  }
  const processor = (await processorSeconds([pid])) - processorBefore;
  const { p99, worst } = await probe.call("seen", undefined);
  group.close();
  return {
    watches: group.size,
    "KB for each": Math.round((opened - before) / group.size / 1000),
    "MB in all": Math.round((await residentBytes(pid)) / 1e6),
    "until all have a change, s": Math.round(median(times) / 10) / 100,
    "us of processor time for each": Math.round((processor / changes / group.size) * 1e7) / 10,
    "others wait, p99 ms": Math.round(p99),
    "others wait, worst ms": Math.round(worst),
  };
}

async function change(gatehouse: Gatehouse, index: number): Promise<void> {
  await gatehouse.request("POST", collectionPath, configMapJson(configMapName(index)));
}

async function delivered(group: StreamGroup, events: number): Promise<void> {
  while (group.events < events) {
    await nextRound();
  }
}

await runMeasurement(flags, "Measures a server with many watches.", rows);
