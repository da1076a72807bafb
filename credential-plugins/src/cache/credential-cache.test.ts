import assert from "node:assert/strict";
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { CredentialError } from "../plugin/credential-error.js";
import { cacheFolderOf } from "./cache-folder.js";
import { openCredentialCache } from "./credential-cache.js";

const folder = await mkdtemp(join(tmpdir(), "gatehouse-cache-"));
after(() => rm(folder, { recursive: true, force: true }));

const entry = { credential: { token: "t" }, obtainedAt: 1 };

/** A cache that holds something, its file, and what it tells. */
async function filled(key: string) {
  const lines: string[] = [];
  const cache = await openCredentialCache(join(folder, key), [key], (line) => lines.push(line));
  await cache.write(entry);
  const [name = ""] = await readdir(join(folder, key));
  return { cache, path: join(folder, key, name), lines };
}

test("what was kept is for its owner alone, and read again", async () => {
  const { cache, path, lines } = await filled("kept");
  assert.deepEqual(await cache.read(), entry);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  await cache.remove();
  assert.equal(await cache.read(), undefined);
  assert.deepEqual(lines, []);
});

test("what others may read is not used, and the person hears so once", async () => {
  const { cache, path, lines } = await filled("open");
  await chmod(path, 0o640);
  assert.equal(await cache.read(), undefined);
  assert.equal(await cache.read(), undefined);
  assert.deepEqual(lines, [`The cached credential ${path} is open to others (mode 640), and is not used.`]);
});

for (const [what, content] of [
  ["half a document", '{"obtainedAt":1,'],
  ["nothing", ""],
  ["a document of something else", "[]"],
] as const) {
  test(`a file with ${what} is not used, and the person hears so`, async () => {
    const { cache, path, lines } = await filled(what);
    await writeFile(path, content);
    assert.equal(await cache.read(), undefined);
    assert.deepEqual(lines, [`The cached credential ${path} is damaged, and is not used.`]);
  });
}

test("a file that is larger than any credential is not read", async () => {
  const { cache, path, lines } = await filled("large");
  await writeFile(path, Buffer.alloc(1024 * 1024 + 1));
  assert.equal(await cache.read(), undefined);
  assert.deepEqual(lines, [`The cached credential ${path} is too large, and is not used.`]);
});

test("a place that takes no folders is named", {
  skip: process.platform !== "linux" && "only Linux has /proc",
}, async () => {
  const place = cacheFolderOf("some-plugin", { XDG_CACHE_HOME: "/proc/gatehouse" });
  await assert.rejects(
    openCredentialCache(place, ["key"], () => undefined),
    new CredentialError(`the cache folder ${place} cannot be used (ENOENT)`),
  );
});
