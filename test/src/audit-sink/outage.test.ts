import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { ControlPlane } from "@gatehouse/testing";
import { createCertificates } from "@gatehouse/testing/certificates";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";
import { eventsIn, SinkProcess } from "./sink-process.js";
import { verifyLog } from "./verify-log.js";

/** Time in milliseconds that the sink is away, in each mode; `npm run soak` asks for minutes. */
const outageMs = Number(process.env["OUTAGE_SECONDS"] ?? 3) * 1000;
/** Time in milliseconds between two writes of one writer: an outage is about time, not about load. */
const paceMs = 20;
const writers = 4;

const folder = await mkdtemp(join(tmpdir(), "gatehouse-outage-"));
after(() => rm(folder, { recursive: true, force: true }));
const pki = await createCertificates(folder);
const policy = join(folder, "policy.json");
const rules = [{ level: "Metadata", resources: [{ resources: ["configmaps"] }] }];
await writeFile(policy, JSON.stringify({ apiVersion: "audit.k8s.io/v1", kind: "Policy", rules }));

/** Writes until the signal aborts; resolves to the IDs of requests that were answered. */
async function writeUntil(server: ControlPlane, signal: AbortSignal): Promise<readonly string[]> {
  const ids: string[] = [];
  let count = 0;
  const write = async (): Promise<void> => {
    while (!signal.aborted) {
      const id = `write-${count++}`;
      const { status } = await server.client.requestJson({
        method: "POST",
        path: "/api/v1/namespaces/default/configmaps",
        headers: { "audit-id": id },
        body: { metadata: { name: id } },
        signal: new AbortController().signal,
        timeoutMs: 60_000,
      });
      assert.equal(status, 201);
      ids.push(id);
      await sleep(paceMs);
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return ids;
}

const stagesOf = (id: string): readonly string[] => [`${id} RequestReceived`, `${id} ResponseComplete`];

for (const [mode, clock] of [
  ["batch", "steady"],
  ["blocking-strict", "unsteady"],
] as const) {
  test(`a sink is away under load, ${mode} with a spool and a clock that is ${clock}: every event arrives, once`, async (t) => {
    if (clock === "unsteady") {
      const before = process.env["NODE_OPTIONS"];
      process.env["NODE_OPTIONS"] = `--import=${new URL("../support/unsteady-clock.js", import.meta.url).href}`;
      t.after(() => {
        process.env["NODE_OPTIONS"] = before ?? "";
      });
    }
    const delivered = join(folder, mode, "audit.log");
    const output = { file: { path: delivered, maxBytes: "256Ki", maxFiles: 100_000 } };
    const pipelines = [{ name: "file", batching: { maxWait: "50ms" }, output }];
    await using sink = new SinkProcess({ name: `sink-${mode}`, folder, pki, pipelines });
    await sink.start();
    const spool = join(folder, `spool-${mode}`);
    await using server = await startTestServer({
      flags: [
        "--authorization-mode=AlwaysAllow",
        "--controllers=system-namespaces-controller",
        `--audit-policy-file=${policy}`,
        `--audit-webhook-config-file=${await sink.kubeconfig()}`,
        `--audit-webhook-mode=${mode}`,
        "--audit-webhook-batch-max-wait=100ms",
        "--audit-webhook-batch-throttle-enable=false",
        "--audit-webhook-initial-backoff=100ms",
        `--audit-webhook-spool-dir=${spool}`,
      ],
    });
    await until("there is a namespace", async () => {
      const { status } = await server.client.requestJson({
        path: "/api/v1/namespaces/default",
        signal: new AbortController().signal,
        timeoutMs: 10_000,
      });
      return status === 200;
    });
    const end = new AbortController();
    const writing = writeUntil(server, end.signal);
    await until("events arrive", async () => (await eventsIn(delivered)).length > 10);
    await sink.kill("SIGKILL");
    await sleep(outageMs);
    // What the server has recorded meanwhile is on its disk, and nowhere else.
    const waiting = (await readdir(spool)).filter((name) => name.endsWith(".events"));
    assert.ok((await readFile(join(spool, waiting.at(-1) as string))).length > 0);
    await sink.start();
    await sleep(500);
    end.abort();
    const expected = (await writing).flatMap(stagesOf).toSorted();
    t.diagnostic(`${expected.length} events, ${outageMs / 1000} s without a sink`);
    const arrived = async () => (await eventsIn(delivered)).map(({ auditID, stage }) => `${auditID} ${stage}`);
    await until("everything is delivered", async () => (await arrived()).length >= expected.length);
    assert.deepEqual((await arrived()).toSorted(), expected);
    assert.equal(await server.kill("SIGTERM"), 0);
    assert.equal(await sink.kill("SIGTERM"), 0);
    assert.doesNotMatch(server.logs.text(), /audit events were not recorded/);
    const { code, lines } = await verifyLog(sink.logDirectory);
    assert.equal(code, 0, lines.join("\n"));
  });
}
