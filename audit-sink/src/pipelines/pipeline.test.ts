import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { silentLogger } from "@gatehouse/component-base/logs";
import { type AuditLog, openAuditLog } from "../log/audit-log.js";
import { batchOf } from "../log/log.test.support.js";
import { applyRetention } from "../log/retention.js";
import { allDelivered, EventsRejectedError, type Output, type OutputBatch } from "../outputs/output.js";
import { until } from "../sink.test.support.js";
import { SinkLog } from "../sink-log.js";
import { Pipeline, type PipelineOptions } from "./pipeline.js";

const root = await mkdtemp(join(tmpdir(), "gatehouse-pipeline-"));
after(() => rm(root, { recursive: true }));

/** An output that notes what it gets and fails when it is told to. */
class NotingOutput implements Output {
  readonly batches: (readonly string[])[] = [];
  attempts = 0;
  /** Returns how to fail. */
  onDeliver: (events: readonly string[], signal: AbortSignal) => Promise<void> | void = () => {};

  async deliver({ events }: OutputBatch, signal: AbortSignal) {
    this.attempts++;
    const texts = events.map(({ bytes, position }) => `${position} ${bytes}`);
    await this.onDeliver(texts, signal);
    this.batches.push(texts);
    return allDelivered;
  }

  get events(): readonly string[] {
    return this.batches.flat();
  }

  async close(): Promise<void> {}
}

class NotedMetrics {
  readonly counts: Record<string, number> = {};
  #add(name: string, by: number): void {
    if (by > 0) {
      this.counts[name] = (this.counts[name] ?? 0) + by;
    }
  }
  readonly delivered = (events: number): void => this.#add("delivered", events);
  readonly leftOut = (events: number): void => this.#add("left out", events);
  readonly failed = (): void => this.#add("failed", 1);
  readonly dropped = (reason: string, events: number): void => this.#add(reason, events);
  readonly position = (): void => {};
}

const newLog = async (segmentBytes = 1_000_000): Promise<AuditLog> =>
  openAuditLog({ directory: await mkdtemp(join(root, "log-")), segmentBytes });

async function start(log: AuditLog, output: Output, rest: Partial<PipelineOptions["config"]> = {}) {
  const metrics = new NotedMetrics();
  const dropped: string[] = [];
  const pipeline = await Pipeline.start({
    config: {
      name: "test",
      policy: undefined,
      redact: [],
      batching: { maxEvents: 10, maxBytes: 1000, maxWaitMs: 5 },
      retry: { initialBackoffMs: 2, maxBackoffMs: 10, timeoutMs: 1000 },
      startAtEnd: false,
      output: { type: "stdout" },
      ...rest,
    },
    log,
    openOutput: async () => output,
    metrics,
    sinkLog: new SinkLog(silentLogger),
    onDropped: (first, last) => void dropped.push(`${first} to ${last}`),
  });
  return { pipeline, counts: metrics.counts, dropped };
}

test("a batch is complete by number, by bytes, or by time", async () => {
  await using log = await newLog();
  const output = new NotingOutput();
  await log.append(batchOf(["a", "b", "c", "d", "e".repeat(30), "f"]));
  const { pipeline } = await start(log, output, { batching: { maxEvents: 3, maxBytes: 20, maxWaitMs: 20 } });
  await until(() => output.events.length === 6);
  assert.deepEqual(output.batches, [["0 a", "1 b", "2 c"], ["3 d"], [`4 ${"e".repeat(30)}`], ["5 f"]]);
  await log.append(batchOf(["g"]));
  await until(() => output.events.length === 7);
  await pipeline.stop();
});

test("a delivery that fails is tried again until it succeeds, and nothing is lost or out of order", async () => {
  await using log = await newLog();
  const output = new NotingOutput();
  let failures = 3;
  output.onDeliver = () => {
    if (failures-- > 0) {
      throw new Error("down");
    }
  };
  const { pipeline, counts } = await start(log, output);
  await log.append(batchOf(["a"]));
  await log.append(batchOf(["b"]));
  await until(() => output.events.length === 2);
  assert.deepEqual(output.events, ["0 a", "1 b"]);
  assert.deepEqual(counts, { failed: 3, delivered: 2 });
  await pipeline.stop();
});

test("a delivery that takes too long is aborted and tried again", async () => {
  await using log = await newLog();
  const output = new NotingOutput();
  output.onDeliver = (_, signal) =>
    output.attempts > 1
      ? undefined
      : new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        });
  const retry = { initialBackoffMs: 1, maxBackoffMs: 1, timeoutMs: 20 };
  const { pipeline } = await start(log, output, { retry });
  await log.append(batchOf(["a"]));
  await until(() => output.events.length === 1);
  assert.equal(output.attempts, 2);
  await pipeline.stop();
});

test("one output that is down delays no other", async () => {
  await using log = await newLog();
  const [down, up] = [new NotingOutput(), new NotingOutput()];
  down.onDeliver = () => {
    throw new Error("down");
  };
  const first = await start(log, down, { name: "down" });
  const second = await start(log, up, { name: "up" });
  await log.append(batchOf(["a", "b"]));
  await until(() => up.events.length === 2 && down.attempts > 2);
  assert.equal(first.pipeline.position, 0);
  await first.pipeline.stop();
  await second.pipeline.stop();
  const again = new NotingOutput();
  const third = await start(log, again, { name: "down" });
  await until(() => again.events.length === 2);
  await third.pipeline.stop();
});

test("events that an output will never take are found, dropped and counted; the others arrive", async () => {
  await using log = await newLog();
  const output = new NotingOutput();
  output.onDeliver = (events) => {
    if (events.some((text) => text.includes("bad"))) {
      throw new EventsRejectedError("too odd");
    }
  };
  await log.append(batchOf(["a", "bad", "b", "c", "bad2", "d"]));
  const { pipeline, counts } = await start(log, output);
  await until(() => pipeline.position === 6);
  assert.deepEqual(output.events, ["0 a", "2 b", "3 c", "5 d"]);
  assert.deepEqual(counts, { delivered: 4, rejected: 2 });
  await pipeline.stop();
});

test("the position is saved soon after the last delivery, also when nothing comes after it", async () => {
  await using log = await newLog();
  const output = new NotingOutput();
  const { pipeline } = await start(log, output);
  for (const [index, text] of ["a", "b", "c"].entries()) {
    await log.append(batchOf([text]));
    await until(() => pipeline.position === index + 1);
  }
  await until(() => pipeline.savedPosition === 3);
  await pipeline.stop();
});

test("the position outlives restarts; a new pipeline begins with the oldest event, or at the end if it is told to", async () => {
  await using log = await newLog();
  await log.append(batchOf(["a", "b"]));
  const first = new NotingOutput();
  const one = await start(log, first);
  await until(() => first.events.length === 2);
  await one.pipeline.stop();
  await log.append(batchOf(["c"]));
  const second = new NotingOutput();
  const two = await start(log, second);
  await until(() => second.events.length === 1);
  assert.deepEqual(second.events, ["2 c"]);
  await two.pipeline.stop();
  const atEnd = new NotingOutput();
  const three = await start(log, atEnd, { name: "new", startAtEnd: true });
  await log.append(batchOf(["d"]));
  await until(() => atEnd.events.length === 1);
  assert.deepEqual(atEnd.events, ["3 d"]);
  await three.pipeline.stop();
});

test("a policy that leaves everything out still moves the position on", async () => {
  await using log = await newLog();
  const output = new NotingOutput();
  const { pipeline, counts } = await start(log, output, { policy: { rules: [{ level: "None" }] } as never });
  await log.append(batchOf(['{"level":"Metadata"}', "no JSON, as it cannot be"]));
  await until(() => pipeline.position === 2);
  assert.deepEqual([output.attempts, counts], [0, { "left out": 1, unreadable: 1 }]);
  await pipeline.stop();
});

test("what a bound deletes before it is delivered is counted exactly and told of", async () => {
  await using log = await newLog(100);
  const output = new NotingOutput();
  let isDown = true;
  output.onDeliver = () => {
    if (isDown) {
      throw new Error("down");
    }
  };
  const { pipeline, counts, dropped } = await start(log, output, {
    batching: { maxEvents: 1, maxBytes: 100, maxWaitMs: 1 },
  });
  for (let i = 0; i < 10; i++) {
    await log.append(batchOf([`e${i}`]));
  }
  const none = { maxAgeMs: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };
  const small = { ...none, maxBytes: 0 };
  const keeping = { retention: small, undelivered: none };
  assert.deepEqual(await applyRetention(log, keeping, pipeline.savedPosition), { segments: 0, events: 0 });
  await applyRetention(log, { retention: small, undelivered: { ...none, maxBytes: log.bytes - 1 } }, 0);
  assert.equal(log.firstPosition, 1);
  await applyRetention(log, { retention: small, undelivered: small }, 0);
  assert.equal(log.firstPosition, 9);
  isDown = false;
  await until(() => pipeline.position === 10);
  await pipeline.stop();
  // What the pipeline had read already is delivered all the same.
  const lost = 10 - output.events.length;
  assert.ok(lost >= 6 && lost <= 9, String(lost));
  assert.deepEqual([counts["delivered"], counts["retention"]], [10 - lost, lost]);
  assert.deepEqual(dropped, [`${9 - lost} to 8`]);
});

test("a damaged segment costs its events, which are counted, and not those after it", async () => {
  const log = await newLog(100);
  for (let i = 0; i < 4; i++) {
    await log.append(batchOf([`e${i}`]));
  }
  const { directory } = log;
  const [, second = ""] = (await readdir(directory)).filter((name) => name.endsWith(".segment")).sort();
  const bytes = await readFile(join(directory, second));
  bytes.writeUInt32LE(1, 64);
  await writeFile(join(directory, second), bytes);
  const output = new NotingOutput();
  const { pipeline, counts } = await start(log, output, { batching: { maxEvents: 1, maxBytes: 100, maxWaitMs: 1 } });
  await until(() => pipeline.position === 4);
  assert.deepEqual(output.events, ["0 e0", "2 e2", "3 e3"]);
  assert.deepEqual(counts, { delivered: 3, unreadable: 1 });
  await pipeline.stop();
  await log[Symbol.asyncDispose]();
});
