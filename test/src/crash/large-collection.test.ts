import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import type { ApiDocument } from "../spec/support/api-document.js";
import { assertCode } from "../spec/support/assert-status.js";
import { versionOf } from "../spec/support/fixtures.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";
import { fillStore } from "./fill-store.js";
import { randomContent } from "./recorded-write.js";
import { startWatcher } from "./recording-watcher.js";
import { startWriter } from "./recording-writer.js";
import { assertSameState, replay, stateOfItems } from "./state-of-collection.js";
import { stopping } from "./stopping.js";

/** `npm run soak` stores more. */
const size = Number(process.env["CRASH_OBJECTS"] ?? 20_000);
const limit = 500;
const writerCount = 6;
const collection = "/api/v1/namespaces/large/configmaps";

/** `c00000` and so on; sorted as text as they are by number. */
const names = Array.from({ length: size }, (_, index) => `c${String(index).padStart(6, "0")}`);

let server: ControlPlane;
let client: ApiClient;
before(async () => {
  server = await startTestServer({ flags: ["--controllers=*,-root-ca-certificate-publisher-controller"] });
  client = createApiClient(server.clientConfig);
  assertCode(await client.post("/api/v1/namespaces", { metadata: { name: "large" } }), 201);
  const template = { metadata: { name: "template" }, data: randomContent(64) };
  assertCode(await client.post(collection, template), 201);
  await server.kill("SIGTERM");
  await fillStore(server.dataDirectory, "/registry/configmaps/large/template", names);
  await server.restart();
  assertCode(await client.delete(`${collection}/template`), 200);
});
after(async () => {
  client?.[Symbol.dispose]();
  await server?.stop();
});

test(`${size} objects: pages of ${limit} are one consistent state while writers go on, and a watch from it misses nothing`, async (context) => {
  const start = await readWhole();
  assert.equal(start.items.length, size);
  const initial = stateOfItems(start.items);

  const watching = new AbortController();
  const writing = new AbortController();
  // A test that fails must not leave anything running.
  using _ = stopping(writing, watching);
  const fromStart = startWatcher(client, collection, versionOf(start), watching.signal);
  const writers = Array.from({ length: writerCount }, (_, index) => {
    // Each has its own objects, spread over the whole, and some that are not there yet.
    const own = names.filter((_name, at) => at % writerCount === index && at % 50 < writerCount);
    return startWriter(client, collection, `w${index}`, writing.signal, [...own, ...own.map((name) => `${name}-new`)]);
  });
  await until("the writers have begun", () => writers.every(({ acknowledged }) => acknowledged.length > 10));

  const pages = await readPages();
  const version = versionOf(pages[0] as ApiDocument);
  const paged = stateOfItems(pages.flatMap((page) => page.items));
  const fromPages = startWatcher(client, collection, version, watching.signal);
  const written = writers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  context.diagnostic(`${pages.length} pages at version ${version}, ${written} writes by the end of them`);

  writing.abort();
  await Promise.all(writers.map(({ done }) => done));
  const end = await readWhole();
  const last = end.items.map((item) => Number(versionOf(item))).reduce((a, b) => Math.max(a, b), 0);
  await until("the watchers have caught up", () => fromStart.revision >= last && fromPages.revision >= last);

  // Deletions have no item to tell their revision; both watchers must come to the state that the list shows.
  const final = stateOfItems(end.items);
  await until("the watchers have seen the last deletion", () => {
    return replay(initial, fromStart.events).size === final.size && replay(paged, fromPages.events).size === final.size;
  });
  watching.abort();
  await Promise.all([fromStart.done, fromPages.done]);
  assertPagesAreOneList(pages);
  assertSameState(paged, replay(initial, fromStart.events, Number(version)), "the pages, and the events up to them");
  assertSameState(final, replay(initial, fromStart.events), "the end, and the events from the start");
  assertSameState(final, replay(paged, fromPages.events), "the end, and the events from the pages");
});

test(`${size} objects are there again after a restart, a page's token still leads on, and a watch resumes`, async () => {
  const before = await readWhole();
  const first = await readPage("");
  // The writers may have ended with the deletion of any of the names.
  const name = before.items[0]?.metadata.name;
  assertCode(
    await client.patch(`${collection}/${name}`, "application/merge-patch+json", { data: { after: "1" } }),
    200,
  );
  await server.restart();

  const second = await readPage(String(first.metadata.continue));
  assert.equal(versionOf(second), versionOf(first));
  assert.deepEqual(
    second.items.map((item) => item.metadata.name),
    before.items.slice(limit, 2 * limit).map((item) => item.metadata.name),
  );
  using watch = await client.watch(`${collection}?watch=1&resourceVersion=${versionOf(before)}`);
  const event = await watch.next();
  assert.deepEqual([event.type, event.object.metadata.name], ["MODIFIED", name]);

  const again = stateOfItems((await readWhole()).items);
  const expected = stateOfItems(before.items);
  expected.set(String(name), `${versionOf(event.object)} ${event.object.data?.["sum"]}`);
  assertSameState(again, expected, "what is there after the restart");
});

async function readWhole(): Promise<ApiDocument> {
  const answer = await client.get(collection);
  assertCode(answer, 200);
  return answer.document;
}

async function readPage(token: string): Promise<ApiDocument> {
  const answer = await client.get(`${collection}?limit=${limit}${token === "" ? "" : `&continue=${token}`}`);
  assertCode(answer, 200);
  return answer.document;
}

async function readPages(): Promise<readonly ApiDocument[]> {
  const pages = [await readPage("")];
  for (;;) {
    const token = pages.at(-1)?.metadata.continue;
    if (token === undefined || token === "") {
      return pages;
    }
    pages.push(await readPage(token));
  }
}

/** One version, each object once and in order, and the count of what is left always right. */
function assertPagesAreOneList(pages: readonly ApiDocument[]): void {
  const total = pages.reduce((sum, page) => sum + page.items.length, 0);
  let seen = 0;
  let previous = "";
  for (const [index, page] of pages.entries()) {
    const isLast = index === pages.length - 1;
    assert.equal(versionOf(page), versionOf(pages[0] as ApiDocument));
    assert.equal(page.items.length, isLast ? total - seen : limit);
    seen += page.items.length;
    assert.equal(page.metadata.remainingItemCount, isLast ? undefined : total - seen);
    for (const item of page.items) {
      const name = item.metadata.name ?? "";
      assert.ok(previous < name, `${name} after ${previous}`);
      previous = name;
    }
  }
}
