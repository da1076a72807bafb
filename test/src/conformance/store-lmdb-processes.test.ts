import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, it } from "node:test";
import { openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import { collectUntil, create, followUntil, seededRandom, summarize } from "@gatehouse/testing/store-contract";
import { assertIntact, startWriterProcess, temporaryDirectory } from "./store-processes.js";

describe("the embedded store and processes", () => {
  it("lets several processes write one directory, and each sees every change once, in order", async () => {
    await using directory = await temporaryDirectory();
    const store = await openLmdbStore({ directory: directory.path });
    try {
      const start = await store.currentRevision();
      const last = start + 2 * 16 * 40;
      const watch = collectUntil(store, { prefix: "/", afterRevision: start, revision: last });
      const children = ["one", "two"].map((name, i) =>
        startWriterProcess({ directory: directory.path, name, seed: i, writers: 16, writesEach: 40 }),
      );
      for (const { ended } of children) {
        assert.deepEqual(await ended, { code: 0, signal: null, errors: "" });
      }
      assert.equal(await store.currentRevision(), last);
      const events = await watch;
      const acknowledged = new Map(children.flatMap((child) => [...child.acknowledged]));
      assert.equal(acknowledged.size, last - start);
      assert.equal(events.length, last - start);
      assert.equal(String((await store.get("/shared/counter")).kv?.value), String(2 * 16 * 4));
      await assertIntact(directory.path, start, acknowledged);
    } finally {
      await store[Symbol.asyncDispose]();
    }
  });

  it("passes on commits of its own and of another process, in turns, each once and in order", async () => {
    await using directory = await temporaryDirectory();
    const store = await openLmdbStore({ directory: directory.path });
    try {
      const start = await store.currentRevision();
      const ownWrites = 8 * 60;
      const last = start + 8 * 60 + ownWrites;
      const watch = { prefix: "/", afterRevision: start, revision: last };
      const following = [followUntil(store, watch), followUntil(store, watch)];
      const other = startWriterProcess({
        directory: directory.path,
        name: "other",
        seed: 3,
        writers: 8,
        writesEach: 60,
      });
      await new Promise((resolve) => other.child.stdout?.once("data", resolve));
      await Promise.all(
        Array.from({ length: 8 }, async (_, writer) => {
          for (let i = 0; i < ownWrites / 8; i++) {
            await create(store, `/here/${writer}-${i}`, `${writer}.${i}`);
          }
        }),
      );
      assert.deepEqual(await other.ended, { code: 0, signal: null, errors: "" });
      const logged = (await collectUntil(store, watch)).map(summarize);
      for (const { events, shortWay, iteration } of await Promise.all(following)) {
        assert.deepEqual(
          events.map((event) => event.revision),
          Array.from({ length: last - start }, (_, i) => start + 1 + i),
        );
        assert.deepEqual(events.map(summarize), logged);
        assert.ok(shortWay > 0 && iteration > 0, `${shortWay} by the short way, ${iteration} from the log`);
      }
    } finally {
      await store[Symbol.asyncDispose]();
    }
  });

  it("lets its process end amid a write, whatever the moment", async () => {
    await using directory = await temporaryDirectory();
    const script = `
      const { openLmdbStore } = await import(${JSON.stringify(import.meta.resolve("@gatehouse/apiserver/storage/lmdb"))});
      const store = await openLmdbStore({ directory: ${JSON.stringify(directory.path)} });
      void store.put("/key", Buffer.from("value"), { expectedRevision: 0 });
      for (let round = 0; round < Number(process.argv[1]); round++) {
        await new Promise(setImmediate);
      }
      process.exit(7);`;
    for (let rounds = 0; rounds < 12; rounds++) {
      const child = spawn(process.execPath, ["--input-type=module", "-e", script, String(rounds)], {
        stdio: ["ignore", "ignore", "inherit"],
        timeout: 60_000,
        killSignal: "SIGKILL",
      });
      assert.deepEqual(await once(child, "exit"), [7, null], `after ${rounds} rounds of the event loop`);
    }
  });

  it("keeps every acknowledged write through kill -9 at any moment", async () => {
    await using directory = await temporaryDirectory();
    const random = seededRandom(Date.now());
    const acknowledged = new Map<number, string>();
    for (let round = 0; round < 6; round++) {
      const writer = startWriterProcess({ directory: directory.path, name: "w", seed: round, writers: 24 });
      await new Promise((resolve) => writer.child.stdout?.once("data", resolve));
      await new Promise((resolve) => setTimeout(resolve, random(200)));
      writer.child.kill("SIGKILL");
      const { signal, errors } = await writer.ended;
      assert.deepEqual([signal, errors], ["SIGKILL", ""]);
      for (const [revision, what] of writer.acknowledged) {
        assert.ok(!acknowledged.has(revision), "no revision is given out twice");
        acknowledged.set(revision, what);
      }
      await assertIntact(directory.path, 1, acknowledged);
    }
    assert.ok(acknowledged.size > 100, `only ${acknowledged.size} writes were tried`);
  });

  it("keeps its promises when killed while it compacts", async () => {
    await using directory = await temporaryDirectory();
    const random = seededRandom(Date.now());
    for (let round = 0; round < 4; round++) {
      const options = { directory: directory.path, name: "w", seed: round, writers: 24, keepRevisions: 200 };
      const writer = startWriterProcess(options);
      await new Promise((resolve) => writer.child.stdout?.once("data", resolve));
      await new Promise((resolve) => setTimeout(resolve, 50 + random(200)));
      writer.child.kill("SIGKILL");
      await writer.ended;
      const newest = Math.max(...writer.acknowledged.keys());
      // Unacknowledged writes may have come after, so the oldest retained revision is not known exactly.
      await assertIntact(directory.path, Math.max(1, newest - 150), writer.acknowledged);
    }
  });

  it("reports a full disk as an error of the write, loses nothing, and goes on when there is space", async () => {
    await using directory = await temporaryDirectory();
    // A limit on the size of files (in blocks of 512 bytes) fails writes as a full disk does.
    const limited = ["sh", "-c", 'ulimit -f 4000; exec "$@"', "sh"];
    const options = { directory: directory.path, name: "w", seed: 1, writers: 8 };
    const writer = startWriterProcess(options, limited);
    const { code, signal, errors } = await writer.ended;
    assert.deepEqual([code, signal], [1, null], errors);
    assert.match(errors, /the store cannot write: /);
    assert.ok(writer.acknowledged.size > 50);
    await assertIntact(directory.path, 1, writer.acknowledged);
    const after = startWriterProcess({ ...options, name: "after", writesEach: 20 });
    assert.equal((await after.ended).code, 0);
    await assertIntact(directory.path, 1, new Map([...writer.acknowledged, ...after.acknowledged]));
  });
});
