import assert from "node:assert/strict";
import { test } from "node:test";
import { TextMemo } from "./text-memo.js";

test("a memo gives what it was told to keep, as long as there is room", () => {
  const memo = new TextMemo<number>(1000);
  assert.equal(memo.get("a"), undefined);
  assert.equal(memo.keep("a", 1), 1);
  assert.equal(memo.keep("", 2), 2);
  assert.deepEqual([memo.get("a"), memo.get(""), memo.get("b")], [1, 2, undefined]);
});

test("a memo forgets everything instead of growing, whatever the length of its texts", () => {
  for (const length of [1, 60]) {
    const memo = new TextMemo<number>(1000);
    const names = Array.from({ length: 100 }, (_none, index) => String(index).padStart(length, "x"));
    for (const [index, name] of names.entries()) {
      assert.equal(memo.keep(name, index), index);
      assert.equal(memo.get(name), index);
    }
    const kept = names.filter((name) => memo.get(name) !== undefined);
    assert.ok(kept.length <= 1000 / (length + 64), `${kept.length} texts of ${length} characters`);
  }
});

test("a long text leaves the others in a memo, and is not kept", () => {
  const memo = new TextMemo<number>(1600);
  memo.keep("a", 1);
  assert.equal(memo.keep("x".repeat(101), 2), 2);
  assert.deepEqual([memo.get("a"), memo.get("x".repeat(101))], [1, undefined]);
});

test("a text that is kept again takes no more room, and has its new value", () => {
  const memo = new TextMemo<number>(200);
  memo.keep("a", 1);
  for (let value = 2; value < 100; value++) {
    memo.keep("b", value);
  }
  assert.deepEqual([memo.get("a"), memo.get("b")], [1, 99]);
});
