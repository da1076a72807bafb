import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { ApiClient } from "../spec/support/api-client.js";
import { configMapsPath } from "../spec/support/fixtures.js";
import { type AuditedServer, startAuditedServer } from "../support/audited-server.js";
import { type SmallDisk, smallDisk } from "../support/small-disk.js";
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

/** Returns the number of events that the server has made, by its metrics. */
async function producedBy(client: ApiClient): Promise<number> {
  const { text } = await client.get("/metrics");
  return Number(/^apiserver_audit_event_total (\d+)$/m.exec(text)?.[1] ?? 0);
}

/** Returns the number of events that the given audit plugins report as lost. */
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

/** A server whose spool, and whose log if it has one, is on a small disk of its own. */
function startOnDisk(disk: SmallDisk, ...flags: readonly string[]): Promise<AuditedServer> {
  return startAuditedServer({
    policy: { rules },
    flags: () => [
      "--controllers=system-namespaces-controller",
      `--audit-webhook-spool-dir=${join(disk.path, "spool")}`,
      "--audit-webhook-batch-max-wait=50ms",
      "--audit-webhook-batch-throttle-enable=false",
      "--audit-webhook-initial-backoff=50ms",
      ...flags,
    ],
  });
}

test("a full disk under log (blocking) and spool (batch): what the log loses is counted exactly, the spool loses nothing", async (t) => {
  await using disk = await smallDisk(4);
  if (disk === undefined) {
    return t.skip(noDisk);
  }
  const log = join(disk.path, "audit.log");
  const flags = [`--audit-log-path=${log}`, "--audit-log-mode=blocking", "--audit-webhook-mode=batch"];
  await using audited = await startOnDisk(disk, ...flags);
  const { client, receiver, server } = audited;
  await namespaceIsThere(client);
  assert.deepEqual(await createSome(client, "before", 20), { 201: 20, 500: 0 });
  receiver.mood = "fail";
  disk.fill();
  assert.deepEqual(await createSome(client, "full", 70), { 201: 70, 500: 0 });
  disk.free();
  receiver.mood = "take";
  assert.deepEqual(await createSome(client, "after", 20), { 201: 20, 500: 0 });

  const produced = 2 * 110;
  const lostByLog = await lostBy(client, "log");
  assert.ok(lostByLog >= 30, String(lostByLog));
  const logged = await eventsInLog(log);
  assertOnce(logged);
  assert.equal(logged.length + lostByLog, produced);
  await until("everything is delivered", () => eventsAtReceiver(audited).length >= produced);
  assertOnce(eventsAtReceiver(audited));
  assert.equal(eventsAtReceiver(audited).length, produced);
  assert.equal(await lostBy(client, "spool", "webhook"), 0);
  assert.equal(await server.kill("SIGTERM"), 0);
  assert.match(server.logs.text(), /audit events were not recorded plugin=log count=1 /);
  assert.match(server.logs.text(), /the audit spool cannot be worked with/);
});

/** Requests that may be held up until the disk is free again. */
class Load {
  readonly #client: ApiClient;
  /** Names of what was made, as clients were told. */
  readonly created: string[] = [];
  readonly refused: Awaited<ReturnType<ApiClient["post"]>>[] = [];
  readonly #underWay: Promise<void>[] = [];

  constructor(client: ApiClient) {
    this.#client = client;
  }

  #create(name: string): void {
    const answered = this.#client.post(configMapsPath("default"), { metadata: { name } }).then(
      (answer) => {
        if (answer.status === 201) {
          this.created.push(name);
        } else {
          this.refused.push(answer);
        }
      },
      () => undefined,
    );
    this.#underWay.push(answered);
  }

  /** Creates until so many more requests have been refused. */
  async untilRefused(prefix: string, count: number): Promise<void> {
    const goal = this.refused.length + count;
    let n = 0;
    await until("requests are refused", () => {
      this.#create(`${prefix}-${n++}`);
      return this.refused.length >= goal;
    });
  }

  /** Creates until so many more have been made. */
  async untilCreated(prefix: string, count: number): Promise<void> {
    const goal = this.created.length + count;
    let n = 0;
    await until("requests are answered", () => {
      this.#create(`${prefix}-${n++}`);
      return this.created.length >= goal;
    });
  }

  async answered(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}

/** Names of the requests whose end the receiver knows with this code. */
function endsAtReceiver({ receiver }: AuditedServer, code: number): Set<string> {
  const ends = receiver.events.filter(({ stage, responseStatus }) => {
    return stage === "ResponseComplete" && (responseStatus as { readonly code: number }).code === code;
  });
  return new Set(ends.map(({ objectRef }) => (objectRef as { readonly name: string }).name));
}

test("a full disk under a spool: requests that must be recorded are refused, and every event arrives when it is free", async (t) => {
  await using disk = await smallDisk(4);
  if (disk === undefined) {
    return t.skip(noDisk);
  }
  await using audited = await startOnDisk(disk);
  const { client, receiver, server } = audited;
  await namespaceIsThere(client);
  const load = new Load(client);
  receiver.mood = "fail";
  disk.fill();
  await load.untilRefused("full", 20);
  for (const { status, headers, document } of load.refused) {
    assert.equal(status, 503);
    assert.equal(headers["retry-after"], "1");
    const { message, ...rest } = document;
    assert.deepEqual(rest, {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      reason: "ServiceUnavailable",
      details: { retryAfterSeconds: 1 },
      code: 503,
    });
    assert.match(
      message ?? "",
      /^the request cannot be recorded in the audit log: the audit spool cannot be written \(ENOSPC\)$/,
    );
  }
  const names = (await client.get(configMapsPath("default"))).document.items?.map(({ metadata }) => metadata?.name);
  assert.ok(names !== undefined, "what is not recorded is answered");
  disk.free();
  receiver.mood = "take";
  await load.untilCreated("after", 20);
  await load.answered();
  const produced = await producedBy(client);
  await until("everything is delivered", () => eventsAtReceiver(audited).length >= produced);
  assertOnce(eventsAtReceiver(audited));
  assert.equal(eventsAtReceiver(audited).length, produced);
  const recorded = endsAtReceiver(audited, 201);
  assert.deepEqual(
    load.created.filter((name) => !recorded.has(name)),
    [],
  );
  assert.equal(await lostBy(client, "spool", "webhook"), 0);
  assert.equal(await server.kill("SIGTERM"), 0);
  assert.doesNotMatch(server.logs.text(), /audit events were not recorded/);
});

test("a server that is killed while the disk under its spool is full has recorded all that it has answered", async (t) => {
  await using disk = await smallDisk(4);
  if (disk === undefined) {
    return t.skip(noDisk);
  }
  await using audited = await startOnDisk(disk);
  const { client, receiver, server } = audited;
  await namespaceIsThere(client);
  const load = new Load(client);
  receiver.mood = "fail";
  await load.untilCreated("before", 20);
  disk.fill();
  await load.untilRefused("full", 20);
  await server.kill("SIGKILL");
  await load.answered();
  disk.free();
  receiver.mood = "take";
  await server.restart();
  await until("all that was answered is delivered", () => {
    const recorded = endsAtReceiver(audited, 201);
    return load.created.every((name) => recorded.has(name));
  });
});

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
