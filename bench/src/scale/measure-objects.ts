#!/usr/bin/env node
import { defineFlags, type FlagValues } from "@gatehouse/component-base/flags";
import type { BenchEnvironment } from "../bench-environment.js";
import { collectionPath } from "../config-maps.js";
import { fill } from "../fill.js";
import { startEtcd } from "../processes/etcd.js";
import { type Gatehouse, startGatehouse } from "../processes/gatehouse.js";
import { residentBytes } from "../processes/process-usage.js";
import { startLatencyProbe, startLoadGenerator } from "../processes/start-children.js";
import { type Row, runMeasurement } from "./run-measurement.js";

const flags = defineFlags({
  objects: { type: "int", min: 1, default: 1_000_000, group: "Measurement", help: "`number` of objects of 1 KB." },
  etcd: { type: "path", group: "Measurement", help: "The `program` etcd, to store them there." },
});

/** Objects on a page of a list, as client-go asks for them. */
const pageSize = 500;

/**
 * Prints what a server with many objects needs from its start until clients have them: time, memory, and how long others
 * wait meanwhile. By hand, for docs/scale.md.
 */
async function* rows(
  environment: BenchEnvironment,
  { objects, etcd: program }: FlagValues<typeof flags>,
): AsyncGenerator<Row> {
  const directory = await environment.makeDirectory();
  await using etcd = program === undefined ? undefined : await startEtcd(program, await environment.makeDirectory());
  const storage = etcd === undefined ? ["--unsafe-no-fsync"] : [`--etcd-servers=${etcd.url}`];
  const start = (): Promise<Gatehouse> => startGatehouse(environment, directory, storage);
  {
    await using gatehouse = await start();
    await using load = startLoadGenerator();
    await fill(load, gatehouse, environment.certificates, objects);
  }
  await using gatehouse = await start();
  yield { objects, ...(await measure(environment, gatehouse)) };
}

async function measure({ certificates }: BenchEnvironment, gatehouse: Gatehouse): Promise<Row> {
  await using probe = startLatencyProbe();
  const empty = await residentBytes(gatehouse.pid);
  await probe.call("open", { port: gatehouse.port, certificates });
  await probe.call("reset", undefined);
  const firstPage = await timeOf(() => gatehouse.request("GET", `${collectionPath}?limit=${pageSize}`));
  const pages = await timeOf(() => readPages(gatehouse));
  const whole = await timeOf(() => gatehouse.request("GET", `${collectionPath}?resourceVersion=0`));
  const { p99, worst } = await probe.call("seen", undefined);
  return {
    "ready, s": seconds(gatehouse.readyAfterMs),
    "first page, s": seconds(firstPage),
    "all pages, s": seconds(pages),
    "one list of all, s": seconds(whole),
    "MB, ready": Math.round(empty / 1e6),
    "MB, at the end": Math.round((await residentBytes(gatehouse.pid)) / 1e6),
    "others wait, p99 ms": Math.round(p99),
    "others wait, worst ms": Math.round(worst),
  };
}

async function readPages(gatehouse: Gatehouse): Promise<void> {
  for (let next = ""; ; ) {
    const { body } = await gatehouse.request("GET", `${collectionPath}?limit=${pageSize}&continue=${next}`);
    next = /^.{0,400}?"continue":"([^"]*)"/.exec(body.toString("latin1", 0, 500))?.[1] ?? "";
    if (next === "") {
      return;
    }
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function seconds(ms: number): number {
  return Math.round(ms / 10) / 100;
}

await runMeasurement(flags, "Measures a server with many objects, from its start until clients have them.", rows);
