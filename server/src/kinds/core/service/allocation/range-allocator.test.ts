import assert from "node:assert/strict";
import { test } from "node:test";
import type { NumberRange } from "@gatehouse/apiserver/options";
import type { AllocatorMetrics } from "./allocator-metrics.js";
import { RangeAllocator, type RangeAllocatorOptions, RangeUnavailableError } from "./range-allocator.js";
import { openTestStore, putRange, takenOf } from "./test-store.test.support.js";

const key = "/registry/ranges/test";
const range: NumberRange = { text: "100-139", first: 100, size: 40, reserved: 16 };

test("what is stored is a RangeAllocation as kube-apiserver writes it", async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  await putRange(store, key, range);
  await new RangeAllocator({ store, key, range }).update((edit) => edit.allocate(109));
  const { kv } = await store.get(key);
  assert.deepEqual(JSON.parse(String(kv?.value)), {
    kind: "RangeAllocation",
    apiVersion: "v1",
    metadata: { creationTimestamp: null },
    range: "100-139",
    data: "AgA=",
  });
});

test("a number is allocated once, given back, and allocated again", async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  await putRange(store, key, range);
  const allocator = new RangeAllocator({ store, key, range });
  assert.equal(await allocator.update((edit) => edit.allocate(105)), "allocated");
  assert.equal(await allocator.update((edit) => edit.allocate(105)), "taken");
  assert.equal(await allocator.update((edit) => edit.has(105)), true);
  for (const outside of [99, 140, -1, 0, 1e9]) {
    assert.equal(await allocator.update((edit) => edit.allocate(outside)), "outside");
    await allocator.update((edit) => edit.release(outside));
  }
  await allocator.update((edit) => edit.release(105));
  assert.equal(await allocator.update((edit) => edit.allocate(105)), "allocated");
});

test("the reserved numbers come last, and then the range is full", async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  await putRange(store, key, range);
  const allocator = new RangeAllocator({ store, key, range });
  const numbers: (number | undefined)[] = [];
  for (let count = 0; count < 40; count++) {
    numbers.push(await allocator.update((edit) => edit.allocateNext()));
  }
  assert.ok(numbers.slice(0, 24).every((number) => number !== undefined && number >= 116));
  assert.equal(new Set(numbers).size, 40);
  assert.equal(await allocator.update((edit) => edit.allocateNext()), undefined);
});

test("an update that throws leaves nothing behind, and does not disturb those beside it", async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  await putRange(store, key, range, [100]);
  const allocator = new RangeAllocator({ store, key, range });
  const failing = allocator.update((edit) => {
    edit.allocate(101);
    edit.release(100);
    edit.allocate(102);
    throw new Error("changed my mind");
  });
  const results = await Promise.allSettled([
    allocator.update((edit) => edit.allocate(103)),
    failing,
    allocator.update((edit) => edit.allocate(101)),
  ]);
  assert.deepEqual(
    results.map((result) => (result.status === "fulfilled" ? result.value : result.reason.message)),
    ["allocated", "changed my mind", "allocated"],
  );
  assert.deepEqual(await takenOf(store, key, range), [100, 101, 103]);
});

test("an update that changes nothing is not written", async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  await putRange(store, key, range, [100]);
  const before = await store.currentRevision();
  const allocator = new RangeAllocator({ store, key, range });
  await allocator.update((edit) => edit.allocate(100));
  await allocator.update((edit) => edit.release(120));
  assert.equal(await store.currentRevision(), before);
});

test("two allocators on one store never hand out the same number", async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  const wide: NumberRange = { text: "wide", first: 0, size: 500, reserved: 16 };
  await putRange(store, key, wide);
  const allocators = [1, 2].map(() => new RangeAllocator({ store, key, range: wide }));
  const numbers = await Promise.all(
    Array.from({ length: 500 }, (_, index) =>
      (allocators[index % 2] as RangeAllocator).update((edit) => edit.allocateNext()),
    ),
  );
  assert.equal(new Set(numbers).size, 500);
  assert.equal((await takenOf(store, key, wide)).length, 500);
});

test("a refusal counts only in the current state: what somebody else has given back can be had", async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  await putRange(store, key, range, [110]);
  const here = new RangeAllocator({ store, key, range });
  const there = new RangeAllocator({ store, key, range });
  assert.equal(await here.update((edit) => edit.allocate(110)), "taken");
  await there.update((edit) => edit.release(110));
  assert.equal(await here.update((edit) => edit.allocate(110)), "allocated");
});

test("nothing is allocated from a range that is not there or is another one", async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  const allocator = new RangeAllocator({ store, key, range });
  await assert.rejects(
    allocator.update((edit) => edit.allocateNext()),
    RangeUnavailableError,
  );
  await putRange(store, key, { ...range, text: "200-239" });
  await assert.rejects(
    allocator.update((edit) => edit.allocateNext()),
    /the provided range does not match the current range/,
  );
});

/** Metrics that write down what they are told. */
function recordingMetrics(): { readonly metrics: AllocatorMetrics; taken(): string[] } {
  let lines: string[] = [];
  return {
    metrics: {
      attempted: (scope, succeeded) => lines.push(`${scope} ${succeeded ? "allocated" : "error"}`),
      counted: (taken, free) => lines.push(`${taken} taken, ${free} free`),
    },
    taken() {
      const recorded = lines;
      lines = [];
      return recorded;
    },
  };
}

test("every attempt is measured once, those of an update that throws, too; a look is none", async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  await putRange(store, key, range, [100]);
  const { metrics, taken } = recordingMetrics();
  const allocator = new RangeAllocator({ store, key, range, metrics });
  await allocator.update((edit) => edit.has(100));
  assert.deepEqual(taken(), []);
  await allocator.update((edit) => [edit.allocateNext(), edit.allocate(100), edit.allocate(99)]);
  assert.deepEqual(taken(), ["dynamic allocated", "static error", "static error", "2 taken, 38 free"]);
  const throwing = allocator.update((edit) => {
    edit.allocate(110);
    throw new Error("no");
  });
  await assert.rejects(throwing, /no/);
  assert.deepEqual(taken(), ["static allocated", "2 taken, 38 free"]);
  await allocator.release([100]);
  assert.deepEqual(taken(), ["1 taken, 39 free"]);
});

test("an attempt that runs again since another process has written is measured once", async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  await putRange(store, key, range);
  const { metrics, taken } = recordingMetrics();
  let puts = 0;
  const contended: RangeAllocatorOptions["store"] = {
    get: (at) => store.get(at),
    async put(...words) {
      if (puts++ === 0) {
        await putRange(store, key, range, [101, 102]);
      }
      return store.put(...words);
    },
  };
  await new RangeAllocator({ store: contended, key, range, metrics }).update((edit) => edit.allocate(100));
  assert.equal(puts, 2);
  assert.deepEqual(taken(), ["static allocated", "3 taken, 37 free"]);
});

test("an attempt whose write fails is an error", async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  await putRange(store, key, range);
  const { metrics, taken } = recordingMetrics();
  const failing: RangeAllocatorOptions["store"] = {
    get: (at) => store.get(at),
    put: () => Promise.reject(new Error("the disk is full")),
  };
  const allocator = new RangeAllocator({ store: failing, key, range, metrics });
  await assert.rejects(
    allocator.update((edit) => edit.allocate(100)),
    /the disk is full/,
  );
  assert.deepEqual(taken(), ["static error"]);
});
