import assert from "node:assert/strict";
import { test } from "node:test";
import { FlowRequest } from "./flow-request.js";
import { queueingLevel, rejectingLevel, TestLevels } from "./test-levels.test.support.js";

/** Levels of which one has this number of seats; the catch-all level has the few others. */
function levelsWith(seats: number, queues: number, queueLengthLimit: number): TestLevels {
  const test = new TestLevels(seats);
  test.configure(queueingLevel("busy", queues, queueLengthLimit, 10_000));
  assert.equal(test.levels.levels.get("busy")?.currentSeats, seats);
  return test;
}

test("requests are executed at once while there are seats, wait in their queue, and begin as seats become free", () => {
  const test = levelsWith(2, 64, 50);
  const first = test.start("a");
  const second = test.start("a");
  const third = test.start("a", "third");
  assert.deepEqual([first.admission, second.admission, third.admission], ["execute", "execute", "wait"]);
  test.finish(first.request);
  assert.deepEqual(test.begun, ["third"]);
});

test("a request is rejected when no seat is free and its queue is full", () => {
  const test = levelsWith(1, 64, 2);
  assert.deepEqual(
    [1, 2, 3, 4].map(() => test.start("a").admission),
    ["execute", "wait", "wait", "reject"],
  );
  // Another flow has a queue of its own.
  assert.equal(test.start("somebody else").admission, "wait");
});

test("a level without queues rejects what it has no seat for", () => {
  const test = new TestLevels(1);
  test.configure(rejectingLevel("strict", 10_000));
  const { request } = test.start("a");
  assert.equal(test.start("a").admission, "reject");
  test.finish(request);
  assert.equal(test.start("a").admission, "execute");
});

test("a flow with many requests does not hold up another with one", () => {
  const test = levelsWith(1, 64, 50);
  let running = test.start("greedy").request;
  const waiting = new Map<string, ReturnType<TestLevels["start"]>["request"]>();
  for (let index = 0; index < 20; index++) {
    waiting.set(`greedy ${index}`, test.start("greedy", `greedy ${index}`).request);
  }
  test.nowMs += 5;
  waiting.set("modest", test.start("modest").request);
  for (let index = 0; index < 3; index++) {
    test.nowMs += 10;
    test.finish(running);
    running = waiting.get(test.begun.at(-1) ?? "") as typeof running;
  }
  assert.ok(test.begun.includes("modest"), `begun: ${test.begun.join(", ")}`);
});

test("two busy flows get the same share of the seats, whatever the number of their requests", () => {
  const test = levelsWith(1, 64, 500);
  let running = test.start("many", "many").request;
  const waiting = new Map<string, typeof running>();
  for (let index = 0; index < 300; index++) {
    waiting.set(`many ${index}`, test.start("many", `many ${index}`).request);
    if (index < 60) {
      waiting.set(`few ${index}`, test.start("few", `few ${index}`).request);
    }
  }
  for (let index = 0; index < 100; index++) {
    test.nowMs += 4;
    test.finish(running);
    running = waiting.get(test.begun.at(-1) ?? "") as typeof running;
  }
  const ofFew = test.begun.filter((name) => name.startsWith("few")).length;
  assert.ok(Math.abs(ofFew - 50) <= 2, `${ofFew} of 100`);
});

test("a wide request waits until enough seats are free, and none overtakes it", () => {
  const test = levelsWith(4, 1, 50);
  const first = test.start("a").request;
  assert.equal(test.start("a", "wide", 4).admission, "wait");
  assert.equal(test.start("a", "narrow").admission, "wait");
  assert.deepEqual(test.begun, []);
  test.finish(first);
  assert.deepEqual(test.begun, ["wide"]);
});

test("a request that is wider than its level runs alone", () => {
  const test = levelsWith(2, 64, 50);
  const { request, admission } = test.start("a", "wide", 5);
  assert.equal(admission, "execute");
  assert.equal(test.start("a", "next").admission, "wait");
  test.finish(request);
  assert.deepEqual(test.begun, ["next"]);
});

test("the seats of watchers stay taken for a while after the answer", () => {
  const test = levelsWith(2, 64, 50);
  const { request } = test.start("a", "write", 2, 20);
  assert.equal(test.start("a", "next").admission, "wait");
  test.finish(request);
  assert.deepEqual(test.begun, []);
  const [release] = test.later;
  assert.equal(release?.atMs, test.nowMs + 20);
  release?.task();
  assert.deepEqual(test.begun, ["next"]);
});

test("a request that leaves its queue is not begun, and counts as rejected for its wait", async () => {
  const test = levelsWith(1, 64, 50);
  const first = test.start("a");
  const second = test.start("a", "second");
  const { queues } = test.levels.levels.get("busy") ?? assert.fail();
  assert.ok(queues.cancel(second.request, test.nowMs));
  assert.ok(!queues.cancel(second.request, test.nowMs));
  test.finish(first.request);
  assert.deepEqual(test.begun, []);
  assert.ok(queues.isIdle);
  assert.match(await test.registry.render(), /rejected_requests_total\{.*reason="time-out"\} 1/);
});

test("requests that wait are begun when a change of the configuration gives them seats", () => {
  const test = levelsWith(1, 64, 50);
  test.start("a");
  test.start("a", "second");
  test.levels.levels.get("busy")?.queues.configure(queueingLevel("busy", 64, 50), 2, test.nowMs);
  assert.deepEqual(test.begun, ["second"]);
});

test("queues that are too many go when they are empty, and what waits in them is still begun", () => {
  const test = levelsWith(1, 8, 50);
  const first = test.start("a").request;
  test.start("a", "second");
  test.configure(queueingLevel("busy", 1, 50, 10_000));
  const { queues } = test.levels.levels.get("busy") ?? assert.fail();
  test.finish(first);
  assert.deepEqual(test.begun, ["second"]);
  assert.equal(test.start("b", "third").admission, "wait");
  assert.ok(queues.queues.length < 8 + 1);
});

test("a request whose flow was found before the number of queues changed still finds a queue", () => {
  const test = levelsWith(1, 64, 50);
  const { request } = test.start("a");
  const { queues } = test.levels.levels.get("busy") ?? assert.fail();
  test.finish(request);
  const ofOld = { ...request.flow, hand: [1000, 2000] };
  const ofNone = { ...request.flow, hand: [] };
  for (const flow of [ofOld, ofNone]) {
    const late = new FlowRequest(flow, request, { initialSeats: 1, finalSeats: 0, additionalMs: 0 }, test.nowMs);
    assert.equal(queues.start(late, test.nowMs), "execute");
    queues.finish(late, test.nowMs);
  }
});
