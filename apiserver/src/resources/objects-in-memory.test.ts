import assert from "node:assert/strict";
import { test } from "node:test";
import { StatusError } from "@gatehouse/envelopes/status";
import type { ComputedWatchRequest } from "./define-computed-resource.js";
import { ObjectsInMemory } from "./objects-in-memory.js";

interface Report {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly resourceVersion?: string };
  readonly failed: number;
}

const start = Date.parse("2026-01-02T03:04:05.678Z");
const first = start * 1000;
const report = (name: string, failed: number, namespace = "shop"): Report => ({
  metadata: { name, namespace },
  failed,
});
const opened = (keptChanges = 100): ObjectsInMemory<Report> =>
  new ObjectsInMemory<Report>({ keptChanges, now: () => start });
const user = { username: "alice", groups: [] };

function watch(objects: ObjectsInMemory<Report>, wanted: Partial<ComputedWatchRequest> = {}) {
  const stop = new AbortController();
  const events = objects.functions.watch({
    ...{ namespace: "", user, afterRevision: undefined, bookmarkIntervalMs: undefined, signal: stop.signal },
    ...wanted,
  });
  const iterator = events[Symbol.asyncIterator]();
  return {
    stop,
    async next(): Promise<readonly unknown[] | undefined> {
      const { value, done } = await iterator.next();
      if (done === true) {
        return undefined;
      }
      if (value.type === "BOOKMARK") {
        return [value.type, value.revision - first];
      }
      const { metadata, failed } = value.object;
      return [value.type, metadata.name, failed, Number(metadata.resourceVersion) - first];
    },
  };
}

test("an object keeps its uid and the time of its creation, and gets a version with each change", () => {
  const objects = opened();
  objects.set(report("a", 1));
  const before = objects.get("shop", "a")?.metadata as Record<string, unknown>;
  assert.match(String(before["uid"]), /^[0-9a-f-]{36}$/);
  assert.equal(before["creationTimestamp"], "2026-01-02T03:04:05Z");
  assert.equal(before["resourceVersion"], String(first + 1));
  objects.set(report("a", 1));
  assert.equal(objects.get("shop", "a")?.metadata, before, "nothing has changed");
  objects.set(report("a", 2));
  assert.deepEqual(objects.get("shop", "a")?.metadata, { ...before, resourceVersion: String(first + 2) });
  assert.equal(objects.delete("shop", "a"), true);
  assert.equal(objects.delete("shop", "a"), false);
  assert.equal(objects.size, 0);
});

test("objects are listed by namespace and name", () => {
  const objects = opened();
  for (const [name, namespace] of [
    ["b", "shop"],
    ["a", "shop"],
    ["a", "bank"],
  ] as const) {
    objects.set(report(name, 0, namespace));
  }
  const names = (namespace: string) =>
    objects.list(namespace).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  assert.deepEqual(names(""), ["bank/a", "shop/a", "shop/b"]);
  assert.deepEqual(names("shop"), ["shop/a", "shop/b"]);
});

test("a watch begins with what there is, or goes on after a revision", async () => {
  const objects = opened();
  objects.set(report("a", 1));
  objects.set(report("b", 1));
  const fresh = watch(objects);
  assert.deepEqual(await fresh.next(), ["ADDED", "a", 1, 1]);
  objects.set(report("a", 2));
  objects.delete("shop", "b");
  assert.deepEqual(await fresh.next(), ["ADDED", "b", 1, 2]);
  assert.deepEqual(await fresh.next(), ["MODIFIED", "a", 2, 3]);
  assert.deepEqual(await fresh.next(), ["DELETED", "b", 1, 4]);
  const later = fresh.next();
  objects.set(report("c", 1));
  assert.deepEqual(await later, ["ADDED", "c", 1, 5]);
  const resumed = watch(objects, { afterRevision: first + 3 });
  assert.deepEqual(await resumed.next(), ["DELETED", "b", 1, 4]);
  assert.deepEqual(await resumed.next(), ["ADDED", "c", 1, 5]);
  const ended = resumed.next();
  resumed.stop.abort();
  assert.equal(await ended, undefined);
});

test("a watch of a namespace hears of no other, and its bookmarks are about all", async () => {
  const objects = opened();
  const ofShop = watch(objects, { namespace: "shop", bookmarkIntervalMs: 5 });
  objects.set(report("a", 1, "bank"));
  assert.deepEqual(await ofShop.next(), ["BOOKMARK", 1]);
  objects.set(report("a", 1));
  assert.deepEqual(await ofShop.next(), ["ADDED", "a", 1, 2]);
  assert.deepEqual(await ofShop.next(), ["BOOKMARK", 2]);
});

test("a watch after changes that are not kept, or of another process, has to list anew", async () => {
  const objects = opened(2);
  for (let count = 0; count < 20; count++) {
    objects.set(report("a", count));
  }
  for (const afterRevision of [first + 1, first + 1000]) {
    await assert.rejects(watch(objects, { afterRevision }).next(), (error) => {
      assert.ok(error instanceof StatusError);
      assert.equal(error.code, 410);
      assert.match(error.message, new RegExp(`^too old resource version: ${afterRevision} \\(\\d+\\)$`));
      return true;
    });
  }
  assert.deepEqual(await watch(objects, { afterRevision: first + 18 }).next(), ["MODIFIED", "a", 18, 19]);
});
