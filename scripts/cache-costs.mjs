#!/usr/bin/env node
// Prints facts for docs/scale.md that no request shows: the processor time that a cache needs for each object when it is
// filled, for each change that another process has made, and its memory for each object. Everything is read from an
// embedded store with 1 KB objects. Usage: node scripts/cache-costs.mjs [OBJECTS]
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
// Caches are no entry point of the package.
import { ResourceCache } from "../apiserver/dist/storage/cache/resource-cache.js";
import { StoreFeed } from "../apiserver/dist/storage/cache/store-feed.js";
import { configMapJson, configMapName } from "../bench/dist/config-maps.js";
import { describeMachine } from "../bench/dist/machine.js";

const prefix = "/registry/configmaps/";
const atOnce = 1000;

/** Writes every object, or writes it again. */
async function writeAll(directory, objects) {
  const store = await openLmdbStore({ directory, unsafeNoFsync: true });
  for (let first = 0; first < objects; first += atOnce) {
    const names = Array.from({ length: Math.min(atOnce, objects - first) }, (_, i) => configMapName(first + i));
    await Promise.all(
      names.map(async (name) => {
        const key = `${prefix}default/${name}`;
        const expectedRevision = (await store.get(key)).kv?.modRevision ?? 0;
        await store.put(key, Buffer.from(configMapJson(name)), { expectedRevision });
      }),
    );
  }
  await store[Symbol.asyncDispose]();
}

/** Runs `work`; returns the processor time of this process in microseconds. */
async function processorTime(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function measure(objects) {
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-cache-costs-"));
  try {
    await writeAll(directory, objects);
    const store = await openLmdbStore({ directory });
    const feed = new StoreFeed({ store, prefix: "/registry/", onTrouble: (error) => console.error(error) });
    await feed.started();
    const residentBefore = process.memoryUsage.rss();
    const cache = new ResourceCache({ store, feed, prefix });
    const filling = await processorTime(() => cache.ready());
    const resident = process.memoryUsage.rss() - residentBefore;
    const from = await store.currentRevision();
    const following = await processorTime(async () => {
      const [code] = await once(fork(fileURLToPath(import.meta.url), ["write", directory, String(objects)]), "exit");
      if (code !== 0) {
        throw new Error(`the writer ended with ${code}`);
      }
      await feed.waitFor(await store.currentRevision(), new AbortController().signal, 60_000);
    });
    const changes = (await store.currentRevision()) - from;
    const each = (microseconds, count) => `${(microseconds / count).toFixed(1)} us`;
    await feed[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
    console.log(describeMachine());
    console.log(`filling a cache:      ${each(filling, objects)} of processor time for each of ${objects} objects`);
    console.log(`following a process:  ${each(following, changes)} of processor time for each of ${changes} changes`);
    console.log(`memory of the cache:  ${Math.round(resident / objects)} bytes for each object, at its first read`);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const [first = "100000", directory = "", count = ""] = process.argv.slice(2);
await (first === "write" ? writeAll(directory, Number(count)) : measure(Number(first)));
