import assert from "node:assert/strict";
import { test } from "node:test";
import { RecentEntries } from "./recent-entries.js";

test("the entry that was set longest ago is forgotten when there are too many", () => {
  const entries = new RecentEntries<number>(2);
  entries.set("a", 1);
  entries.set("b", 2);
  entries.set("a", 3);
  entries.set("c", 4);
  assert.deepEqual(
    ["a", "b", "c"].map((key) => entries.get(key)),
    [3, undefined, 4],
  );
});
