import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { StoreRefusedError, StoreTimeoutError, StoreUnwritableError } from "@gatehouse/apiserver/errors";
import { type Store, silentObserver } from "@gatehouse/apiserver/storage";
import { type EtcdStoreOptions, openEtcdStore } from "@gatehouse/apiserver/storage/etcd";
import { alarmAction, alarmType, loadEtcdApi } from "@gatehouse/apiserver/storage/etcd/api";
import { create, openWatch, remove, summarize, update } from "@gatehouse/testing/store-contract";
import { EtcdProcess, findEtcd, startEtcdCluster } from "../support/etcd-process.js";
import { until } from "../support/until.js";

const found = await findEtcd();
const skip = "skip" in found ? found.skip : false;
const path = "path" in found ? found.path : "";

function openAt(servers: readonly string[], options: Partial<EtcdStoreOptions> = {}): Promise<Store> {
  return openEtcdStore({ transport: { servers }, ...options });
}

/** Tries a read or a write again until etcd answers; other errors than those of an outage fail the test. */
async function once<T>(what: string, attempt: () => T | Promise<T>): Promise<T> {
  const [result] = await until(what, async () => {
    try {
      return [await attempt()] as const;
    } catch (error) {
      assert.ok(error instanceof StoreTimeoutError || error instanceof StoreRefusedError, String(error));
      return undefined;
    }
  });
  return result;
}

describe("a store on one etcd", { skip }, () => {
  let etcd: EtcdProcess;
  before(async () => {
    etcd = await EtcdProcess.start({ path });
  });
  after(() => etcd[Symbol.asyncDispose]());

  it("says that it has no answer while etcd is down, and goes on with its watches when etcd is back", async () => {
    await using store = await openAt([etcd.url], { callTimeoutMs: 300 });
    await once("etcd answers", () => store.ping());
    const revision = await create(store, "/down/a", "1");
    const watch = openWatch(store, "/down/", revision);
    const ended = assert.rejects(watch.next(), StoreTimeoutError); // its reader opens it again, as the feed does
    await etcd.signal("SIGKILL");
    await assert.rejects(store.get("/down/a"), StoreTimeoutError);
    await assert.rejects(store.put("/down/b", Buffer.from("1"), { expectedRevision: 0 }), StoreTimeoutError);
    await assert.rejects(async () => store.currentRevision(), StoreTimeoutError);
    await assert.rejects(store.ping(300), StoreTimeoutError);
    await ended;
    await etcd.start();
    assert.equal(String((await once("reads work", () => store.get("/down/a"))).kv?.value), "1");
    const next = await update(store, "/down/a", revision, "2");
    const again = openWatch(store, "/down/", revision);
    assert.deepEqual((await again.next())?.events.map(summarize), [
      `${next} put /down/a=2 was 1 of ${revision}/${revision}`,
    ]);
    again.abort();
    await store.ping();
  });

  it("never takes a creation whose answer was lost for one that has not happened", async () => {
    await using store = await openAt([etcd.url], { callTimeoutMs: 300 });
    await once("etcd answers", () => store.ping());
    await etcd.signal("SIGSTOP");
    const lost = store.put("/lost/a", Buffer.from("1"), { expectedRevision: 0 });
    await assert.rejects(lost, StoreTimeoutError);
    await etcd.signal("SIGCONT");
    const { kv } = await once("reads work", () => store.get("/lost/a"));
    const second = await once("writes work", () =>
      store.put("/lost/a", Buffer.from("2"), { expectedRevision: kv?.modRevision ?? 0 }),
    );
    // The first may have come through in between; then the second has lost, and says so.
    assert.ok(second.succeeded || String(second.current?.value) === "1");
  });
});

describe("a store on an etcd whose quota is used up", { skip }, () => {
  it("refuses puts with v1.29's text, reads and deletes, and works again when there is space", async () => {
    await using etcd = await EtcdProcess.start({ path, args: ["--quota-backend-bytes", "600000"] });
    const told: string[] = [];
    const observer = {
      ...silentObserver,
      storeUnwritable: (error: StoreUnwritableError) => told.push(error.message),
      storeWritable: () => told.push("writable"),
    };
    await using store = await openAt([etcd.url], { observer, spaceRetryMs: 50 });
    const revision = await create(store, "/full/first", "1");
    const value = Buffer.alloc(50_000, 1);
    const refused = await (async () => {
      for (let i = 0; i < 1000; i++) {
        try {
          await store.put(`/full/${i}`, value, { expectedRevision: 0 });
        } catch (error) {
          return error;
        }
      }
      return undefined;
    })();
    assert.ok(refused instanceof StoreUnwritableError, String(refused));
    assert.equal(refused.message, "etcdserver: mvcc: database space exceeded");
    assert.equal(store.condition().writing?.message, refused.message);
    assert.equal(String((await store.get("/full/first")).kv?.value), "1");
    await remove(store, "/full/first", revision);
    await etcd.clearAlarms({ quotaBytes: 100_000_000 });
    await until("there is space", () => store.condition().writing === undefined);
    await once("puts work", () => create(store, "/full/last"));
    assert.deepEqual(told, ["etcdserver: mvcc: database space exceeded", "writable"]);
  });
});

describe("a store on an etcd that has found its data corrupt", { skip }, () => {
  it("refuses writes with v1.29's text, says so in its condition, reads, and works again without the alarm", async () => {
    await using etcd = await EtcdProcess.start({ path });
    const told: string[] = [];
    const observer = {
      ...silentObserver,
      storeUnwritable: (error: StoreUnwritableError) => told.push(error.message),
      storeWritable: () => told.push("writable"),
    };
    await using store = await openAt([etcd.url], { observer, spaceRetryMs: 50 });
    const revision = await create(store, "/corrupt/a", "1");
    const { maintenance } = await loadEtcdApi();
    const { leader } = await etcd.call(maintenance.Status, {});
    const corrupt = { memberId: leader, alarm: alarmType.corrupt };
    await etcd.call(maintenance.Alarm, { action: alarmAction.activate, ...corrupt });
    for (const write of [
      () => store.delete("/corrupt/a", { expectedRevision: revision }),
      () => store.put("/corrupt/b", Buffer.from("1"), { expectedRevision: 0 }),
    ]) {
      await assert.rejects(write, { name: StoreUnwritableError.name, message: "etcdserver: corrupt cluster" });
    }
    assert.equal(store.condition().writing?.message, "etcdserver: corrupt cluster");
    assert.equal(String((await store.get("/corrupt/a")).kv?.value), "1");
    await store.ping();
    await etcd.call(maintenance.Alarm, { action: alarmAction.deactivate, ...corrupt });
    await until("writes are tried again", () => store.condition().writing === undefined);
    await create(store, "/corrupt/b");
    assert.deepEqual(told, ["etcdserver: corrupt cluster", "writable"]);
  });
});

describe("a store on three etcds", { skip }, () => {
  let members: EtcdProcess[];
  before(async () => {
    members = await startEtcdCluster({ path }, 3);
  });
  after(() => Promise.all(members.map((member) => member[Symbol.asyncDispose]())));

  for (const [how, stop, resume] of [
    ["is killed", "SIGKILL", undefined],
    ["no longer answers", "SIGSTOP", "SIGCONT"],
  ] as const) {
    it(`loses nothing that was acknowledged, and misses no change, while each member in turn ${how}`, async () => {
      await using store = await openAt(
        members.map(({ url }) => url),
        { callTimeoutMs: 2000 },
      );
      const prefix = `/three/${stop}/`;
      const start = await once("the cluster has a leader", () => store.currentRevision());
      const watch = openWatch(store, prefix, start);
      const acknowledged = new Map<string, number>();
      for (const [i, member] of members.entries()) {
        await member.signal(stop);
        for (let n = 0; n < 5; n++) {
          // A creation whose answer is lost may have happened: the next has a key of its own.
          let attempt = 0;
          const key = await once("writes work", async () => {
            const name = `${prefix}${i}-${n}-${attempt++}`;
            acknowledged.set(name, await create(store, name));
            return name;
          });
          assert.ok((await once("reads work", () => store.get(key))).kv !== undefined, key);
        }
        await (resume === undefined ? member.start() : member.signal(resume));
      }
      const seen = new Map<string, number>();
      const last = await once("reads work", () => store.currentRevision());
      for (let revision = start; revision < last; ) {
        const batch = await watch.next();
        assert.ok(batch !== undefined && batch.revision > revision);
        revision = batch.revision;
        for (const event of batch.events) {
          assert.ok(!seen.has(event.key), `${event.key} was delivered twice`);
          seen.set(event.key, event.revision);
        }
      }
      watch.abort();
      for (const [key, revision] of acknowledged) {
        assert.equal(seen.get(key), revision, key);
        assert.equal((await store.get(key)).kv?.modRevision, revision, key);
      }
    });
  }
});
