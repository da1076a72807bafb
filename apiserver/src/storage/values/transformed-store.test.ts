import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { eventually } from "@gatehouse/testing/eventually";
import { StoreDamagedError, StoredValueUnavailableError, StoreUnwritableError } from "../../errors/errors.js";
import { ResourceCache } from "../cache/resource-cache.js";
import { StoreFeed } from "../cache/store-feed.js";
import { openLmdbStore } from "../lmdb/lmdb-store.js";
import type { RangeOptions, Store, WatchBatch, WatchOptions } from "../store.js";
import { identity } from "./identity.js";
import { transformedStore } from "./transformed-store.js";
import { type ReadValue, type ValueTransformer, ValueUnavailableError } from "./value-transformer.js";

const prefix = "/registry/secrets/";

/** A transformer that counts what it reads, and fails as a test wants for keys that end in `x`. */
class Failing implements ValueTransformer {
  reads = 0;
  failure: Error | undefined;

  toStored(_key: string, value: Buffer): Buffer {
    if (this.failure !== undefined) {
      throw this.failure;
    }
    return Buffer.concat([Buffer.from("#"), value]);
  }

  fromStored(key: string, stored: Buffer): ReadValue {
    this.reads++;
    if (this.failure !== undefined && key.endsWith("x")) {
      throw this.failure;
    }
    return { value: stored.subarray(1), isStale: false };
  }
}

async function withStore(run: (store: Store, transformer: Failing, inner: Store) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "transformed-"));
  const inner = await openLmdbStore({ directory });
  const transformer = new Failing();
  const store = transformedStore(inner, transformer);
  try {
    await run(store, transformer, inner);
  } finally {
    await store[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  }
}

const object = (name: string): Buffer =>
  Buffer.from(`{"kind":"Secret","apiVersion":"v1","metadata":{"name":"${name}","namespace":"d","uid":"u-${name}"}}`);

async function fill(store: Store): Promise<void> {
  for (const name of ["a", "x", "y"]) {
    await store.put(prefix + name, object(name), { expectedRevision: 0 });
  }
}

describe("a transformed store", () => {
  it("does not read back what its own process writes", async () => {
    await withStore(async (store, transformer) => {
      const feed = new StoreFeed({ store, prefix: "/registry/", onTrouble: (error) => assert.fail(String(error)) });
      const cache = new ResourceCache({ store, feed, prefix });
      await cache.ready();
      await fill(store);
      await feed.waitFor(await store.currentRevision(), new AbortController().signal, 30_000);
      assert.ok(cache.get(`${prefix}y`)?.bytes.includes("u-y"));
      assert.equal(transformer.reads, 0);
      await feed[Symbol.asyncDispose]();
    });
  });

  it("hides no other value behind one that cannot be read", async () => {
    await withStore(async (store, transformer) => {
      await fill(store);
      transformer.failure = new Error("wrong key");
      const { kvs, damaged } = await store.range({ prefix });
      assert.deepEqual(
        kvs.map(({ key }) => key),
        [`${prefix}a`, `${prefix}y`],
      );
      assert.match(String(damaged[0]?.message), /it cannot be read: wrong key$/);
    });
  });

  it("fails a range of which a value cannot be read now, and a write that cannot be made", async () => {
    await withStore(async (store, transformer) => {
      await fill(store);
      transformer.failure = new ValueUnavailableError("nobody answers");
      await assert.rejects(store.range({ prefix }), StoredValueUnavailableError);
      await assert.rejects(store.put(`${prefix}b`, object("b"), { expectedRevision: 0 }), {
        name: StoreUnwritableError.name,
        message: "nobody answers",
      });
      transformer.failure = undefined;
      assert.equal((await store.get(`${prefix}b`)).kv, undefined);
    });
  });

  it("has a cache read again what could not be read, when it may be readable", async () => {
    await withStore(async (store, transformer) => {
      await fill(store);
      transformer.failure = new Error("wrong key");
      const feed = new StoreFeed({ store, prefix: "/registry/", onTrouble: () => {} });
      const cache = new ResourceCache({ store, feed, prefix });
      await cache.ready();
      assert.throws(() => cache.get(`${prefix}x`), StoreDamagedError);
      transformer.failure = undefined;
      feed.readDamagedAnew();
      await eventually(() => assert.ok(cache.get(`${prefix}x`)?.bytes.includes("u-x")));
      assert.ok(cache.get(`${prefix}a`)?.bytes.includes("u-a"));
      // The feed goes on.
      await store.put(`${prefix}z`, object("z"), { expectedRevision: 0 });
      await eventually(() => assert.ok(cache.get(`${prefix}z`) !== undefined));
      await feed[Symbol.asyncDispose]();
    });
  });

  it("fills a cache anew after a time in which nothing could be read", async () => {
    await withStore(async (store, transformer) => {
      await fill(store);
      transformer.failure = new ValueUnavailableError("nobody answers");
      const feed = new StoreFeed({ store, prefix: "/registry/", onTrouble: () => {} });
      const cache = new ResourceCache({ store, feed, prefix });
      await assert.rejects(cache.ready(), StoredValueUnavailableError);
      transformer.failure = undefined;
      await cache.ready();
      assert.ok(cache.get(`${prefix}x`) !== undefined);
      await feed[Symbol.asyncDispose]();
    });
  });

  it("lets an unreadable change cost its own resource one read, and the others none, however long nobody answers", async () => {
    await withStore(async (_store, _transformer, inner) => {
      const pods = "/registry/pods/";
      let isAnswering = true;
      let asked = 0;
      const remote: ValueTransformer = {
        toStored: (_key, value) => Buffer.from(value),
        fromStored: async (key, stored) => {
          if (key.startsWith(prefix) && !isAnswering) {
            asked++;
            throw new ValueUnavailableError("nobody answers");
          }
          return { value: Buffer.from(stored), isStale: false };
        },
      };
      await inner.put(`${pods}a`, object("a"), { expectedRevision: 0 });
      const ranges: string[] = [];
      const outer = transformedStore(inner, remote);
      const counted = {
        currentRevision: () => outer.currentRevision(),
        watch: (options: WatchOptions) => outer.watch(options),
        range(options: RangeOptions) {
          ranges.push(options.prefix);
          return outer.range(options);
        },
      } as Partial<Store> as Store;
      const troubles: unknown[] = [];
      await using feed = new StoreFeed({
        store: counted,
        prefix: "/registry/",
        onTrouble: (error) => troubles.push(error),
      });
      const [secrets, others] = [prefix, pods].map((of) => new ResourceCache({ store: counted, feed, prefix: of }));
      await Promise.all([secrets?.ready(), others?.ready()]);
      const watcher = secrets?.watch({ afterRevision: secrets.revision, onEvents: () => {} });
      ranges.length = 0;
      isAnswering = false;
      for (let change = 0; change < 20; change++) {
        await inner.put(`${prefix}${change}`, object("s"), { expectedRevision: 0 });
        const { revision } = (await inner.put(`${pods}${change}`, object("p"), { expectedRevision: 0 })) as {
          revision: number;
        };
        assert.ok(await feed.waitFor(revision, new AbortController().signal, 30_000));
        assert.ok(others?.get(`${pods}${change}`) !== undefined);
      }
      assert.deepEqual(ranges, [prefix], "only the resource of the change was read, and once");
      assert.ok(asked <= 3, `the values of further changes were asked for: ${asked}`);
      assert.deepEqual(troubles, []);
      assert.equal(secrets?.isReady, false);
      assert.throws(() => watcher?.next(1), StoredValueUnavailableError, "its watches begin anew");
      isAnswering = true;
      await secrets?.ready();
      assert.ok(secrets?.get(`${prefix}19`) !== undefined);
    });
  });

  it("ends a watch at a value that cannot be read now, although the store delivers every change the short way", async () => {
    await withStore(async (inner) => {
      let watches = 0;
      const batch = {
        events: [
          { type: "put", key: `${prefix}x`, revision: 5, createRevision: 5, value: object("x"), previous: undefined },
        ],
        revision: 5,
      } as const;
      // As the store on etcd does, whatever the revision to begin at.
      const short: Store = Object.assign(Object.create(inner) as Store, {
        async *watch({ onCommitted, signal }: WatchOptions): AsyncGenerator<WatchBatch> {
          watches++;
          assert.ok(watches < 10, "the watch begins again and again");
          if (onCommitted === undefined) {
            yield batch;
          } else {
            onCommitted(batch);
          }
          if (!signal.aborted) {
            await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
          }
        },
      });
      const unavailable: ValueTransformer = {
        toStored: (_key, value) => value,
        fromStored: () => Promise.reject(new ValueUnavailableError("nobody answers")),
      };
      const watch = transformedStore(short, unavailable).watch({
        prefix,
        afterRevision: 1,
        signal: new AbortController().signal,
        onCommitted: () => assert.fail("nothing could be read"),
      });
      await assert.rejects(watch[Symbol.asyncIterator]().next(), StoredValueUnavailableError);
    });
  });

  it("delivers values that are read through promises, and returns to the short way", async () => {
    await withStore(async (_store, _transformer, inner) => {
      let isSlow = true;
      const slow: ValueTransformer = {
        toStored: (_key, value) => Buffer.from(value),
        fromStored: (_key, stored) => {
          const read = { value: Buffer.from(stored), isStale: false };
          return isSlow ? Promise.resolve(read) : read;
        },
      };
      const other = transformedStore(inner, slow);
      const ending = new AbortController();
      const seen: string[] = [];
      const note = ({ events }: WatchBatch): void =>
        void seen.push(...events.map(({ key }) => key.slice(prefix.length)));
      const watching = (async () => {
        const watch = other.watch({ prefix, afterRevision: 1, signal: ending.signal, onCommitted: note });
        for await (const batch of watch) {
          note(batch);
        }
      })();
      const expected: string[] = [];
      for (const [index, name] of ["a", "b", "c", "d", "e", "f"].entries()) {
        isSlow = index < 2 || index === 4;
        expected.push(name);
        await inner.put(prefix + name, object(name), { expectedRevision: 0 });
        await eventually(() => assert.deepEqual(seen, expected));
      }
      ending.abort();
      await watching;
    });
  });

  it("by identity has no stale values, and never takes what is encrypted for a value", async () => {
    await withStore(async (_store, _transformer, inner) => {
      const plain = transformedStore(inner, identity);
      assert.equal(plain.isStale, undefined);
      await inner.put(`${prefix}e`, Buffer.from("k8s:enc:aesgcm:v1:k:..."), { expectedRevision: 0 });
      await assert.rejects(plain.get(`${prefix}e`), /identity transformer tried to read encrypted data$/);
    });
  });
});
