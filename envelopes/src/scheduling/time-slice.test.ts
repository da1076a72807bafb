import assert from "node:assert/strict";
import { test } from "node:test";
import { StepMeter } from "./step-meter.js";
import { TimeSlice } from "./time-slice.js";

test("Work goes on at once within a time slice, and in a later round of the event loop after it", async () => {
  let now = 0;
  const slice = new TimeSlice({ now: () => now });
  now += 7;
  assert.equal(slice.yield(), undefined);
  now += 1;
  const order: string[] = [];
  setImmediate(() => order.push("others"));
  await slice.yield();
  order.push("next slice");
  assert.deepEqual(order, ["others", "next slice"]);
  assert.equal(slice.yield(), undefined);
});

test("A time slice whose signal has aborted has no successor", async () => {
  let now = 0;
  const gone = new Error("the client has gone away");
  const controller = new AbortController();
  const slice = new TimeSlice({ signal: controller.signal, now: () => now });
  now += 8;
  const next = slice.yield();
  controller.abort(gone);
  await assert.rejects(next as Promise<void>, gone);
});

test("A step ends with the unit that completes it, however large the unit is", () => {
  const meter = new StepMeter(3);
  assert.deepEqual([meter.count(), meter.count(), meter.count(), meter.count()], [false, false, true, false]);
  assert.equal(meter.count(100), true);
  assert.equal(meter.count(), false);
});
