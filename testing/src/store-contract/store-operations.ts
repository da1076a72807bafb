import assert from "node:assert/strict";
import type { Store, StoreEvent, WatchBatch, WriteResult } from "@gatehouse/apiserver/storage";

/** Fails unless the write succeeded; answers its revision. */
export function revisionOf(result: WriteResult): number {
  assert.ok(result.succeeded, "the write lost a race that nobody else ran");
  return result.revision;
}

/** Creates a key that does not exist; answers the revision of the write. */
export async function create(store: Store, key: string, value = "", ttlSeconds?: number): Promise<number> {
  const options = { expectedRevision: 0, ...(ttlSeconds === undefined ? {} : { ttlSeconds }) };
  return revisionOf(await store.put(key, Buffer.from(value), options));
}

/** Writes a key that has the revision; answers the new one. */
export async function update(store: Store, key: string, expectedRevision: number, value = ""): Promise<number> {
  return revisionOf(await store.put(key, Buffer.from(value), { expectedRevision }));
}

/** Deletes a key that has the revision; answers the new one. */
export async function remove(store: Store, key: string, expectedRevision: number): Promise<number> {
  return revisionOf(await store.delete(key, { expectedRevision }));
}

/** Collects the events of a watch until it has come as far as `revision`. */
export async function collectUntil(
  store: Store,
  options: {
    readonly prefix: string;
    readonly afterRevision: number;
    readonly revision: number;
    readonly withExpiry?: boolean;
  },
): Promise<StoreEvent[]> {
  const events: StoreEvent[] = [];
  const stop = new AbortController();
  const { prefix, afterRevision, revision, withExpiry = false } = options;
  if (revision <= afterRevision) {
    return events;
  }
  for await (const batch of store.watch({ prefix, afterRevision, signal: stop.signal, withExpiry })) {
    events.push(...batch.events);
    if (batch.revision >= revision) {
      stop.abort();
    }
  }
  return events;
}

/** Follows the store as caches do: what comes through the short way and what comes through the iteration, in one list. */
export async function followUntil(
  store: Store,
  options: { readonly prefix: string; readonly afterRevision: number; readonly revision: number },
): Promise<{ readonly events: readonly StoreEvent[]; readonly shortWay: number; readonly iteration: number }> {
  const { prefix, afterRevision, revision } = options;
  const events: StoreEvent[] = [];
  const stop = new AbortController();
  let shortWay = 0;
  let last = afterRevision;
  const take = (batch: WatchBatch): void => {
    assert.ok(batch.revision > last, `a batch up to ${batch.revision} comes after one up to ${last}`);
    last = batch.revision;
    events.push(...batch.events);
    if (last >= revision) {
      stop.abort();
    }
  };
  const onCommitted = (batch: WatchBatch): void => {
    shortWay += batch.events.length;
    take(batch);
  };
  for await (const batch of store.watch({ prefix, afterRevision, signal: stop.signal, onCommitted })) {
    take(batch);
  }
  return { events, shortWay, iteration: events.length - shortWay };
}

/** Reads a watch by hand, batch by batch. */
export function openWatch(store: Store, prefix: string, afterRevision: number) {
  const stop = new AbortController();
  const iterator = store.watch({ prefix, afterRevision, signal: stop.signal })[Symbol.asyncIterator]();
  return {
    next: async (): Promise<WatchBatch | undefined> => {
      const result = await iterator.next();
      return result.done === true ? undefined : result.value;
    },
    abort: () => stop.abort(),
  };
}

/** The event in short: what tests compare. */
export function summarize(event: StoreEvent): string {
  const value = event.type === "put" ? `=${event.value}` : "";
  const previous =
    event.previous === undefined
      ? ""
      : ` was ${event.previous.value} of ${event.previous.createRevision}/${event.previous.modRevision}`;
  return `${event.revision} ${event.type} ${event.key}${value}${previous}`;
}

/** Waits until `condition` holds; fails after a minute. */
export async function eventually(what: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, `timed out waiting: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A small repeatable random number generator (mulberry32), so that a failure can be run again. */
export function seededRandom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % bound;
  };
}
