import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createCertificates } from "@gatehouse/testing/certificates";
import { smallDisk } from "../support/small-disk.js";
import { until } from "../support/until.js";
import { sendEvents } from "./event-sender.js";
import { eventsIn, promptPipeline, SinkProcess } from "./sink-process.js";
import { SinkReader } from "./sink-reader.js";
import { verifyLog } from "./verify-log.js";

const noDisk = "a file system of its own can be mounted only by root, on Linux";
const folder = await mkdtemp(join(tmpdir(), "gatehouse-index-disk-"));
after(() => rm(folder, { recursive: true, force: true }));
const pki = await createCertificates(folder);

/**
 * Number of batches: more than the 16,384 events of one index file, so that memory must be written before more is read.
 */
const batches = 45;
const eventsInBatch = 400;
const all = batches * eventsInBatch;
const inMemory = 16_384;

test("an index on a full disk answers with what it has, says how much is missing, holds up nobody, and catches up", async (t) => {
  await using disk = await smallDisk(12);
  if (disk === undefined) {
    return t.skip(noDisk);
  }
  const path = join(folder, "out", "audit.log");
  await using sink = new SinkProcess({
    name: "beside",
    folder,
    pki,
    pipelines: [promptPipeline(path)],
    rest: { index: { directory: join(disk.path, "index") } },
  });
  await sink.start();
  disk.fill();
  using reader = await SinkReader.open(pki, sink.port);
  const followed = reader.follow();
  const acknowledged = await sendEvents({
    pki,
    port: sink.port,
    goOn: (sent) => sent < batches,
    eventsInBatch,
    connections: 2,
  });
  assert.equal(acknowledged.length, all);
  await until("the index can go no further", async () => (await reader.indexed()).events === inMemory);
  const stuck = await until("readers are told", async () => {
    const index = await reader.indexed();
    return index.behind === all - inMemory && index;
  });
  assert.equal(stuck.events, inMemory);
  assert.equal((await reader.auditIds()).length, inMemory);
  await until("those who follow are told the same", () => followed.told + followed.skipped === inMemory);
  assert.match(sink.output, /the index cannot go on, and tries again .*ENOSPC/);
  assert.equal((await reader.get("/livez")).status, 200);

  await until("everything is delivered", async () => (await eventsIn(path)).length >= all);

  // Killed now, it knows nothing of what stood in memory, and reads the log again.
  await sink.kill("SIGKILL");
  await sink.start();
  using other = await SinkReader.open(pki, sink.port);
  await until("the index has come as far again", async () => (await other.indexed()).events === inMemory);
  disk.free();
  await until("the index has everything", async () => {
    const { events, behind } = await other.indexed();
    return events === all && behind === 0;
  });
  assert.deepEqual((await other.auditIds()).toSorted(), acknowledged.toSorted());
  assert.equal(await sink.kill("SIGTERM"), 0);
  const { code, lines } = await verifyLog(sink.logDirectory);
  assert.equal(code, 0, lines.join("\n"));
});

test("a sink all of whose files are on a full disk starts there, answers, and goes on with space again", async (t) => {
  await using disk = await smallDisk(16);
  if (disk === undefined) {
    return t.skip(noDisk);
  }
  const path = join(disk.path, "out", "audit.log");
  await using sink = new SinkProcess({
    name: "together",
    folder: disk.path,
    pki,
    pipelines: [promptPipeline(path, { maxBytes: "64Ki", maxFiles: 1000 })],
    rest: { index: { directory: join(disk.path, "index") } },
  });
  await sink.start();
  const refusals = new Set<string>();
  let isOver = false;
  const sending = sendEvents({
    pki,
    port: sink.port,
    goOn: () => !isOver,
    eventsInBatch: 20,
    connections: 2,
    paceMs: 10,
    onRefused: (status, body) => refusals.add(`${status} ${JSON.parse(body).message}`),
  });
  await until("some events are delivered", async () => (await eventsIn(path)).length > 500);
  disk.fill();
  await until("events are refused", () => refusals.size > 0);
  for (let round = 0; round < 2; round++) {
    await sink.kill("SIGKILL");
    refusals.clear();
    await sink.start();
    using reader = await SinkReader.open(pki, sink.port);
    await until("readers are answered", async () => (await reader.indexed()).behind === 0);
    assert.ok((await reader.auditIds()).length > 500);
    await until("events are refused", () => refusals.size > 0);
  }
  assert.deepEqual([...refusals], ["503 the log cannot be written (ENOSPC); nothing of the request is kept"]);
  disk.free();
  const before = (await eventsIn(path)).length;
  await until("events are delivered again", async () => (await eventsIn(path)).length > before + 100);
  isOver = true;
  const acknowledged = (await sending).toSorted();
  await until("everything is delivered", async () => (await eventsIn(path)).length >= acknowledged.length);
  assert.deepEqual((await eventsIn(path)).map(({ auditID }) => auditID).toSorted(), acknowledged);
  using reader = await SinkReader.open(pki, sink.port);
  await until("everything is indexed", async () => (await reader.indexed()).events >= acknowledged.length);
  assert.deepEqual((await reader.auditIds()).toSorted(), acknowledged);
  assert.equal(await sink.kill("SIGTERM"), 0);
  const { code, lines } = await verifyLog(sink.logDirectory);
  assert.equal(code, 0, lines.join("\n"));
});
