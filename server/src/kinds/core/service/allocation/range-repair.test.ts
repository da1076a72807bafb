import assert from "node:assert/strict";
import { test } from "node:test";
import type { NumberRange } from "@gatehouse/apiserver/options";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { RangeAllocator } from "./range-allocator.js";
import { type RangeRepairOptions, type RepairNotice, rangeRepair } from "./range-repair.js";
import { openTestStore, putRange, takenOf } from "./test-store.test.support.js";

const key = "/registry/ranges/test";
const range: NumberRange = { text: "100-139", first: 100, size: 40, reserved: 16 };

function holding(...numbers: number[]): JsonObject {
  return { metadata: { namespace: "ns", name: `s${numbers[0]}` }, numbers };
}

interface Given extends Pick<RangeRepairOptions, "store"> {
  readonly services: JsonObject[];
  readonly notices: RepairNotice[];
}

function repairOf({ store, services, notices }: Given, onList = async () => {}): () => Promise<void> {
  return rangeRepair({
    store,
    key,
    range,
    services: async () => {
      await onList();
      return services;
    },
    heldBy: (service) => (service["numbers"] as number[]).map(String),
    numberOf: Number,
    show: String,
    onNotice: (notice) => notices.push(notice),
  });
}

test("the first run makes the range from the services that there are", async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  const given: Given = { store, services: [holding(105), holding(110, 111)], notices: [] };
  await repairOf(given)();
  assert.deepEqual(await takenOf(store, key, range), [105, 110, 111]);
});

test("a number that a service holds is taken again", async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  await putRange(store, key, range, [105]);
  const given: Given = { store, services: [holding(105), holding(110)], notices: [] };
  await repairOf(given)();
  assert.deepEqual(await takenOf(store, key, range), [105, 110]);
  assert.deepEqual(given.notices, [
    { problem: "was not allocated; repaired", value: "110", namespace: "ns", name: "s110" },
  ]);
});

test("a leaked number is freed when it has been seen three times", async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  await putRange(store, key, range, [105, 120]);
  const given: Given = { store, services: [holding(105)], notices: [] };
  const repair = repairOf(given);
  await repair();
  await repair();
  assert.deepEqual(await takenOf(store, key, range), [105, 120]);
  await repair();
  assert.deepEqual(await takenOf(store, key, range), [105]);
  assert.deepEqual(given.notices, [
    { problem: "may have leaked; flagged for later", value: "120" },
    { problem: "has leaked; freed", value: "120" },
  ]);
});

test("a number whose service appears late has not leaked", async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  await putRange(store, key, range, [120]);
  const given: Given = { store, services: [], notices: [] };
  const repair = repairOf(given);
  await repair();
  given.services.push(holding(120));
  await repair();
  given.services.pop();
  await repair();
  await repair();
  assert.deepEqual(await takenOf(store, key, range), [120]);
});

test("numbers held twice or outside of the range are told of, every time", async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  await putRange(store, key, range, [105]);
  const given: Given = { store, services: [holding(105), holding(105), holding(7)], notices: [] };
  await repairOf(given)();
  assert.deepEqual(given.notices, [
    { problem: "taken by several services", value: "105", namespace: "ns", name: "s105" },
    { problem: "outside of the range", value: "7", namespace: "ns", name: "s7" },
  ]);
});

test("what is allocated while the repair looks at the services is kept", async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  await putRange(store, key, range, [105]);
  const allocator = new RangeAllocator({ store, key, range });
  const given: Given = { store, services: [], notices: [] };
  let interferes = true;
  const repair = repairOf(given, async () => {
    if (interferes) {
      interferes = false;
      await allocator.update((edit) => edit.allocate(130));
    }
  });
  given.services.push(holding(105), holding(106));
  await repair();
  assert.deepEqual(await takenOf(store, key, range), [105, 106, 130]);
});

test("another range takes the place of the old one with what services hold", async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  await putRange(store, key, { text: "1-40", first: 1, size: 40, reserved: 16 }, [5]);
  await repairOf({ store, services: [holding(105)], notices: [] })();
  assert.deepEqual(await takenOf(store, key, range), [105]);
});

test("a repair that finds everything in order writes nothing", async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  await putRange(store, key, range, [105]);
  const before = await store.currentRevision();
  await repairOf({ store, services: [holding(105)], notices: [] })();
  assert.equal(await store.currentRevision(), before);
});
