import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { CacheEntry } from "./cache-entry.js";
import { newEntryTree, noDamage, Snapshot } from "./snapshot.js";

test("a snapshot counts the keys of every prefix from every key on, in whatever order it is asked", () => {
  const key = fc
    .tuple(fc.constantFrom("/a/", "/b/", "/c/"), fc.constantFrom("", "x/", "y/"), fc.integer({ min: 0, max: 400 }))
    .map((parts) => parts.join(""));
  const prefix = fc.constantFrom("/", "/a/", "/a/x/", "/b/", "/d/");
  const question = fc.record({ prefix, fromKey: fc.option(key, { nil: undefined }) });
  fc.assert(
    fc.property(fc.uniqueArray(key, { maxLength: 300 }), fc.array(question, { maxLength: 20 }), (keys, questions) => {
      const tree = newEntryTree();
      for (const name of keys) {
        tree.set(name, { key: name } as CacheEntry);
      }
      const snapshot = new Snapshot(1, tree, noDamage);
      for (const { prefix: start, fromKey } of questions) {
        const expected = keys.filter((name) => name.startsWith(start) && (fromKey === undefined || name >= fromKey));
        assert.equal(snapshot.count(start, fromKey), expected.length, `${start} from ${fromKey}`);
      }
    }),
  );
});
