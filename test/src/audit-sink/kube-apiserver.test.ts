import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { noPeer, startPeerServer } from "../support/peer-server.js";
import { createTestPki } from "../support/test-pki.js";
import { until } from "../support/until.js";
import { eventsIn, SinkProcess } from "./sink-process.js";

const folder = await mkdtemp(join(tmpdir(), "gatehouse-sink-peer-"));
after(() => rm(folder, { recursive: true, force: true }));

const requests = 300;

interface ParsedEvent {
  readonly auditID: string;
  readonly stage: string;
}

test("what a kube-apiserver v1.29 writes to its own log, the sink gets from its webhook: the same events", {
  skip: noPeer ?? false,
}, async () => {
  const pki = await createTestPki(folder);
  const delivered = join(folder, "out", "audit.log");
  await using sink = new SinkProcess({
    name: "sink",
    folder,
    pki,
    pipelines: [{ name: "file", batching: { maxWait: "50ms" }, output: { file: { path: delivered } } }],
  });
  await sink.start();
  const own = join(folder, "own.log");
  const policy = join(folder, "policy.yaml");
  await writeFile(policy, "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: RequestResponse}]\n");
  await using peer = await startPeerServer([
    `--audit-policy-file=${policy}`,
    `--audit-log-path=${own}`,
    `--audit-webhook-config-file=${await sink.kubeconfig()}`,
    "--audit-webhook-batch-max-wait=100ms",
    "--audit-webhook-batch-throttle-enable=false",
  ]);
  for (let n = 0; n < requests; n++) {
    const answer = await peer.client.requestJson({
      method: "POST",
      path: "/api/v1/namespaces/default/configmaps",
      body: { metadata: { name: `cm-${n}` }, data: { text: "ü <&>\u2028".repeat(n) } },
      signal: new AbortController().signal,
      timeoutMs: 10_000,
    });
    assert.equal(answer.status, 201);
  }
  const read = async (): Promise<ParsedEvent[]> =>
    (await readFile(own, "utf8"))
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const isOurs = (event: ParsedEvent & { objectRef?: { name?: string; resource?: string } }): boolean =>
    event.objectRef?.resource === "configmaps" && event.objectRef.name?.startsWith("cm-") === true;
  const recorded = (await read()).filter(isOurs).sort(byId);
  assert.equal(recorded.length, requests);
  await until("the sink has them all", async () => (await eventsIn(delivered)).filter(isOurs).length >= requests);
  assert.deepEqual((await eventsIn(delivered)).filter(isOurs).toSorted(byId), recorded);
});

function byId(a: ParsedEvent, b: ParsedEvent): number {
  return a.auditID < b.auditID ? -1 : a.auditID > b.auditID ? 1 : a.stage < b.stage ? -1 : 1;
}
