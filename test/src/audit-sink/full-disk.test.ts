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
import { verifyLog } from "./verify-log.js";

const noDisk = "a file system of its own can be mounted only by root, on Linux";
const folder = await mkdtemp(join(tmpdir(), "gatehouse-sink-disk-"));
after(() => rm(folder, { recursive: true, force: true }));

test("a full disk refuses events with a clear error and loses none; with space again, it goes on by itself", async (t) => {
  await using disk = await smallDisk(16);
  if (disk === undefined) {
    return t.skip(noDisk);
  }
  const pki = await createCertificates(folder);
  const path = join(disk.path, "out", "audit.log");
  await using sink = new SinkProcess({
    name: "sink",
    folder: disk.path,
    pki,
    pipelines: [promptPipeline(path, { maxBytes: "1Mi" })],
  });
  await sink.start();
  const refusals: string[] = [];
  const sending = sendEvents({
    pki,
    port: sink.port,
    goOn: (batches) => batches < 40,
    eventsInBatch: 50,
    connections: 4,
    paceMs: 20,
    onRefused(status, body) {
      refusals.push(`${status} ${JSON.parse(body).message}`);
    },
  });
  await until("some events are delivered", async () => (await eventsIn(path)).length > 200);
  disk.fill();
  await until("events are refused", () => refusals.length > 5);
  disk.free();
  const acknowledged = (await sending).toSorted();
  assert.deepEqual([...new Set(refusals)], ["503 the log cannot be written (ENOSPC); nothing of the request is kept"]);
  await until("everything is delivered", async () => (await eventsIn(path)).length >= acknowledged.length);
  assert.deepEqual((await eventsIn(path)).map(({ auditID }) => auditID).toSorted(), acknowledged);
  assert.equal(await sink.kill("SIGTERM"), 0);
  const { code, lines } = await verifyLog(sink.logDirectory);
  assert.equal(code, 0, lines.join("\n"));
});
