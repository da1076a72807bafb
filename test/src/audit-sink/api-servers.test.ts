import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { HttpClient } from "@gatehouse/component-base/http-client";
import { createCertificates } from "@gatehouse/testing/certificates";
import { noPeer, startPeerServer } from "../support/peer-server.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";
import { eventsIn, SinkProcess } from "./sink-process.js";
import { verifyLog } from "./verify-log.js";

/** Number of requests that a kube-apiserver records in each mode of its webhook; `npm run soak` asks for more. */
const peerRequests = Number(process.env["AUDITED_REQUESTS"] ?? 150);
const folder = await mkdtemp(join(tmpdir(), "gatehouse-sink-servers-"));
after(() => rm(folder, { recursive: true, force: true }));
const pki = await createCertificates(folder);
const policy = join(folder, "policy.yaml");
await writeFile(policy, "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: RequestResponse}]\n");

interface RecordedEvent {
  readonly auditID: string;
  readonly stage: string;
  readonly objectRef?: { readonly resource?: string; readonly name?: string };
}

/** A sink with one file, and the flags of a server that sends to it and keeps a log of its own beside. */
async function sinkFor(name: string) {
  const delivered = join(folder, `${name}-out`, "audit.log");
  const sink = new SinkProcess({
    name,
    folder,
    pki,
    pipelines: [{ name: "file", batching: { maxWait: "50ms" }, output: { file: { path: delivered } } }],
  });
  await sink.start();
  const own = join(folder, `${name}-own.log`);
  const flags = [
    `--audit-policy-file=${policy}`,
    `--audit-log-path=${own}`,
    `--audit-webhook-config-file=${await sink.kubeconfig()}`,
    "--audit-webhook-batch-max-wait=100ms",
    "--audit-webhook-batch-throttle-enable=false",
  ];
  return { sink, flags, own, delivered };
}

/** Makes them, four at a time. */
async function createConfigMaps(client: HttpClient, first: number, count: number): Promise<void> {
  let next = first;
  const work = async (): Promise<void> => {
    while (next < first + count) {
      const n = next++;
      const answer = await client.requestJson({
        method: "POST",
        path: "/api/v1/namespaces/default/configmaps",
        body: { metadata: { name: `cm-${n}` }, data: { text: "ü <&>\u2028".repeat(n % 50) } },
        signal: new AbortController().signal,
        timeoutMs: 10_000,
      });
      assert.equal(answer.status, 201);
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
}

/** The events of `createConfigMaps` that have a name, which is one of each request: its last. Sorted. */
function ofConfigMaps(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  return events
    .filter(({ objectRef }) => objectRef?.resource === "configmaps" && objectRef.name?.startsWith("cm-") === true)
    .toSorted((a, b) => (a.auditID < b.auditID ? -1 : a.auditID > b.auditID ? 1 : a.stage < b.stage ? -1 : 1));
}

async function ofDelivered(path: string): Promise<readonly RecordedEvent[]> {
  return ofConfigMaps(await eventsIn(path));
}

async function linesOf(path: string): Promise<readonly RecordedEvent[]> {
  const text = await readFile(path, "utf8");
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as RecordedEvent);
}

for (const mode of ["batch", "blocking"]) {
  test(`what a kube-apiserver v1.29 writes to its own log, the sink gets from its webhook (${mode}): the same events`, {
    skip: noPeer ?? false,
  }, async (t) => {
    const { sink, flags, own, delivered } = await sinkFor(`peer-${mode}`);
    await using _sink = sink;
    await using peer = await startPeerServer([...flags, `--audit-webhook-mode=${mode}`]);
    await createConfigMaps(peer.client, 0, peerRequests);
    // Its log is written in the background, too.
    await until("its own log is whole", async () => ofConfigMaps(await linesOf(own)).length >= peerRequests);
    const recorded = ofConfigMaps(await linesOf(own));
    t.diagnostic(`${recorded.length} events`);
    assert.equal(recorded.length, peerRequests);
    await until("the sink has them all", async () => (await ofDelivered(delivered)).length >= recorded.length);
    assert.deepEqual(await ofDelivered(delivered), recorded);
  });
}

test("our server with a spool: nothing is lost while the sink is killed and away, and its numbers prove it", async () => {
  const { sink, flags, own, delivered } = await sinkFor("ours");
  await using _sink = sink;
  const spool = `--audit-webhook-spool-dir=${join(folder, "spool")}`;
  await using server = await startTestServer({ flags: [...flags, "--audit-webhook-initial-backoff=100ms", spool] });
  await createConfigMaps(server.client, 0, 50);
  const away = sink.kill("SIGKILL");
  await createConfigMaps(server.client, 50, 50);
  await away;
  await sleep(500);
  await sink.start();
  await createConfigMaps(server.client, 100, 50);
  const recorded = ofConfigMaps(await linesOf(own));
  assert.ok(recorded.length >= 150);
  await until("the sink has them all", async () => (await ofDelivered(delivered)).length >= recorded.length);
  assert.deepEqual(await ofDelivered(delivered), recorded);
  assert.equal(await server.kill("SIGTERM"), 0);
  assert.equal(await sink.kill("SIGTERM"), 0);
  const { code, lines } = await verifyLog(sink.logDirectory);
  assert.equal(code, 0, lines.join("\n"));
  assert.ok(!lines.some((line) => line.includes("without numbers")), lines.join("\n"));
});
