import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { crc32 } from "node:zlib";
import { RevisionCompactedError, StoreUnusableError } from "@gatehouse/apiserver/errors";
import type { Store, StoreEvent } from "@gatehouse/apiserver/storage";
import { type LmdbStoreOptions, openLmdbStore, unfinishedRestoreName } from "@gatehouse/apiserver/storage/lmdb";

interface Workplace extends AsyncDisposable {
  readonly directory: string;
  open(options?: Partial<LmdbStoreOptions>): Promise<Store>;
}

async function workplace(): Promise<Workplace> {
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-store-"));
  const stores: Store[] = [];
  return {
    directory,
    async open(options = {}) {
      const store = await openLmdbStore({ directory, ...options });
      stores.push(store);
      return store;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function formatOf(directory: string): Promise<string> {
  return await withMeta(directory, async (meta) => String(meta.get(Buffer.from("format"))));
}

async function setFormat(directory: string, format: string): Promise<void> {
  await withMeta(directory, async (meta) => void (await meta.put(Buffer.from("format"), Buffer.from(format))));
}

/** Makes the record of an expiring put one of format 2, which has neither a version nor an expiry time. */
async function dropExpiryOfRecord(directory: string, revision: number): Promise<void> {
  const key = Buffer.alloc(8);
  key.writeBigUInt64BE(BigInt(revision));
  await withTable(directory, "log", async (log) => {
    const record = Buffer.from(log.get(key)).subarray(0, -16);
    assert.equal(record[0], 0x13, "an expiring put with a version");
    record[0] = 1;
    record.writeUInt32LE(crc32(record.subarray(0, -4), revision), record.length - 4);
    await log.put(key, record);
  });
}

interface Table {
  get(key: Buffer): Buffer;
  put(key: Buffer, value: Buffer): Promise<unknown>;
}

function withMeta<T>(directory: string, work: (meta: Table) => Promise<T>): Promise<T> {
  return withTable(directory, "meta", work);
}

async function withTable<T>(directory: string, name: string, work: (table: Table) => Promise<T>): Promise<T> {
  const { open } = createRequire(import.meta.resolve("@gatehouse/server"))("lmdb");
  const root = open({ path: directory, keyEncoding: "binary", encoding: "binary", overlappingSync: false });
  try {
    return await work(root.openDB(name, { keyEncoding: "binary", encoding: "binary" }));
  } finally {
    await root.close();
  }
}

async function firstEvent(store: Store, afterRevision: number): Promise<StoreEvent | undefined> {
  const stop = new AbortController();
  for await (const { events } of store.watch({ prefix: "", afterRevision, signal: stop.signal })) {
    stop.abort();
    return events[0];
  }
  return undefined;
}

describe("the embedded store", () => {
  it("tells when a key expires, in reads now and of the past and in the log, and tells nothing of a key that stays", async () => {
    await using place = await workplace();
    const store = await place.open({ now: () => 1_000_000, sweepIntervalMs: 3_600_000 });
    await store.put("/a", Buffer.from("expires"), { expectedRevision: 0, ttlSeconds: 5 });
    await store.put("/b", Buffer.from("stays"), { expectedRevision: 0 });
    const expected = [1_005_000, undefined];
    const times = async (revision?: number) =>
      (await store.range({ prefix: "/", ...(revision === undefined ? {} : { revision }) })).kvs.map(
        ({ expiresAtMs }) => expiresAtMs,
      );
    assert.deepEqual(await times(), expected);
    await store.put("/a", Buffer.from("stays, too"), { expectedRevision: 2 });
    assert.deepEqual(await times(), [undefined, undefined]);
    assert.deepEqual(await times(3), expected);
    const event = await firstEvent(store, 1);
    assert.equal(event?.revision, 2);
    assert.equal(event.type === "put" && event.expiresAtMs, 1_005_000);
  });

  it("tells followers of its commits when a key expires", async () => {
    await using place = await workplace();
    const store = await place.open({ now: () => 1_000_000, sweepIntervalMs: 3_600_000 });
    const stop = new AbortController();
    const seen: StoreEvent[] = [];
    const watch = (async () => {
      const onCommitted = ({ events }: { readonly events: readonly StoreEvent[] }) => void seen.push(...events);
      for await (const { events } of store.watch({ prefix: "", afterRevision: 1, signal: stop.signal, onCommitted })) {
        seen.push(...events);
      }
    })();
    await new Promise((resolve) => setImmediate(resolve));
    await store.put("/a", Buffer.from("expires"), { expectedRevision: 0, ttlSeconds: 5 });
    while (seen.length === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    stop.abort();
    await watch;
    assert.equal(seen[0]?.type === "put" ? seen[0].expiresAtMs : undefined, 1_005_000);
  });

  it("refuses writes as long as its log has a revision after the newest one, and changes nothing", async () => {
    await using place = await workplace();
    const before = await place.open();
    await before.put("/a", Buffer.from("1"), { expectedRevision: 0 });
    await before[Symbol.asyncDispose]();
    const later = Buffer.alloc(8);
    later.writeBigUInt64BE(3n);
    await withTable(place.directory, "log", (log) => log.put(later, Buffer.from("a record")));
    const store = await place.open();
    for (const key of ["/b", "/c"]) {
      await assert.rejects(store.put(key, Buffer.from("2"), { expectedRevision: 0 }), {
        message: "the store's log already has a revision after 2",
      });
    }
    assert.equal(await store.currentRevision(), 2);
    assert.equal((await store.get("/a")).kv?.value.toString(), "1");
    assert.equal((await store.get("/b")).kv, undefined);
  });

  it("opens data of format 2, which a server makes format 3 and a reader leaves as it is", async () => {
    await using place = await workplace();
    const before = await place.open();
    await before.put("/a", Buffer.from("1"), { expectedRevision: 0 });
    await before[Symbol.asyncDispose]();
    await setFormat(place.directory, "2");
    const reader = await place.open({ readOnly: true });
    assert.equal((await reader.get("/a")).kv?.value.toString(), "1");
    await reader[Symbol.asyncDispose]();
    assert.equal(await formatOf(place.directory), "2");
    const server = await place.open();
    assert.equal((await server.get("/a")).kv?.value.toString(), "1");
    await server[Symbol.asyncDispose]();
    assert.equal(await formatOf(place.directory), "3");
  });

  it("knows when keys expire that were written in format 2", async () => {
    await using place = await workplace();
    const before = await place.open({ now: () => 1_000_000, sweepIntervalMs: 3_600_000 });
    await before.put("/a", Buffer.from("1"), { expectedRevision: 0, ttlSeconds: 5 });
    await before.put("/b", Buffer.from("2"), { expectedRevision: 0 });
    await before[Symbol.asyncDispose]();
    await dropExpiryOfRecord(place.directory, 2);
    const store = await place.open({ readOnly: true });
    for (const options of [{}, { revision: 2 }]) {
      const { kvs } = await store.range({ prefix: "/a", ...options });
      assert.deepEqual(kvs, [
        { key: "/a", value: Buffer.from("1"), createRevision: 2, modRevision: 2, expiresAtMs: 1_005_000 },
      ]);
    }
  });

  it("begins at the revision that it is given when it is new, and has no history before", async () => {
    await using place = await workplace();
    const store = await place.open({ initialRevision: 5000 });
    assert.equal(await store.currentRevision(), 5000);
    assert.deepEqual(await store.put("/a", Buffer.from("1"), { expectedRevision: 0 }), {
      succeeded: true,
      revision: 5001,
    });
    await assert.rejects(firstEvent(store, 4999), RevisionCompactedError);
    await assert.rejects(store.get("/a", { revision: 3 }), RevisionCompactedError);
    await store.compact(5001);
    await store[Symbol.asyncDispose]();
    assert.equal(await (await place.open({ initialRevision: 9000 })).currentRevision(), 5001);
  });

  it("changes nothing when it is only read", async () => {
    await using place = await workplace();
    await assert.rejects(place.open({ readOnly: true }), /it holds no data.mdb$/);
    assert.deepEqual(await readdir(place.directory), []);
    const server = await place.open();
    await server.put("/a", Buffer.from("1"), { expectedRevision: 0 });
    await server[Symbol.asyncDispose]();
    const store = await place.open({ readOnly: true });
    await assert.rejects(store.put("/a", Buffer.from("2"), { expectedRevision: 2 }), TypeError);
    await assert.rejects(store.delete("/a", { expectedRevision: 2 }), TypeError);
    await assert.rejects(store.compact(1), TypeError);
    assert.equal((await store.get("/a")).revision, 2);
  });

  it("is not opened where a restore has not ended", async () => {
    await using place = await workplace();
    await mkdir(join(place.directory, unfinishedRestoreName));
    await assert.rejects(place.open(), (error) => {
      assert.ok(error instanceof StoreUnusableError);
      assert.match(error.message, /^a restore into the data directory .* has not ended; run it again, or remove/);
      return true;
    });
  });
});
