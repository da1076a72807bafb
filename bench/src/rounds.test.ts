import assert from "node:assert/strict";
import { test } from "node:test";
import { interleave, median } from "./rounds.js";

test("the median of an odd number of values is the middle one, of an even number the mean of the middle two", () => {
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.throws(() => median([]), TypeError);
});

test("both sides are measured in turns, and the side that begins changes", async () => {
  const order: string[] = [];
  const side = (name: string) => async () => {
    order.push(name);
    return { value: 1 };
  };
  await interleave(3, side("figure"), side("limit"));
  assert.deepEqual(order, ["limit", "figure", "figure", "limit", "limit", "figure"]);
});

test("a spoiled round does not spoil the ratio", async () => {
  const figures = [50, 1, 52];
  const limits = [100, 100, 104];
  const take = (values: number[]) => async () => ({ value: values.shift() as number, notes: ["same note"] });
  const result = await interleave(3, take(figures), take(limits));
  assert.deepEqual(result, { figure: 50, limit: 100, ratio: 0.5, notes: ["same note"] });
});

test("processor times are told as medians and least values when both sides have them", async () => {
  const side = (micros: number[]) => async () => ({ value: 1, processorMicros: micros.shift() as number });
  const { notes } = await interleave(3, side([30, 28, 31]), side([10, 12, 8]));
  assert.deepEqual(notes, [
    "processor time for one, in microseconds: 30.0 (least 28.0), of the limit 10.0 (least 8.0)",
  ]);
});
