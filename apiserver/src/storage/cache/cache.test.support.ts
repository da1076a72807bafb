// What the tests of the cache share: a real store in a temporary directory, behind a front that can break its watches.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLmdbStore } from "../lmdb/lmdb-store.js";
import type { Store, WatchBatch, WatchOptions } from "../store.js";
import type { CacheEvent } from "./cache-event.js";
import type { CacheWatcher } from "./cache-watcher.js";
import type { RingLimits } from "./event-ring.js";
import { ResourceCache } from "./resource-cache.js";
import { StoreFeed } from "./store-feed.js";

export interface CacheFixture extends AsyncDisposable {
  /** The directory of the store, for other processes. */
  readonly directory: string;
  readonly store: Store;
  readonly feed: StoreFeed;
  readonly cache: ResourceCache;
  /** The errors that the feed has reported. */
  readonly troubles: unknown[];
  /** Calls of the store that the cache and the feed have made. */
  readonly calls: { range: number; watch: number };
  /** Ends all running watches of the feed with an error. Nothing is watched or read anew before the function returned is called. */
  breakWatches(error: Error): () => void;
  /** Writes an object; answers its revision. */
  put(name: string, spec?: string): Promise<number>;
  remove(name: string): Promise<number>;
  /** Waits until the feed has seen everything. */
  settle(): Promise<void>;
}

export const podsPrefix = "/registry/pods/";

export function storedPod(name: string, spec: string): Buffer {
  const metadata = { name, namespace: "default", uid: `uid-${name}`, labels: { app: name } };
  return Buffer.from(JSON.stringify({ kind: "Pod", apiVersion: "v1", metadata, spec: { text: spec } }));
}

export async function createCacheFixture(options: { readonly ringLimits?: RingLimits } = {}): Promise<CacheFixture> {
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-cache-"));
  const store = await openLmdbStore({ directory });
  const calls = { range: 0, watch: 0 };
  const breakers = new Set<(error: Error) => void>();
  const gate = openGate();
  const front = breakableStore(store, calls, breakers, gate);
  const troubles: unknown[] = [];
  const feed = new StoreFeed({ store: front, prefix: "/registry/", onTrouble: (error) => troubles.push(error) });
  const cache = new ResourceCache({ ...options, store: front, feed, prefix: podsPrefix });
  const revisionOf = async (name: string) => (await store.get(podsPrefix + name)).kv?.modRevision ?? 0;
  const written = (result: Awaited<ReturnType<Store["put"]>>) => {
    if (!result.succeeded) {
      throw new Error("the write lost a race that nobody else ran");
    }
    return result.revision;
  };
  return {
    directory,
    store,
    feed,
    cache,
    troubles,
    calls,
    breakWatches: (error) => {
      const mend = gate.close();
      for (const breakWatch of breakers) {
        breakWatch(error);
      }
      return mend;
    },
    put: async (name, spec = "") => {
      const expectedRevision = await revisionOf(name);
      return written(await store.put(podsPrefix + name, storedPod(name, spec), { expectedRevision }));
    },
    remove: async (name) =>
      written(await store.delete(podsPrefix + name, { expectedRevision: await revisionOf(name) })),
    settle: async () => {
      if (!(await feed.waitFor(await store.currentRevision(), new AbortController().signal, 5000))) {
        throw new Error("the feed does not come up to the store");
      }
    },
    [Symbol.asyncDispose]: async () => {
      await feed[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A gate that is open until it is closed. */
interface Gate {
  passed: Promise<void>;
  close(): () => void;
}

function openGate(): Gate {
  const gate: Gate = {
    passed: Promise.resolve(),
    close: () => {
      let open = (): void => {};
      gate.passed = new Promise((resolve) => {
        open = resolve;
      });
      return open;
    },
  };
  return gate;
}

function breakableStore(
  store: Store,
  calls: CacheFixture["calls"],
  breakers: Set<(error: Error) => void>,
  gate: Gate,
): Store {
  async function* watch(options: WatchOptions): AsyncGenerator<WatchBatch> {
    await gate.passed;
    let fail: (error: Error) => void = () => {};
    const broken = new Promise<never>((_, reject) => {
      fail = reject;
    });
    broken.catch(() => {});
    breakers.add(fail);
    const stop = new AbortController();
    const signal = AbortSignal.any([options.signal, stop.signal]);
    const inner = store.watch({ ...options, signal })[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await Promise.race([inner.next(), broken]);
        if (next.done === true) {
          return;
        }
        yield next.value;
      }
    } finally {
      stop.abort();
      breakers.delete(fail);
    }
  }
  return {
    currentRevision: () => store.currentRevision(),
    get: (key, options) => store.get(key, options),
    range: async (options) => {
      calls.range++;
      await gate.passed;
      return store.range(options);
    },
    put: (key, value, options) => store.put(key, value, options),
    delete: (key, options) => store.delete(key, options),
    watch: (options) => {
      calls.watch++;
      return watch(options);
    },
    compact: (revision) => store.compact(revision),
    ping: () => store.ping(),
    condition: () => store.condition(),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** Takes a watcher's events until it has come to `revision`. */
export async function drain(open: (onEvents: () => void) => CacheWatcher, revision: number): Promise<CacheEvent[]> {
  let wake = (): void => {};
  const watcher = open(() => wake());
  const events: CacheEvent[] = [];
  try {
    for (const end = performance.now() + 60_000; watcher.revision < revision; ) {
      assert.ok(performance.now() < end, `the watcher stays at ${watcher.revision}`);
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, 50);
      });
      const taken = watcher.next(7);
      events.push(...taken);
      if (taken.length === 0 && watcher.revision < revision) {
        await woken;
      }
    }
    return events;
  } finally {
    watcher.close();
  }
}

/** Summarizes an event. */
export function summarizeEvent({ type, revision, entry, previous }: CacheEvent): string {
  return `${revision} ${type} ${entry.key.slice(podsPrefix.length)} at ${entry.revision}, was ${previous?.revision ?? "absent"}`;
}
