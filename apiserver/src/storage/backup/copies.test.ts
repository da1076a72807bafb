import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BackupError } from "../../errors/errors.js";
import type { Store } from "../store.js";
import { change, contentOf, linesOf, testPlace } from "./backup.test.support.js";
import { compareStores, type StoreState } from "./compare-stores.js";
import { checkPrefix, hasUnfinishedRestore, reachRevision, restorePrefix } from "./restore-prefix.js";
import { checkUnchanged, countStore, recordsOfStore } from "./store-records.js";

async function stateOf(store: Store, prefix = ""): Promise<StoreState> {
  return { store, prefix, revision: await store.currentRevision() };
}

describe("two stores", () => {
  it("are compared key by key, with values, whatever their revisions are", async () => {
    await using place = await testPlace();
    const [source, target] = [await place.open(), await place.open({ directory: place.path("target") })];
    for (const key of ["/a", "/b", "/only-here"]) {
      await change(source, key, key);
    }
    for (const key of ["/0", "/b", "/a"]) {
      await change(target, key, key);
    }
    await change(target, "/b", "another");
    await change(source, "/expires", "1", 1000);
    let compared = 0;
    const result = await compareStores(await stateOf(source), await stateOf(target), (keys) => {
      compared += keys;
    });
    assert.deepEqual(result, {
      sameKeys: 1,
      differences: ['"/0" is not in the source', '"/b" has another value', '"/only-here" is missing in the target'],
      differentKeys: 3,
    });
    assert.equal(compared, 4);
  });

  it("are compared page by page, as far as there are keys", async () => {
    await using place = await testPlace();
    const [source, target] = [await place.open(), await place.open({ directory: place.path("target") })];
    const numbers = Array.from({ length: 700 }, (_, number) => number);
    await Promise.all(numbers.map((number) => change(source, `/${number}`, "1")));
    await Promise.all(numbers.filter((number) => number !== 699).map((number) => change(target, `/${number}`, "1")));
    const { sameKeys, differences } = await compareStores(await stateOf(source), await stateOf(target));
    assert.deepEqual([sameKeys, differences], [699, ['"/699" is missing in the target']]);
    assert.equal((await countStore(await stateOf(source))).keys, 700);
  });
});

describe("a store that is copied", () => {
  it("is noticed when somebody writes to it meanwhile, but not when a key expires", async () => {
    await using place = await testPlace();
    const store = await place.open();
    await change(store, "/expires", "1", 1000);
    await change(store, "/beside", "1");
    const state = { ...(await stateOf(store)), prefix: "/expires" };
    await checkUnchanged(state);
    await change(store, "/beside", "2");
    await change(store, "/expires", undefined);
    await checkUnchanged(state);
    await change(store, "/expires", "3");
    await assert.rejects(checkUnchanged(state), (error) => {
      assert.ok(error instanceof BackupError);
      assert.match(error.message, /^"\/expires" was written while the store was copied; stop all servers/);
      return true;
    });
  });
});

describe("a part of a shared store", () => {
  it("is filled beside the keys of others, above a revision, and has no history before", async () => {
    await using place = await testPlace();
    const [source, target] = [await place.open(), await place.open({ directory: place.path("target") })];
    await change(source, "/registry/a", "1");
    await change(target, "/other", "stays");
    await change(target, "/registry/old", "goes");
    const part = { store: target, prefix: "/registry/", replace: false, leastRevision: 400 };
    const records = async () => recordsOfStore(await stateOf(source));
    await assert.rejects(restorePrefix(part, await records()), /there are keys under \/registry\/ already/);
    const replacing = { ...part, replace: true };
    await assert.rejects(checkPrefix(replacing), /is at revision 3, and clients have seen revisions up to 400/);
    let revisions = 0;
    await reachRevision(replacing, (by) => {
      revisions += by;
    });
    assert.equal(revisions, 397);
    await restorePrefix(replacing, await records());
    assert.deepEqual(contentOf(await linesOf(target)), ["/other = stays", "/registry/a = 1"]);
    assert.ok(((await target.get("/registry/a")).kv?.modRevision ?? 0) > 400);
    await assert.rejects(target.get("/registry/old", { revision: 400 }), { name: "RevisionCompactedError" });
  });

  it("says that its restore has not ended after one that failed, which the next one repeats", async () => {
    await using place = await testPlace();
    const store = await place.open();
    const part = { store, prefix: "/registry/", replace: false, leastRevision: 0 };
    const record = { isPut: true, key: "/registry/a", revision: 2, createRevision: 2, expiresAtMs: 0 };
    async function* half() {
      yield { ...record, value: Buffer.from("half") };
      throw new BackupError("the file is damaged");
    }
    async function* whole() {
      yield { ...record, value: Buffer.from("whole") };
    }
    await assert.rejects(restorePrefix(part, half()), { message: "the file is damaged" });
    assert.equal(await hasUnfinishedRestore(store, "/registry/"), true);
    const notes: string[] = [];
    await restorePrefix({ ...part, note: (note) => notes.push(note) }, whole());
    assert.match(notes.join(), /^an earlier restore into \/registry\/ has not ended/);
    assert.equal(await hasUnfinishedRestore(store, "/registry/"), false);
    assert.deepEqual(contentOf(await linesOf(store)), ["/registry/a = whole"]);
  });

  it("is not taken for restored when it is not what was written", async () => {
    await using place = await testPlace();
    const store = await place.open();
    async function* records() {
      await change(store, "/registry/b", "of somebody else");
      yield {
        isPut: true,
        key: "/registry/a",
        revision: 2,
        createRevision: 2,
        expiresAtMs: 0,
        value: Buffer.from("1"),
      };
    }
    await assert.rejects(
      restorePrefix({ store, prefix: "/registry/", replace: false, leastRevision: 0 }, records()),
      /what is read back is not what was written \(keys written: 1, keys found: 2\)$/,
    );
    assert.equal(await hasUnfinishedRestore(store, "/registry/"), true);
  });
});
