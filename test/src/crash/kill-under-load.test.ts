import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { ControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import type { ApiDocument } from "../spec/support/api-document.js";
import { versionOf } from "../spec/support/fixtures.js";
import { EtcdProcess, findEtcd } from "../support/etcd-process.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";
import { isRunning, workerPids } from "../workers/workers-of-server.js";
import { type CountingWriter, countOf, startCounting } from "./counting-writer.js";
import { isWhole, sumOf } from "./recorded-write.js";
import { type RecordedEvent, type RecordingWatcher, startWatcher } from "./recording-watcher.js";
import { type RecordingWriter, startWriter } from "./recording-writer.js";
import { assertSameState, replay, stateOfItems } from "./state-of-collection.js";
import { stopping } from "./stopping.js";

/** `npm run soak` kills more often. */
const kills = Number(process.env["CRASH_KILLS"] ?? 3);
/** Workers are killed, too, where the server has some. */
const hasWorkers = Number(process.env["GATEHOUSE_WORKERS"] ?? 1) > 1;
/** The etcd that is the store, and is killed, too; undefined for the embedded store. */
const found = process.env["CRASH_STORE"] === "etcd3" ? await findEtcd() : undefined;
const skip = found !== undefined && "skip" in found ? found.skip : false;
const writerCount = 24;
const counterCount = 4;
const watcherCount = 4;
/** Shortest and longest time in milliseconds between two kills. */
const [minRoundMs, maxRoundMs] = [300, 1200];

/** Writes that must be acknowledged between two kills, which must not come before the server serves again. */
const writesPerRound = 50;

const collection = "/api/v1/namespaces/crash/configmaps";

let etcd: EtcdProcess | undefined;
let server: ControlPlane;
let client: ApiClient;
before(async () => {
  if (skip !== false) {
    return;
  }
  etcd = found !== undefined && "path" in found ? await EtcdProcess.start({ path: found.path }) : undefined;
  server = await startTestServer({
    flags: [
      "--controllers=*,-root-ca-certificate-publisher-controller",
      ...(etcd === undefined ? [] : [`--etcd-servers=${etcd.url}`]),
    ],
  });
  client = createApiClient(server.clientConfig);
  await client.post("/api/v1/namespaces", { metadata: { name: "crash" } });
});
after(async () => {
  client?.[Symbol.dispose]();
  await server?.stop();
  await etcd?.[Symbol.asyncDispose]();
});

test(`${kills} kills under ${writerCount} writers lose no acknowledged write, and no watcher misses or repeats a change`, {
  skip,
}, async (context) => {
  await client.post(collection, { metadata: { name: "counter" }, data: { value: "0", sum: sumOf("0") } });
  const initial = (await client.get(collection)).document;
  const from = versionOf(initial);
  const writing = new AbortController();
  const watching = new AbortController();
  // A test that fails must not leave anything running.
  using _ = stopping(writing, watching);
  const writers = Array.from({ length: writerCount }, (_, index) =>
    startWriter(client, collection, `w${index}`, writing.signal),
  );
  const watchers = Array.from({ length: watcherCount }, () => startWatcher(client, collection, from, watching.signal));
  const counters = Array.from({ length: counterCount }, () =>
    startCounting(client, `${collection}/counter`, writing.signal),
  );
  const faults = Promise.all([...writers, ...counters, ...watchers].map(({ done }) => done));
  const written = (): number => writers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  const crashes = crashAgainAndAgain(writing.signal, written);
  try {
    await Promise.race([crashes, faults.then(() => crashes)]);
  } finally {
    writing.abort();
    await Promise.allSettled([crashes]);
  }

  await Promise.all([...writers, ...counters].map(({ done }) => done));
  const list = await until("the collection can be read", async () => {
    const answer = await client.get(collection);
    return answer.status === 200 && answer.document;
  });
  await until("every watcher has seen the end", () =>
    watchers.every(({ revision }) => revision >= newestRevision(list, writers)),
  );
  // A deletion's own revision is told to the watchers only; and what comes after it would be a repetition.
  await until("every watcher has seen the last deletion", () =>
    watchers.every(({ events }) => replay(stateOfItems(initial.items), events).size === list.items.length),
  );
  await sleep(200);
  watching.abort();
  await faults;

  context.diagnostic(`${written()} acknowledged writes`);
  context.diagnostic(`${watchers[0]?.events.length} events`);
  assertEverythingIsThere(list, writers);
  assertNothingWasCountedTwice(list, counters);
  for (const watcher of watchers) {
    assertSawEverythingOnce(watcher, watchers[0] as RecordingWatcher, writers);
    const state = replay(stateOfItems(initial.items), watcher.events);
    assertSameState(stateOfItems(list.items), state, "what is there, and where the events lead");
  }
});

async function crashAgainAndAgain(signal: AbortSignal, written: () => number): Promise<void> {
  for (let kill = 0; kill < kills; kill++) {
    const before = written();
    await until("writes go on", () => signal.aborted || written() >= before + writesPerRound);
    await sleep(minRoundMs + Math.random() * (maxRoundMs - minRoundMs));
    if (signal.aborted) {
      return;
    }
    if (etcd !== undefined && kill % 4 === 1) {
      await etcd.signal("SIGKILL");
      await etcd.start();
    } else if (hasWorkers && kill % 4 !== 3) {
      killOneWorker();
    } else {
      assert.equal(await server.kill("SIGKILL"), null);
      await server.restart();
    }
  }
}

/** Kills any worker that is there; the server goes on and replaces it. */
function killOneWorker(): void {
  const pids = [...workerPids(server).values()].filter(isRunning);
  const victim = pids[Math.floor(Math.random() * pids.length)];
  if (victim !== undefined) {
    process.kill(victim, "SIGKILL");
  }
}

/** Returns the newest revision in the list and among acknowledged writes. */
function newestRevision(list: ApiDocument, writers: readonly RecordingWriter[]): number {
  const listed = list.items.map((item) => Number(versionOf(item)));
  const written = writers.flatMap((writer) => writer.acknowledged.map(({ revision }) => revision));
  return [...listed, ...written].reduce((a, b) => Math.max(a, b), 0);
}

/** Each object is as its last acknowledged write left it, or as a later one did whose answer never came. */
function assertEverythingIsThere(list: ApiDocument, writers: readonly RecordingWriter[]): void {
  const found = new Map(list.items.map((item) => [item.metadata.name ?? "", item]));
  for (const item of list.items) {
    assert.ok(isWhole(item.data), `a half-written object: ${JSON.stringify(item)}`);
  }
  for (const [name, state] of writers.flatMap((writer) => [...writer.known])) {
    const allowed = [state.acknowledged?.sum, ...state.unknown];
    const actual = found.get(name)?.data?.["sum"];
    assert.ok(allowed.includes(actual), `${name} holds ${actual}, which was neither acknowledged last nor sent since`);
  }
}

/** Writers that compare versions never overwrite each other, and none of their writes is lost or done twice. */
function assertNothingWasCountedTwice(list: ApiDocument, counters: readonly CountingWriter[]): void {
  const counter = list.items.find((item) => item.metadata.name === "counter");
  const acknowledged = counters.reduce((sum, writer) => sum + writer.acknowledged, 0);
  const unknown = counters.reduce((sum, writer) => sum + writer.unknown, 0);
  const count = countOf(counter as ApiDocument);
  assert.ok(
    acknowledged <= count && count <= acknowledged + unknown,
    `counted ${count}, with ${acknowledged} acknowledged and ${unknown} unknown`,
  );
}

function assertSawEverythingOnce(
  watcher: RecordingWatcher,
  other: RecordingWatcher,
  writers: readonly RecordingWriter[],
): void {
  const { events } = watcher;
  for (let index = 1; index < events.length; index++) {
    const [previous, next] = [events[index - 1] as RecordedEvent, events[index] as RecordedEvent];
    assert.ok(previous.revision < next.revision, `revision ${next.revision} after ${previous.revision}`);
  }
  assert.deepEqual(events, other.events, "all watchers saw the same");
  const seen = new Map(events.map((event) => [event.revision, event]));
  for (const write of writers.flatMap((writer) => writer.acknowledged)) {
    if (write.sum !== undefined) {
      const event = seen.get(write.revision);
      assert.deepEqual([event?.name, event?.sum], [write.name, write.sum], `the write with revision ${write.revision}`);
    }
  }
}
