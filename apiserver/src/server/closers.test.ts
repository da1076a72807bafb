import assert from "node:assert/strict";
import { test } from "node:test";
import { Closers } from "./closers.js";

test("what was opened last is closed first, one after the other, and only once", async () => {
  const closed: string[] = [];
  const closers = new Closers();
  closers.add(() => void closed.push("store"));
  closers.use({
    async [Symbol.asyncDispose]() {
      await null;
      closed.push("feed");
    },
  });
  closers.use({ [Symbol.dispose]: () => void closed.push("timer") });
  await closers[Symbol.asyncDispose]();
  await closers[Symbol.asyncDispose]();
  assert.deepEqual(closed, ["timer", "feed", "store"]);
});

test("one that throws does not keep the others open, and its error is told", async () => {
  const closed: string[] = [];
  const closers = new Closers();
  closers.add(() => void closed.push("store"));
  closers.add(() => Promise.reject(new Error("feed")));
  closers.add(() => void closed.push("listener"));
  await assert.rejects(closers[Symbol.asyncDispose](), new Error("feed"));
  assert.deepEqual(closed, ["listener", "store"]);
});

test("several errors are told together", async () => {
  const closers = new Closers();
  closers.add(() => {
    throw new Error("a");
  });
  closers.add(() => {
    throw new Error("b");
  });
  await assert.rejects(closers[Symbol.asyncDispose](), (error) => {
    assert.ok(error instanceof AggregateError);
    assert.deepEqual(error.errors, [new Error("b"), new Error("a")]);
    return true;
  });
});
