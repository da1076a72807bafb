// A child process of the store tests: many writers on one data directory. Prints a line for every acknowledged write,
// synchronously, so that what is printed has been acknowledged even if the process is killed right after.
import { writeSync } from "node:fs";
import type { Store } from "@gatehouse/apiserver/storage";
import { openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import { seededRandom } from "@gatehouse/testing/store-contract";
import { stampedValue } from "./stamped-value.js";

export interface StoreWriterOptions {
  readonly directory: string;
  /** Distinguishes the keys of several processes. */
  readonly name: string;
  readonly seed: number;
  readonly writers: number;
  /** Writes of each writer; endless when absent. */
  readonly writesEach?: number;
  /** Compacts now and then to this many revisions before the newest. */
  readonly keepRevisions?: number;
}

async function main(options: StoreWriterOptions): Promise<void> {
  const store = await openLmdbStore({ directory: options.directory });
  const stop = new AbortController();
  const compacting =
    options.keepRevisions === undefined ? undefined : compact(store, options.keepRevisions, stop.signal);
  await Promise.all(Array.from({ length: options.writers }, (_, i) => write(store, options, i)));
  stop.abort();
  await compacting;
  await store[Symbol.asyncDispose]();
}

async function write(store: Store, options: StoreWriterOptions, writer: number): Promise<void> {
  const random = seededRandom(options.seed * 1000 + writer);
  const { writesEach = Number.POSITIVE_INFINITY } = options;
  for (let i = 0; i < writesEach; i++) {
    if (i % 10 === 9) {
      await increment(store);
      continue;
    }
    const key = `/own/${options.name}/${writer}-${random(4)}`;
    const { kv } = await store.get(key);
    if (kv !== undefined && random(4) === 0) {
      acknowledge(await store.delete(key, { expectedRevision: kv.modRevision }), `delete ${key}`);
    } else {
      const stamp = `${options.seed}.${writer}.${i}`;
      const value = stampedValue(stamp, random(6000));
      acknowledge(await store.put(key, value, { expectedRevision: kv?.modRevision ?? 0 }), `put ${key} ${stamp}`);
    }
  }
}

/** Increments a key of all writers, so that writers and processes race. */
async function increment(store: Store): Promise<void> {
  let { kv } = await store.get("/shared/counter");
  for (;;) {
    const count = String(Number(kv?.value ?? 0) + 1);
    const expectedRevision = kv?.modRevision ?? 0;
    const result = await store.put("/shared/counter", Buffer.from(count), { expectedRevision });
    if (result.succeeded) {
      acknowledge(result, `put /shared/counter ${count}`);
      return;
    }
    kv = result.current;
  }
}

function acknowledge(result: Awaited<ReturnType<Store["delete"]>>, what: string): void {
  if (!result.succeeded) {
    throw new Error(`lost a race that nobody else ran: ${what}`);
  }
  writeSync(1, `${result.revision} ${what}\n`);
}

async function compact(store: Store, keepRevisions: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    await store.compact(Math.max(1, (await store.currentRevision()) - keepRevisions));
  }
}

await main(JSON.parse(process.argv[2] as string) as StoreWriterOptions);
