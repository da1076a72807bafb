import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { StoreUnavailableError } from "../../errors/errors.js";
import { Environment } from "./environment.js";
import { Reader } from "./reader.js";
import { openTables } from "./tables.js";

/** Limits that map the file anew whenever it is not in use. */
const always = { maxResidentBytes: Number.NEGATIVE_INFINITY, checkIntervalMs: 0 };

test("a file that cannot be mapped anew fails readers, is tried again, and then serves them", async () => {
  const path = await mkdtemp(join(tmpdir(), "gatehouse-environment-"));
  let failures = 0;
  let opens = 0;
  const environment = await Environment.open(path, always, async (directory) => {
    opens++;
    if (failures > 0) {
      failures--;
      throw new Error("too many open files");
    }
    return openTables(directory);
  });
  const told: string[] = [];
  environment.mappingListeners.add({
    lost: ({ message }) => void told.push(message),
    recovered: () => void told.push("recovered"),
  });
  try {
    failures = 3;
    environment.noteRead();
    environment.remapWhenDue();
    assert.equal(environment.isAvailable, false);
    const read = environment.use(async () => new Reader(environment).state());
    await assert.rejects(read, (error) => {
      assert.ok(error instanceof StoreUnavailableError, String(error));
      assert.equal(error.message, "the store's file could not be opened again: too many open files; it is tried again");
      return true;
    });
    for (const end = performance.now() + 60_000; !environment.isAvailable; ) {
      assert.ok(performance.now() < end, "it does not recover");
      await sleep(10);
    }
    assert.equal((await environment.use(async () => new Reader(environment).state())).revision, 1);
    assert.equal(failures, 0);
    assert.ok(opens >= 5);
    assert.deepEqual(told, [
      "the store's file could not be opened again: too many open files; it is tried again",
      "recovered",
    ]);
  } finally {
    await environment.close();
    await rm(path, { recursive: true });
  }
});

test("a file that is closed while it cannot be mapped is not opened again", async () => {
  const path = await mkdtemp(join(tmpdir(), "gatehouse-environment-"));
  let isBroken = false;
  let opens = 0;
  const environment = await Environment.open(path, always, async (directory) => {
    opens++;
    if (isBroken) {
      throw new Error("no");
    }
    return openTables(directory);
  });
  isBroken = true;
  environment.noteRead();
  environment.remapWhenDue();
  await assert.rejects(environment.available(), StoreUnavailableError);
  await environment.close();
  const count = opens;
  await sleep(120);
  assert.equal(opens, count);
  await rm(path, { recursive: true });
});
