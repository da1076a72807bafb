import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { forEachCrash, MortalProcess } from "@gatehouse/testing/crash";
import { BackupError, RevisionCompactedError } from "../../errors/errors.js";
import { unfinishedRestoreName } from "../lmdb/index.js";
import { change, contentOf, linesAt, linesOf, type TestPlace, testPlace } from "./backup.test.support.js";
import { openChain } from "./backup-chain.js";
import type { BackupRecord } from "./backup-format.js";
import { openBackup } from "./backup-reader.js";
import { restoreDataDirectory } from "./restore-data-directory.js";
import { takeFullBackup, takeIncrement } from "./take-backup.js";

async function backedUp(place: TestPlace, now?: () => number) {
  const store = await place.open(now === undefined ? {} : { now });
  await change(store, "/stays", "1");
  await change(store, "/expires", "2", 1000);
  const { path } = await takeFullBackup({ store, prefix: "", path: place.path("full") });
  return { store, chain: await openChain([path]) };
}

async function* failingAfterOne(): AsyncGenerator<BackupRecord> {
  const record = { isPut: true, key: "/a", revision: 2, createRevision: 2, expiresAtMs: 0, value: Buffer.from("1") };
  yield* Array.from({ length: 600 }, (_, number) => ({ ...record, key: `/a/${number}` }));
  throw new BackupError("the file is damaged");
}

describe("a data directory that was restored", () => {
  it("has the content, begins at the given revision and has no history before it", async () => {
    await using place = await testPlace();
    const { store, chain } = await backedUp(place);
    const directory = place.path("restored");
    const result = await restoreDataDirectory({ directory, initialRevision: 500 }, chain.liveRecords(3));
    assert.deepEqual(result, { keys: 2, expiredKeys: 0 });
    assert.deepEqual(await readdir(directory), ["data.mdb"]);
    const restored = await place.open({ directory });
    assert.deepEqual(contentOf(await linesOf(restored)), contentOf(await linesOf(store)));
    assert.deepEqual(
      (await restored.range({ prefix: "" })).kvs.map(({ modRevision }) => modRevision).sort(),
      [501, 502],
    );
    const watch = restored.watch({ prefix: "", afterRevision: 3, signal: new AbortController().signal });
    await assert.rejects(watch[Symbol.asyncIterator]().next(), RevisionCompactedError);
  });

  it("keeps the time at which a key expires, and leaves out a key whose time has passed", async () => {
    await using place = await testPlace();
    const { chain } = await backedUp(place);
    const directory = place.path("restored");
    await restoreDataDirectory({ directory, initialRevision: 500 }, chain.liveRecords(3));
    const expiry = async (from: Awaited<ReturnType<TestPlace["open"]>>) => (await from.get("/expires")).kv?.expiresAtMs;
    const [before, after] = [await expiry(await place.open()), await expiry(await place.open({ directory }))];
    assert.ok(Math.abs((before ?? 0) - (after ?? Number.NaN)) <= 1, `${before} became ${after}`);

    const late = await testPlace();
    await using _ = late;
    const { chain: old } = await backedUp(late, () => 1_000_000);
    const target = { directory: late.path("restored"), initialRevision: 500 };
    assert.deepEqual(await restoreDataDirectory(target, old.liveRecords(3)), { keys: 1, expiredKeys: 1 });
    assert.deepEqual(contentOf(await linesOf(await late.open({ directory: target.directory }))), ["/stays = 1"]);
  });

  it("lets a key that lived by a lease live as long as the lease had at the time of the backup", async () => {
    await using place = await testPlace();
    const store = await place.open();
    const { keyspace } = store;
    const room = { bytes: 64, makesSpace: false };
    const expiresAtMs = Date.now() + 1_000_000;
    await keyspace?.transact(room, (transaction) => {
      transaction.setLease(7n, { ttlSeconds: 1000, expiresAtMs });
      transaction.put(Buffer.from("/leased"), Buffer.from("1"), 7n);
    });
    const full = await takeFullBackup({ store, prefix: "", path: place.path("full") });
    await keyspace?.transact(room, (transaction) => {
      transaction.put(Buffer.from("/later"), Buffer.from("2"), 7n);
      transaction.put(Buffer.from("/of-a-lease-that-is-gone"), Buffer.from("3"), 8n);
    });
    const increment = await takeIncrement({ store, prefix: "", path: place.path("increment") }, full);
    const chain = await openChain([full.path, increment.path]);
    const directory = place.path("restored");
    const result = await restoreDataDirectory({ directory, initialRevision: 500 }, chain.liveRecords(3));
    assert.deepEqual(result, { keys: 2, expiredKeys: 1 });
    const restored = await place.open({ directory });
    for (const key of ["/leased", "/later"]) {
      const { kv } = await restored.get(key);
      assert.ok(Math.abs((kv?.expiresAtMs ?? 0) - expiresAtMs) <= 1, `${key} expires at ${kv?.expiresAtMs}`);
    }
  });

  it("may be there before, when it is empty", async () => {
    await using place = await testPlace();
    const { chain } = await backedUp(place);
    const directory = place.path("empty");
    await mkdir(directory);
    await restoreDataDirectory({ directory, initialRevision: 500 }, chain.liveRecords(3));
    assert.deepEqual(await readdir(directory), ["data.mdb"]);
  });

  it("is left as it is when it holds something", async () => {
    await using place = await testPlace();
    const { chain } = await backedUp(place);
    const before = await readFile(place.path("data/data.mdb"));
    await assert.rejects(
      restoreDataDirectory({ directory: place.path("data"), initialRevision: 500 }, chain.liveRecords(3)),
      /data is not empty \(it holds data.mdb, lock.mdb\); restore into a new one/,
    );
    assert.ok(before.equals(await readFile(place.path("data/data.mdb"))));
    await assert.rejects(
      restoreDataDirectory({ directory: place.path("full"), initialRevision: 500 }, chain.liveRecords(3)),
      /full is a file, not a directory$/,
    );
  });

  it("is opened by no server after a restore that failed, until one has succeeded", async () => {
    await using place = await testPlace();
    const { store, chain } = await backedUp(place);
    const directory = place.path("restored");
    await assert.rejects(restoreDataDirectory({ directory, initialRevision: 500 }, failingAfterOne()), {
      message: "the file is damaged",
    });
    assert.deepEqual(await readdir(directory), [unfinishedRestoreName]);
    await assert.rejects(place.open({ directory }), /a restore into the data directory .* has not ended/);
    await restoreDataDirectory({ directory, initialRevision: 500 }, chain.liveRecords(3));
    assert.deepEqual(contentOf(await linesOf(await place.open({ directory }))), contentOf(await linesOf(store)));
  });

  it("is made anew after a restore that was killed, whose remains are removed and named", async () => {
    await using place = await testPlace();
    const { chain } = await backedUp(place);
    const directory = place.path("restored");
    await mkdir(place.path(`restored/${unfinishedRestoreName}/data`), { recursive: true });
    await writeFile(place.path(`restored/${unfinishedRestoreName}/data/data.mdb`), "half");
    const notes: string[] = [];
    const note = (text: string): void => void notes.push(text);
    await restoreDataDirectory({ directory, initialRevision: 500, note }, chain.liveRecords(3));
    assert.match(notes.join(), /^an earlier restore into .* has not ended; what it has left was removed/);
    assert.deepEqual(await readdir(directory), ["data.mdb"]);
  });
});

describe("a backup that is killed", () => {
  it("leaves a whole file or none, at any change of the disk, and can be taken again", async () => {
    await using place = await testPlace();
    const { store, chain } = await backedUp(place);
    let number = 0;
    let killedLives = 0;
    const lives = await forEachCrash(async (point) => {
      const folder = place.path(`life-${number++}`);
      await mkdir(folder);
      const path = `${folder}/backup`;
      await using process = new MortalProcess(point);
      const outcome = await process.run(() => takeFullBackup({ store, prefix: "", path }));
      const isThere = (await readdir(folder)).includes("backup");
      if (!isThere) {
        killedLives++;
        await takeFullBackup({ store, prefix: "", path });
      }
      await openBackup(path);
      assert.deepEqual(await linesAt(await openChain([path]), 3), await linesAt(chain, 3));
      assert.deepEqual(
        (await readdir(folder)).filter((name) => name !== "backup").length <= (isThere ? 1 : 0),
        true,
        "nothing is left of the killed run",
      );
      return outcome;
    });
    assert.ok(killedLives > 8 && lives > killedLives, `${killedLives} of ${lives} lives ended without a file`);
  });
});
