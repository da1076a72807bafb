import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { silentLogger } from "@gatehouse/component-base/logs";
import { createMetricsRegistry } from "@gatehouse/component-base/metrics";
import { forEachCrash, MortalProcess } from "@gatehouse/testing/crash";
import { verifyLog } from "./completeness/verify-log.js";
import type { Chunk } from "./index-store/chunk.js";
import { IndexStore } from "./index-store/index-store.js";
import { type AuditLog, openAuditLog } from "./log/audit-log.js";
import { batchOf } from "./log/log.test.support.js";
import { openFileOutput } from "./outputs/file/file-output.js";
import { Pipeline } from "./pipelines/pipeline.js";
import { PipelinesMetrics } from "./pipelines/pipeline-metrics.js";
import { SinkLog } from "./sink-log.js";

const root = await mkdtemp(join(tmpdir(), "sink-crash-"));
after(() => rm(root, { recursive: true }));
let folders = 0;

/** A sink's folder, one for each life. */
interface Folder {
  readonly log: string;
  readonly output: string;
  readonly index: string;
}

function newFolder(): Folder {
  const path = join(root, String(folders++));
  return { log: join(path, "log"), output: join(path, "out", "audit.log"), index: join(path, "index") };
}

const eventText = (id: string): string => JSON.stringify({ auditID: id, stage: "ResponseComplete", level: "Metadata" });

const openLog = (folder: Folder): Promise<AuditLog> => openAuditLog({ directory: folder.log, segmentBytes: 600 });

async function startPipeline(folder: Folder, log: AuditLog): Promise<Pipeline> {
  const file = {
    path: folder.output,
    maxBytes: 250,
    maxAgeMs: Number.POSITIVE_INFINITY,
    maxFiles: Number.POSITIVE_INFINITY,
    keepForMs: Number.POSITIVE_INFINITY,
    compress: true,
  };
  return await Pipeline.start({
    config: {
      name: "test",
      policy: undefined,
      redact: [],
      batching: { maxEvents: 2, maxBytes: 1000, maxWaitMs: 1 },
      retry: { initialBackoffMs: 2, maxBackoffMs: 10, timeoutMs: 1000 },
      startAtEnd: false,
      output: { type: "file", file },
    },
    log,
    openOutput: (context) => openFileOutput(file, context),
    metrics: new PipelinesMetrics(createMetricsRegistry({ processMetrics: false })).of("test"),
    sinkLog: new SinkLog(silentLogger),
  });
}

/** A life that ends by itself; like those that are cut short, it waits for no flush, which only a loss of power would need. */
async function liveOn(work: () => Promise<unknown>): Promise<void> {
  await using mortal = new MortalProcess({ change: Number.POSITIVE_INFINITY, torn: "none" });
  await mortal.run(work);
}

/** Waits until everything in the log is delivered, and ends the pipeline. */
async function deliverAll(pipeline: Pipeline, log: AuditLog): Promise<void> {
  for (const end = performance.now() + 60_000; pipeline.position < log.endPosition && !MortalProcess.isCallerDead; ) {
    assert.ok(performance.now() < end, "not everything is delivered");
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await pipeline.stop();
}

async function append(log: AuditLog, ids: readonly string[], noted: string[] = []): Promise<void> {
  for (const id of ids) {
    await log.append(batchOf([eventText(`${id}-1`), eventText(`${id}-2`)]));
    noted.push(`${id}-1`, `${id}-2`);
  }
}

async function idsIn({ log: directory }: Folder): Promise<readonly string[]> {
  const ids: string[] = [];
  const { faults } = await verifyLog(directory, {
    onBatch: ({ events }) => ids.push(...events.map(({ bytes }) => JSON.parse(bytes.toString()).auditID as string)),
  });
  assert.deepEqual(faults, []);
  return ids;
}

/** The events that were delivered, the oldest file first. */
async function deliveredIn({ output }: Folder): Promise<readonly string[]> {
  const folder = join(output, "..");
  const full = (await readdir(folder)).filter((name) => name !== "audit.log").sort();
  const texts = await Promise.all(
    [...full, "audit.log"].map(async (name) => {
      const bytes = await readFile(join(folder, name));
      return (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
    }),
  );
  return texts
    .join("")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line).auditID as string);
}

test("killed at any change of its disk, a log keeps every acknowledged event, in order, and its chain is whole", async () => {
  const lives = await forEachCrash(async (point) => {
    const folder = newFolder();
    const acknowledged: string[] = [];
    await using mortal = new MortalProcess(point);
    const outcome = await mortal.run(async () => {
      const log = await openLog(folder);
      await append(log, ["a", "b", "c", "d"], acknowledged);
      await log[Symbol.asyncDispose]();
    });
    await mortal[Symbol.asyncDispose]();
    await liveOn(async () => {
      const log = await openLog(folder);
      await append(log, ["last"]);
      await log[Symbol.asyncDispose]();
    });
    const kept = await idsIn(folder);
    assert.deepEqual(kept.slice(0, acknowledged.length), acknowledged, JSON.stringify(point));
    // What was being written may have come to be kept without being acknowledged.
    assert.deepEqual(kept.slice(-2), ["last-1", "last-2"]);
    assert.ok(kept.length <= acknowledged.length + 4, JSON.stringify(point));
    return outcome;
  });
  assert.ok(lives > 10, String(lives));
});

test("killed at any change of its disk, a pipeline delivers every event to its file once", async () => {
  const lives = await forEachCrash(async (point) => {
    const folder = newFolder();
    await using mortal = new MortalProcess(point);
    const outcome = await mortal.run(async () => {
      const log = await openLog(folder);
      const pipeline = await startPipeline(folder, log);
      await append(log, ["a", "b"]);
      await deliverAll(pipeline, log);
      // An orderly restart, and a life that begins with what is there.
      const next = await startPipeline(folder, log);
      await append(log, ["c"]);
      await deliverAll(next, log);
      await log[Symbol.asyncDispose]();
    });
    await mortal[Symbol.asyncDispose]();
    await liveOn(async () => {
      const log = await openLog(folder);
      const pipeline = await startPipeline(folder, log);
      await append(log, ["last"]);
      await deliverAll(pipeline, log);
      await log[Symbol.asyncDispose]();
    });
    assert.deepEqual(await deliveredIn(folder), await idsIn(folder), JSON.stringify(point));
    return outcome;
  });
  assert.ok(lives > 60, String(lives));
});

test("killed at any change of its disk, an index has every event of the log once, but for what was too old", async () => {
  const batches = Array.from({ length: 6 }, (_, n) => ({
    position: 2 * n,
    sender: "a",
    receivedTimestamp: 1_700_000_000_000,
    events: [`${n}-1`, `${n}-2`].map((id) => ({ bytes: Buffer.from(eventText(id)) })),
  }));
  const live = (directory: string): IndexStore => {
    const retention = { maxAgeMs: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };
    const onDamage = (path: string): void => assert.fail(path);
    const store = new IndexStore({ directory, retention, onDamage });
    for (const batch of batches.filter(({ position }) => position + 2 > store.position)) {
      store.add(batch);
      store.checkpoint();
      store.retain();
    }
    return store;
  };
  const lives = await forEachCrash(async (point) => {
    const { index: directory } = newFolder();
    await using mortal = new MortalProcess(point);
    const outcome = await mortal.run(async () => live(directory)[Symbol.dispose]());
    await mortal[Symbol.asyncDispose]();
    let chunks: readonly Chunk[] = [];
    await liveOn(async () => {
      ({ chunks } = live(directory));
    });
    const ids = chunks.flatMap((chunk) =>
      Array.from({ length: chunk.count }, (_, row) => JSON.parse(chunk.eventAt(row).toString()).auditID as string),
    );
    assert.deepEqual(
      ids,
      batches.flatMap(({ events }) => events.map(({ bytes }) => JSON.parse(bytes.toString()).auditID as string)),
      JSON.stringify(point),
    );
    assert.equal((await readdir(directory)).filter((name) => !name.endsWith(".chunk")).length, 0);
    return outcome;
  });
  assert.ok(lives > 10, String(lives));
});
