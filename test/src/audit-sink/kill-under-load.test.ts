import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createCertificates } from "@gatehouse/testing/certificates";
import { until } from "../support/until.js";
import { sendEvents } from "./event-sender.js";
import { eventsIn, SinkProcess } from "./sink-process.js";
import { verifyLog } from "./verify-log.js";

/** Number of times that each of the two sinks is killed; `npm run soak` asks for more. */
const kills = Number(process.env["SINK_KILLS"] ?? 1);
const folder = await mkdtemp(join(tmpdir(), "gatehouse-sink-kill-"));
after(() => rm(folder, { recursive: true, force: true }));

const file = (path: string) => ({ file: { path, maxBytes: "200Ki" } });
const quick = { batching: { maxEvents: 100, maxWait: "20ms" }, retry: { initialBackoff: "20ms", maxBackoff: "100ms" } };

test("kill -9 of the sink and of its output under load: every acknowledged event is delivered, and delivered once", async () => {
  const pki = await createCertificates(folder);
  const paths = { first: join(folder, "first", "audit.log"), second: join(folder, "second", "audit.log") };
  await using second = new SinkProcess({
    name: "second",
    folder,
    pki,
    pipelines: [{ name: "file", ...quick, output: file(paths.second) }],
  });
  await second.start();
  await using first = new SinkProcess({
    name: "first",
    folder,
    pki,
    pipelines: [
      { name: "file", ...quick, output: file(paths.first) },
      { name: "forward", ...quick, output: { webhook: { kubeConfigFile: await second.kubeconfig() } } },
    ],
  });
  await first.start();
  let isOver = false;
  const goOn = (): boolean => !isOver;
  const sending = sendEvents({ pki, port: first.port, goOn, eventsInBatch: 50, connections: 8, paceMs: 80 });
  for (let kill = 0; kill < kills; kill++) {
    for (const sink of [first, second]) {
      await sleep(100 + Math.random() * 200);
      await sink.kill("SIGKILL");
      await sleep(Math.random() * 200);
      await sink.start();
    }
  }
  isOver = true;
  const acknowledged = (await sending).toSorted();
  assert.ok(acknowledged.length > 100, String(acknowledged.length));
  for (const path of [paths.first, paths.second]) {
    await until("everything is delivered", async () => (await eventsIn(path)).length >= acknowledged.length);
    const ids = (await eventsIn(path)).map(({ auditID }) => auditID).toSorted();
    assert.deepEqual(ids, acknowledged, path);
  }
  assert.deepEqual([await first.kill("SIGTERM"), await second.kill("SIGTERM")], [0, 0]);
  for (const sink of [first, second]) {
    const { code, lines } = await verifyLog(sink.logDirectory);
    assert.equal(code, 0, lines.join("\n"));
  }
});
