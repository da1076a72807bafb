import assert from "node:assert/strict";
import { test } from "node:test";
import { CloserStack } from "./closer-stack.js";

test("what was opened last is closed first, one after the other", async () => {
  const stack = new CloserStack();
  const closed: string[] = [];
  stack.defer(() => void closed.push("first"));
  stack.defer(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    closed.push("second");
  });
  stack.defer(() => void closed.push("third"));
  await stack[Symbol.asyncDispose]();
  assert.deepEqual(closed, ["third", "second", "first"]);
});

test("a closer that fails keeps none of the others, and its error comes at the end", async () => {
  const stack = new CloserStack();
  const closed: string[] = [];
  const failure = new Error("second");
  stack.defer(() => void closed.push("first"));
  stack.defer(() => Promise.reject(failure));
  stack.defer(() => void closed.push("third"));
  await assert.rejects(stack[Symbol.asyncDispose](), (error) => error === failure);
  assert.deepEqual(closed, ["third", "first"]);
});

test("several errors come together, in the order in which they happened", async () => {
  const stack = new CloserStack();
  const [one, two] = [new Error("one"), new Error("two")];
  stack.defer(() => Promise.reject(two));
  stack.defer(() => {
    throw one;
  });
  await assert.rejects(stack[Symbol.asyncDispose](), (error) => {
    assert.ok(error instanceof AggregateError);
    assert.equal(error.message, "2 things could not be closed");
    assert.deepEqual(error.errors, [one, two]);
    return true;
  });
});

test("everything is closed once, and who closes again waits for the same end", async () => {
  const stack = new CloserStack();
  let closed = 0;
  stack.defer(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    closed++;
  });
  await Promise.all([stack[Symbol.asyncDispose](), stack[Symbol.asyncDispose]()]);
  assert.equal(closed, 1);
  assert.throws(() => stack.defer(() => {}), /the stack is closed/);
});
