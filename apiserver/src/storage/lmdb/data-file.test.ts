import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { dataFileName, dataFileProblem, problemOf } from "./data-file.js";
import { openTables } from "./tables.js";

describe("A data file", () => {
  let folder: string;
  let path: string;
  let bytes: Buffer;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "gatehouse-data-file-"));
    path = join(folder, dataFileName);
    const { root, keys } = await openTables(folder, { unsafeNoFsync: true });
    await keys.put(Buffer.from("a"), Buffer.alloc(20_000));
    await root.close();
    bytes = readFileSync(path);
  });
  after(() => rmSync(folder, { recursive: true }));

  test("has no problem that a writer makes larger while it is looked at", () => {
    let size = 8192;
    const growing = {
      size: () => size,
      meta(position: number) {
        size = bytes.length;
        return bytes.subarray(position);
      },
    };
    assert.equal(problemOf(growing), undefined);
  });

  test("is truncated when its newest state lies beyond its end", () => {
    assert.equal(dataFileProblem(path), undefined);
    truncateSync(path, 8192);
    assert.equal(dataFileProblem(path), "data.mdb is truncated");
  });
});
