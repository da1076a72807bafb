import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { DirectoryInUseError } from "@gatehouse/component-base/errors";
import { type LogFields, type Logger, silentLogger } from "@gatehouse/component-base/logs";
import { holdFlushes } from "@gatehouse/testing/crash";
import { type AuditLog, openAuditLog } from "./audit-log.js";
import { batchOf, textsOf } from "./log.test.support.js";
import { LogWriteError } from "./log-batch.js";
import { readIndexes } from "./read-indexes.js";
import { applyRetention } from "./retention.js";

const root = await mkdtemp(join(tmpdir(), "gatehouse-audit-log-"));
after(() => rm(root, { recursive: true }));

async function newDirectory(): Promise<string> {
  return await mkdtemp(join(root, "log-"));
}

async function segmentsIn(directory: string): Promise<readonly string[]> {
  return (await readdir(directory)).filter((name) => name.endsWith(".segment")).sort();
}

async function read(log: AuditLog, from: number, count: number): Promise<readonly string[]> {
  const stop = new AbortController();
  const found: string[] = [];
  for await (const batch of log.readFrom(from, stop.signal)) {
    found.push(...textsOf(batch));
    if (found.length >= count) {
      stop.abort();
    }
  }
  return found;
}

test("every event has a position, and readers begin at any of them", async () => {
  await using log = await openAuditLog({ directory: await newDirectory(), segmentBytes: 1000 });
  assert.equal(await log.append(batchOf(["a", "b"])), 0);
  assert.equal(await log.append(batchOf(["c", "d", "e"], { source: "server-1", sequence: 7 })), 2);
  assert.equal(log.endPosition, 5);
  assert.deepEqual(await read(log, 0, 5), ["0 a", "1 b", "2 c", "3 d", "4 e"]);
  assert.deepEqual(await read(log, 3, 2), ["3 d", "4 e"]);
  const [batch] = await collect(take(log, 3));
  assert.deepEqual(
    { ...batch, events: batch?.events.map(({ bytes, offset }) => `${bytes} ${offset}`) },
    {
      position: 3,
      sender: "cluster-a",
      source: "server-1",
      sequence: 7,
      receivedTimestamp: 1_700_000_000_000,
      events: ["d 1", "e 2"],
    },
  );
  await assert.rejects(read(log, 6, 1), new RangeError("the log ends at position 5, before 6"));
});

test("what is appended is acknowledged and shown to readers when it has been flushed, and not before", async () => {
  await using log = await openAuditLog({ directory: await newDirectory(), segmentBytes: 1000 });
  await log.append(batchOf(["a"]));
  using flushes = await holdFlushes();
  const appended = log.append(batchOf(["b"])).then(() => "acknowledged");
  assert.equal(await Promise.race([appended, flushes.first.then(() => "flushing")]), "flushing");
  assert.equal(log.endPosition, 1);
  flushes.release();
  assert.equal(await appended, "acknowledged");
  assert.equal(log.endPosition, 2);
});

async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) {
    found.push(item);
  }
  return found;
}

async function* take(log: AuditLog, from: number) {
  const stop = new AbortController();
  for await (const batch of log.readFrom(from, stop.signal)) {
    yield batch;
    stop.abort();
  }
}

test("a reader at the end waits for what comes, and ends when the log closes or its signal aborts", async () => {
  const log = await openAuditLog({ directory: await newDirectory(), segmentBytes: 200 });
  const reading = collect(log.readFrom(0, new AbortController().signal));
  const stop = new AbortController();
  const stopped = collect(log.readFrom(0, stop.signal));
  stop.abort();
  assert.deepEqual(await stopped, []);
  for (const text of ["a", "b", "c", "d"]) {
    await log.append(batchOf([text]));
  }
  await log[Symbol.asyncDispose]();
  assert.deepEqual((await reading).flatMap(textsOf), ["0 a", "1 b", "2 c", "3 d"]);
  await assert.rejects(log.append(batchOf(["e"])), LogWriteError);
});

test("those who append together share one flush, and keep the order of their coming", async () => {
  const directory = await newDirectory();
  await using log = await openAuditLog({ directory, segmentBytes: 500 });
  const positions = await Promise.all(Array.from({ length: 100 }, (_, i) => log.append(batchOf([`e${i}`]))));
  assert.deepEqual(
    positions,
    Array.from({ length: 100 }, (_, i) => i),
  );
  // One flush fills a segment beyond its size; only the next one begins another.
  assert.equal((await segmentsIn(directory)).length, 1);
  assert.equal(await log.append(batchOf(["next"])), 100);
  assert.deepEqual(await segmentsIn(directory), ["00000000000000000000.segment", "00000000000000000100.segment"]);
  assert.equal(log.pendingBytes, 0);
});

test("opened again, the log goes on from its end, with the same chain", async () => {
  const directory = await newDirectory();
  const log = await openAuditLog({ directory, segmentBytes: 300 });
  for (let i = 0; i < 10; i++) {
    await log.append(batchOf([`e${i}`]));
  }
  const { chain } = log;
  await log[Symbol.asyncDispose]();
  await using again = await openAuditLog({ directory, segmentBytes: 300 });
  assert.deepEqual(again.chain, chain);
  assert.equal(await again.append(batchOf(["more"])), 10);
  assert.deepEqual((await read(again, 8, 3)).slice(0, 3), ["8 e8", "9 e9", "10 more"]);
});

test("what a crash has left unfinished is cut off, kept beside, and told of", async () => {
  const directory = await newDirectory();
  const log = await openAuditLog({ directory, segmentBytes: 10_000 });
  await log.append(batchOf(["a", "b"]));
  await log[Symbol.asyncDispose]();
  const segment = join(directory, "00000000000000000000.segment");
  const whole = await readFile(segment);
  const frame = whole.subarray(64);
  for (const [what, tail] of [
    ["half a frame", frame.subarray(0, frame.length / 2)],
    ["a frame of another place", frame],
    ["zeros", Buffer.alloc(100)],
    ["less than a head", Buffer.from([200, 0])],
  ] as const) {
    await appendFile(segment, tail);
    const told: LogFields[] = [];
    const logger: Logger = { ...silentLogger, warn: (_message, fields) => void told.push(fields ?? {}) };
    await using again = await openAuditLog({ directory, segmentBytes: 10_000, logger });
    assert.equal(again.endPosition, 2, what);
    assert.deepEqual(told, [{ path: segment, position: 2, bytes: tail.length }], what);
    assert.deepEqual(await readFile(segment), whole, what);
    assert.deepEqual(await readFile(`${segment}.cut-at-${whole.length}`), tail);
  }
});

test("a segment that was never finished is begun anew", async () => {
  const directory = await newDirectory();
  await writeFile(join(directory, "00000000000000000000.segment"), "GHAU");
  await using log = await openAuditLog({ directory, segmentBytes: 10_000 });
  assert.equal(await log.append(batchOf(["a"])), 0);
});

test("a segment that is old is closed, however small it is", async () => {
  let now = 1_700_000_000_000;
  const options = { directory: await newDirectory(), segmentBytes: 10_000, segmentAgeMs: 1000, now: () => now };
  await using log = await openAuditLog(options);
  await log.append(batchOf(["a"]));
  now += 999;
  await log.append(batchOf(["b"]));
  now += 1;
  await log.append(batchOf(["c"]));
  assert.deepEqual(
    log.closedSegments.map(({ firstPosition, endPosition }) => [firstPosition, endPosition]),
    [[0, 2]],
  );
});

test("one process has a log open at a time, and one that was killed has it no more", async () => {
  const directory = await newDirectory();
  await using log = await openAuditLog({ directory, segmentBytes: 1000 });
  await assert.rejects(
    openAuditLog({ directory, segmentBytes: 1000 }),
    new DirectoryInUseError(`${directory} is in use by another process`),
  );
  const other = await newDirectory();
  const script = `require("node:net").createServer().listen(${JSON.stringify(join(other, "lock"))}, () => process.kill(process.pid, "SIGKILL"))`;
  spawnSync(process.execPath, ["-e", script]);
  assert.deepEqual(await readdir(other), ["lock"]);
  await using taken = await openAuditLog({ directory: other, segmentBytes: 1000 });
  assert.equal(taken.endPosition, 0);
  assert.equal(await log.append(batchOf(["a"])), 0);
});

test("steps of the clock change neither positions nor what is kept", async () => {
  let now = 1_700_000_000_000;
  await using log = await openAuditLog({ directory: await newDirectory(), segmentBytes: 100, now: () => now });
  const dayMs = 24 * 3600 * 1000;
  for (const [index, step] of [0, -dayMs, 2 * dayMs, -3 * dayMs].entries()) {
    now += step;
    await log.append(batchOf([`e${index}`], { receivedTimestamp: now }));
  }
  const none = { maxAgeMs: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };
  const bounds = { retention: { ...none, maxAgeMs: dayMs }, undelivered: none };
  // The clock stands before the time at which the segments were ended: none of them is old.
  assert.deepEqual(await applyRetention(log, bounds, log.endPosition, now), { segments: 0, events: 0 });
  // It leaps ahead: what was delivered is old, what was not stays.
  assert.deepEqual(await applyRetention(log, bounds, 1, now + 30 * dayMs), { segments: 1, events: 1 });
  assert.deepEqual(await read(log, 0, 3), ["1 e1", "2 e2", "3 e3"]);
});

test("segments go when they are too many bytes, and those that somebody needs by a bound of their own", async () => {
  await using log = await openAuditLog({ directory: await newDirectory(), segmentBytes: 100 });
  for (const text of ["a", "b", "c", "d"]) {
    await log.append(batchOf([text]));
  }
  const none = { maxAgeMs: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };
  const little = { ...none, maxBytes: 1 };
  assert.deepEqual(await applyRetention(log, { retention: none, undelivered: none }, 2), { segments: 0, events: 0 });
  assert.deepEqual(await applyRetention(log, { retention: little, undelivered: none }, 2), { segments: 2, events: 2 });
  assert.deepEqual(await applyRetention(log, { retention: none, undelivered: little }, 2), { segments: 1, events: 1 });
  assert.deepEqual(await read(log, 3, 1), ["3 d"]);
});

test("the oldest segments can be deleted; readers behind go on with what is kept", async () => {
  const directory = await newDirectory();
  await using log = await openAuditLog({ directory, segmentBytes: 100 });
  for (let i = 0; i < 4; i++) {
    await log.append(batchOf([`e${i}`]));
  }
  assert.equal(log.closedSegments.length, 3);
  await log.deleteOldest();
  await log.deleteOldest();
  assert.equal(log.firstPosition, 2);
  assert.deepEqual(await read(log, 0, 2), ["2 e2", "3 e3"]);
  assert.deepEqual((await segmentsIn(directory)).length, 2);
});

test("the index of batches is read without their events, long and short ones, and without what is damaged", async () => {
  const directory = await newDirectory();
  const lengths = [3, 200_000, 10, 300_000, 400_000, 5];
  const texts = lengths.map((length, index) => [`${index}`.repeat(length), "b"]);
  await using log = await openAuditLog({ directory, segmentBytes: 250_000 });
  for (const batch of texts) {
    await log.append(batchOf(batch, { source: "server-1", sequence: 2 * texts.indexOf(batch) }));
  }
  const batches = async (from: number) => {
    const found = [];
    for await (const { position, sequence, events } of readIndexes(log, from)) {
      found.push({ position, sequence, digests: events.map(({ digest }) => digest) });
    }
    return found;
  };
  const all = texts.map((batch, index) => ({
    position: 2 * index,
    sequence: 2 * index,
    digests: batchOf(batch).events.map(({ digest }) => digest),
  }));
  assert.deepEqual(await batches(0), all);
  assert.deepEqual(await batches(5), all.slice(2));
  assert.deepEqual(await batches(12), []);
  assert.deepEqual(
    log.closedSegments.map(({ firstPosition }) => firstPosition),
    [0, 8],
  );
  // The length of the second batch of the first segment: the next one is found by what it says.
  const segment = join(directory, "00000000000000000000.segment");
  const bytes = await readFile(segment);
  const second = 64 + bytes.readUInt32LE(64);
  bytes.writeUInt32LE(7, second);
  await writeFile(segment, bytes);
  assert.deepEqual(await batches(0), [all[0], ...all.slice(2)]);
});
