import assert from "node:assert/strict";
import { test } from "node:test";
import { Stopwatch } from "./stopwatch.js";

test("a stopwatch adds up what it measures, counts inner work once, and goes on after an error", () => {
  let seconds = 0;
  const stopwatch = new Stopwatch(() => seconds);
  const work = (): number => {
    seconds += 2;
    return 7;
  };
  assert.equal(
    stopwatch.measure(() => stopwatch.measure(work)),
    7,
  );
  seconds += 100;
  assert.throws(() =>
    stopwatch.measure(() => {
      work();
      throw new Error("broken");
    }),
  );
  stopwatch.measure(work);
  assert.equal(stopwatch.seconds, 6);
});
