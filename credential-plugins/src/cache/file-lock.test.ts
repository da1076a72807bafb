import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { acquireFileLock } from "./file-lock.js";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-lock-"));
});
after(async () => await rm(folder, { recursive: true, force: true }));

const soon = (): AbortSignal => AbortSignal.timeout(20_000);

/** A process that holds the lock, until it is killed. */
async function startHolder(path: string): Promise<ChildProcess> {
  const module = JSON.stringify(fileURLToPath(new URL("./file-lock.js", import.meta.url)));
  const script = `import(${module}).then(async ({ acquireFileLock }) => {
    await acquireFileLock(${JSON.stringify(path)}, { signal: new AbortController().signal });
    console.log("held");
    setInterval(() => {}, 1000);
  });`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return child;
}

test("a lock is held by one at a time, and leaves nothing behind", async () => {
  const path = join(folder, "many.lock");
  let inside = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      await using _ = await acquireFileLock(path, { signal: soon() });
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 1));
      inside--;
    }),
  );
  assert.equal(most, 1);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith("many")),
    [],
  );
});

test("the lock file is for its owner alone", async () => {
  const path = join(folder, "mode.lock");
  await using _ = await acquireFileLock(path, { signal: soon() });
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test("after kill -9 of the holder one of many that wait takes the lock, one after the other", async () => {
  const path = join(folder, "killed.lock");
  const holder = await startHolder(path);
  let waiting = 0;
  let inside = 0;
  let most = 0;
  const others = Array.from({ length: 10 }, async () => {
    await using _ = await acquireFileLock(path, { signal: soon(), onWait: () => waiting++ });
    most = Math.max(most, ++inside);
    await new Promise((resolve) => setTimeout(resolve, 1));
    inside--;
  });
  for (const end = performance.now() + 60_000; waiting < 10; ) {
    assert.ok(performance.now() < end, `${waiting} wait`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.equal(most, 0);
  holder.kill("SIGKILL");
  await Promise.all(others);
  assert.equal(most, 1);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith("killed")),
    [],
  );
});

test("a holder that was stopped loses the lock when its signs of life are missing for too long", async () => {
  const path = join(folder, "stopped.lock");
  const holder = await startHolder(path);
  holder.kill("SIGSTOP");
  try {
    await using _ = await acquireFileLock(path, { signal: soon(), staleAfterMs: 300 });
  } finally {
    holder.kill("SIGKILL");
  }
});

test("a holder of another machine, and one without a name, are believed until their signs of life are missing", async () => {
  const strangers = {
    elsewhere: { id: "00000000-0000-4000-8000-000000000000", machine: `not ${hostname()}`, pid: 2 ** 22 + 1 },
    nobody: "",
  };
  for (const [name, holder] of Object.entries(strangers)) {
    const path = join(folder, `${name}.lock`);
    await writeFile(path, JSON.stringify(holder));
    await assert.rejects(acquireFileLock(path, { signal: AbortSignal.timeout(200) }), { name: "TimeoutError" });
    await using _ = await acquireFileLock(path, { signal: soon(), staleAfterMs: 300 });
  }
});
