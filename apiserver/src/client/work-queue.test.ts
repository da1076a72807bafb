import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { conflict } from "@gatehouse/envelopes/status";
import { eventually } from "@gatehouse/testing/eventually";
import { WorkQueue, type WorkQueueOptions } from "./work-queue.js";

function queueFor(
  work: WorkQueueOptions["work"],
  options: Partial<WorkQueueOptions> = {},
): { readonly queue: WorkQueue; readonly errors: unknown[]; readonly stop: () => void } {
  const controller = new AbortController();
  const errors: unknown[] = [];
  const queue = new WorkQueue({
    work,
    concurrency: 2,
    signal: controller.signal,
    onError: (error) => errors.push(error),
    backoff: { firstMs: 1, maxMs: 4 },
    random: () => 0,
    ...options,
  });
  return { queue, errors, stop: () => controller.abort() };
}

test("a key that waits already is worked on once", async () => {
  const done: string[] = [];
  const { queue } = queueFor(async (key) => {
    done.push(key);
    await wait(1);
    return undefined;
  });
  for (const key of ["a", "b", "c", "c", "c"]) {
    queue.add(key);
  }
  await queue.idle();
  assert.deepEqual(done, ["a", "b", "c"]);
});

test("a key that is added while it is worked on comes again, and never twice at a time", async () => {
  let runs = 0;
  let inside = 0;
  const { queue } = queueFor(async () => {
    runs++;
    assert.equal(++inside, 1);
    await wait(2);
    inside--;
    return undefined;
  });
  queue.add("a");
  queue.add("a");
  queue.add("a");
  await queue.idle();
  assert.equal(runs, 2);
});

test("no more keys are worked on at a time than allowed", async () => {
  let inside = 0;
  let most = 0;
  const { queue } = queueFor(async () => {
    most = Math.max(most, ++inside);
    await wait(1);
    inside--;
    return undefined;
  });
  for (let index = 0; index < 20; index++) {
    queue.add(String(index));
  }
  await queue.idle();
  assert.equal(most, 2);
});

test("a key that fails is reported and comes again until it succeeds", async () => {
  let runs = 0;
  const { queue, errors } = queueFor(async () => {
    if (++runs < 4) {
      throw new Error(`failure ${runs}`);
    }
    return undefined;
  });
  queue.add("a");
  await eventually(() => assert.equal(runs, 4));
  assert.deepEqual(
    errors.map((error) => (error as Error).message),
    ["failure 1", "failure 2", "failure 3"],
  );
});

test("a lost race is no failure worth reporting", async () => {
  let runs = 0;
  const { queue, errors } = queueFor(async () => {
    if (++runs === 1) {
      throw conflict({ group: "", resource: "pods" }, "a");
    }
    return undefined;
  });
  queue.add("a");
  await eventually(() => assert.equal(runs, 2));
  assert.deepEqual(errors, []);
});

test("work may ask to come again later, and after a while", async () => {
  let runs = 0;
  const { queue } = queueFor(async () => (++runs === 1 ? "retry" : runs === 2 ? { afterMs: 1 } : undefined));
  queue.add("a");
  await eventually(() => assert.equal(runs, 3));
});

test("of two times for a key the earlier one counts", async () => {
  const done: string[] = [];
  const { queue, stop } = queueFor(async (key) => {
    done.push(key);
    return undefined;
  });
  queue.addAfter("a", 60_000);
  queue.addAfter("a", 1);
  queue.addAfter("a", 60_000);
  await eventually(() => assert.deepEqual(done, ["a"]));
  stop();
});

test("after the abort nothing new begins and no error is reported", async () => {
  const done: string[] = [];
  const { queue, errors, stop } = queueFor(
    async (key) => {
      done.push(key);
      await wait(5);
      throw new Error("too late");
    },
    { concurrency: 1 },
  );
  queue.add("a");
  queue.add("b");
  queue.addAfter("c", 1);
  stop();
  queue.add("d");
  await queue.idle();
  await wait(10);
  assert.deepEqual(done, ["a"]);
  assert.deepEqual(errors, []);
});

test("a key comes when the clock of a test has passed its time, however long its timer runs", async () => {
  const done: string[] = [];
  let now = 0;
  const listeners: (() => void)[] = [];
  const clock = { now: () => now, onAdvance: (listener: () => void) => void listeners.push(listener) };
  const hourMs = 3_600_000;
  const { queue, stop } = queueFor(
    async (key) => {
      done.push(key);
      return key === "again" && done.length < 3 ? { afterMs: hourMs } : undefined;
    },
    { clock },
  );
  const advance = async (ms: number): Promise<void> => {
    now += ms;
    for (const listener of listeners) {
      listener();
    }
    await queue.idle();
  };
  queue.addAfter("again", hourMs);
  queue.addAfter("never", 100 * hourMs);
  await advance(hourMs - 1);
  assert.deepEqual(done, []);
  await advance(1);
  await advance(hourMs);
  assert.deepEqual(done, ["again", "again"]);
  stop();
});

test("a key that fails too often is given up, and has as many tries when it is added again", async () => {
  let tries = 0;
  const work = (): Promise<never> => Promise.reject(new Error(`try ${++tries}`));
  const { queue, errors, stop } = queueFor(work, { maxRetries: 3 });
  queue.add("a");
  await eventually(() => assert.equal(errors.length, 4));
  await wait(20);
  assert.equal(tries, 4);
  queue.add("a");
  await eventually(() => assert.equal(errors.length, 8));
  await wait(20);
  assert.equal(tries, 8);
  stop();
});
