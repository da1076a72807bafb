import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { openAuditLog } from "../log/audit-log.js";
import { batchOf } from "../log/log.test.support.js";
import { type EventIndex, IndexBusyError, type TailNews } from "./event-index.js";
import { openEventIndex } from "./open-event-index.js";

const root = mkdtempSync(join(tmpdir(), "gatehouse-event-index-"));
after(() => rmSync(root, { recursive: true }));

const retention = { maxAgeMs: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };
const stallMs = 30_000;

function texts(count: number, user: string): string[] {
  return Array.from({ length: count }, (_, n) =>
    JSON.stringify({
      auditID: String(n),
      verb: "get",
      requestURI: "/api/v1/pods",
      stage: "Panic",
      user: { username: user },
    }),
  );
}

async function until(what: () => boolean): Promise<void> {
  for (const end = Date.now() + stallMs; !what(); ) {
    assert.ok(Date.now() < end, "nothing happens");
    await delay(20);
  }
}

function openBoth(name: string) {
  const log = openAuditLog({ directory: join(root, name, "log"), segmentBytes: 100_000 });
  return log.then(async (opened) => {
    return {
      log: opened,
      index: await openEventIndex({ config: { directory: join(root, name, "index"), retention }, log: opened }),
    };
  });
}

async function countOf(index: EventIndex, user: string): Promise<number> {
  const options = { fromUs: 0, toUs: Number.MAX_SAFE_INTEGER, buckets: 1, top: 1 };
  return (await index.summarise({ fields: { user: [user] } }, options)).total;
}

describe("the index in its thread", () => {
  test("follows the log, answers, and tells those who follow", async () => {
    const { log, index } = await openBoth("follows");
    const news: TailNews[] = [];
    const untail = index.tail({ fields: { user: ["alice"] } }, (portion) => news.push(portion));
    await log.append(batchOf(texts(100, "alice")));
    await log.append(batchOf(texts(50, "bob"), { sender: "cluster-b" }));
    await until(() => index.status.position === 150);
    assert.equal(await countOf(index, "bob"), 50);
    const { events, next } = await index.find({ fields: { sender: ["cluster-b"] } }, { limit: 10 });
    assert.deepEqual(events.map(({ position, sender }) => [position, sender])[0], [149, "cluster-b"]);
    assert.equal(Buffer.from(events[0]?.json ?? []).toString(), texts(50, "bob")[49]);
    assert.equal(next?.position, 140);
    assert.equal((await index.event(3))?.position, 3);
    assert.equal(await index.event(1000), undefined);
    await until(() => news.reduce((sum, portion) => sum + portion.events.length, 0) === 100);
    assert.equal(news[0]?.events[0]?.json.toString(), texts(1, "alice")[0]);
    untail();
    await log.append(batchOf(texts(1000, "carol")));
    const answers = await Promise.allSettled(Array.from({ length: 80 }, () => index.event(1)));
    assert.ok(answers.some((each) => each.status === "rejected" && each.reason instanceof IndexBusyError));
    await log[Symbol.asyncDispose]();
    await index[Symbol.asyncDispose]();
    assert.equal(index.status.durablePosition, index.status.position);
  });

  test("refuses to go on with the log of somebody else", async () => {
    const { log, index } = await openBoth("other");
    await log.append(batchOf(texts(10, "alice")));
    await until(() => index.status.position === 10);
    await index[Symbol.asyncDispose]();
    await log[Symbol.asyncDispose]();
    rmSync(join(root, "other", "log"), { recursive: true });
    await assert.rejects(openBoth("other"), /has read up to position 10, but the log ends at 0/);
  });

  test("holds every event of the log once after kill -9 under load", async () => {
    const program = `
      import { openAuditLog } from ${JSON.stringify(new URL("../log/audit-log.js", import.meta.url).href)};
      import { openEventIndex } from ${JSON.stringify(new URL("open-event-index.js", import.meta.url).href)};
      import { batchOf } from ${JSON.stringify(new URL("../log/log.test.support.js", import.meta.url).href)};
      const [directory, texts] = JSON.parse(process.argv[2]);
      const log = await openAuditLog({ directory: directory + "/log", segmentBytes: 2_000_000 });
      const retention = { maxAgeMs: 1e15, maxBytes: 1e15 };
      const index = await openEventIndex({ config: { directory: directory + "/index", retention }, log });
      for (;;) {
        await log.append(batchOf(texts));
        if (index.status.durablePosition >= 16_384) {
          console.log("go");
        }
      }`;
    const directory = join(root, "killed");
    const file = join(root, "killed.mjs");
    writeFileSync(file, program);
    const child = spawn(process.execPath, [file, JSON.stringify([directory, texts(200, "alice")])], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "exit");
    const { log, index } = await openBoth("killed");
    await until(() => index.status.position === log.endPosition);
    assert.equal(await countOf(index, "alice"), log.endPosition);
    assert.ok(log.endPosition >= 16_384);
    await index[Symbol.asyncDispose]();
    await log[Symbol.asyncDispose]();
  });
});
