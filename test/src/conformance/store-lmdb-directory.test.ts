import assert from "node:assert/strict";
import { chmod, chown, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, it } from "node:test";
import { StoreUnusableError } from "@gatehouse/apiserver/errors";
import { openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import { temporaryDirectory } from "./store-processes.js";

async function assertUnusable(directory: string, message: RegExp): Promise<void> {
  await assert.rejects(openLmdbStore({ directory }), (error) => {
    assert.ok(error instanceof StoreUnusableError, String(error));
    assert.match(error.message, message);
    assert.ok(!error.message.includes("\n"), "one sentence");
    return true;
  });
}

describe("the data directory of the embedded store", () => {
  it("is created for its owner only, with everything in it", async () => {
    await using parent = await temporaryDirectory();
    const directory = join(parent.path, "a", "b");
    const store = await openLmdbStore({ directory });
    await store[Symbol.asyncDispose]();
    assert.equal((await stat(directory)).mode & 0o777, 0o700);
    for (const name of await readdir(directory)) {
      assert.equal((await stat(join(directory, name))).mode & 0o777, 0o600, name);
    }
  });

  it("is refused when it is a file, or lies below one", async () => {
    await using parent = await temporaryDirectory();
    const file = join(parent.path, "file");
    await writeFile(file, "");
    await assertUnusable(file, /^the data directory ".*file" cannot be used \(it is not a directory\)$/);
    await assertUnusable(join(file, "below"), /^the data directory ".*below" cannot be used \(.*ENOTDIR/);
  });

  it("is refused when it may not be written", async (t) => {
    await using parent = await temporaryDirectory();
    const directory = join(parent.path, "closed");
    await mkdir(directory);
    if (process.getuid?.() === 0) {
      // Root may write everywhere, so the test stops being root for a moment.
      if (process.seteuid === undefined) {
        return t.skip("the effective user cannot be changed here");
      }
      await chmod(parent.path, 0o755);
      await chown(directory, 0, 0);
      await chmod(directory, 0o755);
      process.seteuid(65534);
      try {
        await assertUnusable(directory, /cannot be (used|opened) \(.*(EACCES|Permission)/);
      } finally {
        process.seteuid(0);
      }
      return;
    }
    await chmod(directory, 0o500);
    await assertUnusable(directory, /cannot be used \(.*EACCES/);
  });

  it("is refused when it holds something else", async () => {
    await using directory = await temporaryDirectory();
    await writeFile(join(directory.path, "data.mdb"), Buffer.alloc(10_000, "not a database "));
    await assertUnusable(directory.path, /cannot be opened \(data.mdb is not an LMDB file\)$/);
  });

  for (const format of ["1", "4"]) {
    it(`is refused when its data format is ${format}, not this version's, and left as it is`, async () => {
      await using directory = await temporaryDirectory();
      const store = await openLmdbStore({ directory: directory.path });
      await store[Symbol.asyncDispose]();
      await setFormat(directory.path, format);
      await assertUnusable(
        directory.path,
        new RegExp(`has data format ${format}, but this version knows only format 3$`),
      );
      await setFormat(directory.path, "3");
      await (await openLmdbStore({ directory: directory.path }))[Symbol.asyncDispose]();
    });
  }

  it("is opened when its data format is 2, the former one, and marked so that a former release refuses it", async () => {
    await using directory = await temporaryDirectory();
    await (await openLmdbStore({ directory: directory.path }))[Symbol.asyncDispose]();
    await setFormat(directory.path, "2");
    await (await openLmdbStore({ directory: directory.path }))[Symbol.asyncDispose]();
    assert.equal(await readFormat(directory.path), "3");
  });

  it("is refused when its data file has 0 bytes, and not taken for a new one", async () => {
    await using directory = await temporaryDirectory();
    const file = join(directory.path, "data.mdb");
    await writeFile(file, "");
    await assertUnusable(
      directory.path,
      /cannot be opened \(data.mdb has 0 bytes: its data has been lost; restore .*\)$/,
    );
    assert.equal((await stat(file)).size, 0);
  });

  for (const [what, from, to] of [
    ["first", 0, 4096],
    ["second", 4096, 8192],
  ] as const) {
    it(`is refused when the ${what} meta page is gone`, async () => {
      await using directory = await temporaryDirectory();
      await (await openLmdbStore({ directory: directory.path }))[Symbol.asyncDispose]();
      const file = join(directory.path, "data.mdb");
      const bytes = await readFile(file);
      await writeFile(file, bytes.fill(0, from, to));
      await assertUnusable(directory.path, /cannot be opened \(data.mdb is (not an LMDB file|damaged: .*)\)$/);
    });
  }
});

async function setFormat(directory: string, format: string): Promise<void> {
  const { open } = createRequire(import.meta.resolve("@gatehouse/server"))("lmdb");
  const root = open({ path: directory, keyEncoding: "binary", encoding: "binary", overlappingSync: false });
  await root
    .openDB("meta", { keyEncoding: "binary", encoding: "binary" })
    .put(Buffer.from("format"), Buffer.from(format));
  await root.close();
}

async function readFormat(directory: string): Promise<string> {
  const { open } = createRequire(import.meta.resolve("@gatehouse/server"))("lmdb");
  const root = open({ path: directory, keyEncoding: "binary", encoding: "binary", overlappingSync: false });
  const format = String(root.openDB("meta", { keyEncoding: "binary", encoding: "binary" }).get(Buffer.from("format")));
  await root.close();
  return format;
}
