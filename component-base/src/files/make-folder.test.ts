import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { makeFolder, makeFolderSync } from "./make-folder.js";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-make-folder-"));
after(() => rmSync(folder, { recursive: true, force: true }));

for (const [way, make] of [
  ["at once", async (path: string, mode?: number) => makeFolderSync(path, mode)],
  ["asynchronously", makeFolder],
] as const) {
  const within = (...names: readonly string[]): string => join(folder, way, ...names);

  test(`${way}: what is missing is made with the mode, and what is there stays`, async () => {
    await make(within("a", "b"), 0o700);
    await make(within("a"), 0o777);
    for (const path of [within(), within("a"), within("a", "b")]) {
      assert.equal(statSync(path).mode & 0o777, 0o700);
    }
  });

  test(`${way}: many who make the same folder do so together`, async () => {
    // Again and again: what comes between two steps of another is left to chance.
    for (let round = 0; round < 100; round++) {
      const names = [`many-${round}`, "of", "them"];
      await Promise.all(Array.from({ length: 20 }, () => make(within(...names))));
      assert.ok(statSync(within(...names)).isDirectory());
    }
  });

  test(`${way}: a file in the way, and a link to nothing, are named`, async () => {
    await make(within());
    writeFileSync(within("file"), "");
    symlinkSync(within("nothing"), within("link"));
    await assert.rejects(make(within("file")), { code: "EEXIST" });
    await assert.rejects(make(within("file", "x")), { code: "ENOTDIR" });
    await assert.rejects(make(within("link", "x")), { code: "EEXIST" });
  });

  // Node's own `mkdir` with `recursive` never ends here.
  test(`${way}: a file system that has no place for folders is an error`, {
    skip: process.platform !== "linux" && "only Linux has /proc",
  }, async () => {
    await assert.rejects(make("/proc/gatehouse/a/b"), { code: "ENOENT" });
  });
}
