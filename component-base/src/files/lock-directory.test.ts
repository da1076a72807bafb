import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { DirectoryInUseError } from "../errors.js";
import { lockDirectory } from "./lock-directory.js";

const root = await mkdtemp(join(tmpdir(), "lock-"));
after(() => rm(root, { recursive: true }));

/** A folder with the lock of a process that was killed. */
async function abandoned(): Promise<string> {
  const directory = await mkdtemp(join(root, "d-"));
  const socket = JSON.stringify(join(directory, "lock"));
  const script = `require("node:net").createServer().listen(${socket}, () => process.kill(process.pid, "SIGKILL"))`;
  spawnSync(process.execPath, ["-e", script]);
  assert.deepEqual(await readdir(directory), ["lock"]);
  return directory;
}

test("a folder is locked until it is let go, and leaves nothing behind", async () => {
  const directory = await mkdtemp(join(root, "d-"));
  const lock = await lockDirectory(directory);
  await assert.rejects(lockDirectory(directory), new DirectoryInUseError(`${directory} is in use by another process`));
  await lock[Symbol.asyncDispose]();
  assert.deepEqual(await readdir(directory), []);
  await using again = await lockDirectory(directory);
  assert.ok(again);
});

test("of several that come upon the lock of a killed process, one gets it, and the others do not take it away", async () => {
  const directory = await abandoned();
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => lockDirectory(directory)));
  const winners = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  assert.equal(winners.length, 1);
  await assert.rejects(lockDirectory(directory), DirectoryInUseError);
  await winners[0]?.[Symbol.asyncDispose]();
  assert.deepEqual(await readdir(directory), []);
});

test("a folder with a long path is locked as well", async () => {
  const directory = join(root, "x".repeat(120));
  await using lock = await lockDirectory(directory);
  assert.ok(lock);
  await assert.rejects(lockDirectory(directory), DirectoryInUseError);
});
