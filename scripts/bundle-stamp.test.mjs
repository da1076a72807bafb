import assert from "node:assert/strict";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { isFresh, statesOf, writeStamp } from "./bundle-stamp.mjs";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-stamp-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = (name) => join(folder, name);

test("a bundle is fresh until an input changes or goes, or an output goes", () => {
  const stamp = file("cache/stamp.json");
  const stampAgain = () => {
    for (const name of ["a", "b", "out"]) {
      writeFileSync(file(name), "one");
    }
    writeStamp(stamp, statesOf([file("a"), file("b")]), [file("out")]);
    assert.equal(isFresh(stamp), true);
  };
  assert.equal(isFresh(stamp), false, "there is no stamp yet");
  stampAgain();
  writeFileSync(file("a"), "longer");
  assert.equal(isFresh(stamp), false);
  stampAgain();
  utimesSync(file("b"), 1, 1);
  assert.equal(isFresh(stamp), false);
  stampAgain();
  rmSync(file("a"));
  assert.equal(isFresh(stamp), false);
  stampAgain();
  rmSync(file("out"));
  assert.equal(isFresh(stamp), false);
  writeFileSync(stamp, '{"inputs"');
  assert.equal(isFresh(stamp), false, "half a stamp is none");
});
