import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { pruneOutputs } from "./prune-outputs.mjs";

test("outputs of sources that are gone are removed, and nothing else", () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-prune-"));
  try {
    for (const path of [
      "src/kept/a.ts",
      ...["dist/kept/a.js", "dist/kept/a.js.map", "dist/kept/a.d.ts", "dist/data.json"],
      ...["dist/gone/b.js", "dist/gone/b.js.map", "dist/gone/b.d.ts"],
    ]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), "");
    }
    assert.deepEqual(pruneOutputs(folder).sort(), ["gone/b.d.ts", "gone/b.js", "gone/b.js.map"]);
    assert.deepEqual(readdirSync(join(folder, "dist", "kept")).sort(), ["a.d.ts", "a.js", "a.js.map"]);
    assert.deepEqual(readdirSync(join(folder, "dist", "gone")), []);
    assert.deepEqual(pruneOutputs(folder), []);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
