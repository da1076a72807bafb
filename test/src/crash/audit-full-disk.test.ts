import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { ApiClient } from "../spec/support/api-client.js";
import { configMapsPath } from "../spec/support/fixtures.js";
import { type AuditedServer, startAuditedServer } from "../support/audited-server.js";
import { smallDisk } from "../support/small-disk.js";
import { until } from "../support/until.js";

const noDisk = "a file system of its own can be mounted only by root, on Linux";
/** Every one leaves two events; one that is refused leaves one. */
const rules = [{ level: "Metadata", verbs: ["create"], resources: [{ resources: ["configmaps"] }] }];

/** Creates config maps one by one; returns how many were answered with 201, and with 500. */
async function createSome(client: ApiClient, prefix: string, count: number) {
  const answers: Record<number, number> = { 201: 0, 500: 0 };
  for (let n = 0; n < count; n++) {
    const { status } = await client.post(configMapsPath("default"), { metadata: { name: `${prefix}-${n}` } });
    answers[status] = (answers[status] ?? 0) + 1;
  }
  return answers;
}

/** How many events the parts of the server say they have lost. */
async function lostBy(client: ApiClient, ...plugins: readonly string[]): Promise<number> {
  const { text } = await client.get("/metrics");
  return plugins.reduce((sum, plugin) => {
    const found = new RegExp(`^apiserver_audit_error_total\\{plugin="${plugin}"\\} (\\d+)$`, "m").exec(text);
    return sum + Number(found?.[1] ?? 0);
  }, 0);
}

/** Names of the events in a log, each of which stands there whole. */
async function eventsInLog(path: string): Promise<readonly string[]> {
  const lines = (await readFile(path, "utf8")).split("\n").slice(0, -1);
  return lines.map((line) => {
    const { auditID, stage } = JSON.parse(line) as { readonly auditID: string; readonly stage: string };
    return `${auditID} ${stage}`;
  });
}

function eventsAtReceiver({ receiver }: AuditedServer): readonly string[] {
  return receiver.events.map(({ auditID, stage }) => `${auditID} ${stage}`);
}

async function namespaceIsThere(client: ApiClient): Promise<void> {
  await until("there is a namespace", async () => (await client.get("/api/v1/namespaces/default")).status === 200);
}

function assertOnce(names: readonly string[]): void {
  assert.equal(new Set(names).size, names.length);
}

for (const [mode, spoolMode, whileFull] of [
  ["blocking", "batch", { 201: 30, 500: 0 }],
  ["blocking-strict", "blocking-strict", { 201: 0, 500: 30 }],
] as const) {
  test(`a full disk under log (${mode}) and spool (${spoolMode}): what is lost is counted exactly, all else arrives`, async (t) => {
    await using disk = await smallDisk(4);
    if (disk === undefined) {
      return t.skip(noDisk);
    }
    const log = join(disk.path, "audit.log");
    await using audited = await startAuditedServer({
      policy: { rules },
      flags: () => [
        "--controllers=system-namespaces-controller",
        `--audit-log-path=${log}`,
        `--audit-log-mode=${mode}`,
        `--audit-webhook-spool-dir=${join(disk.path, "spool")}`,
        `--audit-webhook-mode=${spoolMode}`,
        "--audit-webhook-batch-max-wait=50ms",
        "--audit-webhook-batch-throttle-enable=false",
        "--audit-webhook-initial-backoff=50ms",
      ],
    });
    const { client, receiver, server } = audited;
    await namespaceIsThere(client);
    assert.deepEqual(await createSome(client, "before", 20), { 201: 20, 500: 0 });
    receiver.mood = "fail";
    disk.fill();
    // Until the last page of each file is full, too.
    const filling = await createSome(client, "filling", 40);
    assert.deepEqual(await createSome(client, "full", 30), whileFull);
    disk.free();
    receiver.mood = "take";
    assert.deepEqual(await createSome(client, "after", 20), { 201: 20, 500: 0 });

    const answered = { 201: 40 + (filling[201] ?? 0) + whileFull[201], 500: (filling[500] ?? 0) + whileFull[500] };
    const produced = 2 * answered[201] + answered[500];
    const [lostByLog, lostBySpool] = [await lostBy(client, "log"), await lostBy(client, "spool", "webhook")];
    assert.ok(lostByLog >= 30 && lostBySpool >= 30, `${lostByLog} ${lostBySpool}`);
    const logged = await eventsInLog(log);
    assertOnce(logged);
    assert.equal(logged.length + lostByLog, produced);
    await until("the rest is delivered", () => eventsAtReceiver(audited).length + lostBySpool >= produced);
    const received = eventsAtReceiver(audited);
    assertOnce(received);
    assert.equal(received.length + lostBySpool, produced);
    assert.equal(await server.kill("SIGTERM"), 0);
    assert.match(server.log(), /audit events were not recorded plugin=log count=1 /);
    assert.match(server.log(), /audit events were not recorded plugin=spool count=1 /);
  });
}

test("a slow receiver and a full disk hold up no request in batch mode, and what is dropped is counted exactly", async () => {
  await using audited = await startAuditedServer({
    policy: { rules },
    flags: () => [
      "--controllers=system-namespaces-controller",
      "--audit-log-path=/dev/full",
      "--audit-log-mode=batch",
      "--audit-webhook-mode=batch",
      "--audit-webhook-batch-buffer-size=20",
      "--audit-webhook-batch-max-size=10",
      "--audit-webhook-batch-max-wait=50ms",
      "--audit-webhook-batch-throttle-qps=1",
      "--audit-webhook-batch-throttle-burst=1",
    ],
  });
  const { client, receiver, server } = audited;
  await namespaceIsThere(client);
  receiver.mood = "slow";
  assert.deepEqual(await createSome(client, "slow", 100), { 201: 100, 500: 0 });
  await until("everything is delivered or counted", async () => {
    return eventsAtReceiver(audited).length + (await lostBy(client, "buffered")) >= 200;
  });
  const lost = await lostBy(client, "buffered");
  assert.ok(lost >= 100, String(lost));
  assertOnce(eventsAtReceiver(audited));
  assert.equal(eventsAtReceiver(audited).length + lost, 200);
  await until("what the log could not take is counted", async () => (await lostBy(client, "log")) === 200);
  assert.equal(await server.kill("SIGTERM"), 0);
});
