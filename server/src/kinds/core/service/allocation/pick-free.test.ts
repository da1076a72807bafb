import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Bitmap } from "./bitmap.js";
import { pickFree } from "./pick-free.js";

test("a free number is found as long as there is one, reserved ones last", () => {
  const sizes = fc.integer({ min: 1, max: 60 }).chain((size) =>
    fc.record({
      size: fc.constant(size),
      reserved: fc.integer({ min: 0, max: size - 1 }),
      random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    }),
  );
  fc.assert(
    fc.property(sizes, ({ size, reserved, random }) => {
      const taken = new Bitmap(size);
      for (let count = 0; count < size; count++) {
        const number = pickFree(taken, reserved, () => random);
        assert.ok(number !== undefined && taken.add(number));
        assert.equal(number < reserved, count >= size - reserved);
      }
      assert.equal(
        pickFree(taken, reserved, () => random),
        undefined,
      );
    }),
  );
});

test("of a large range a low part is used, which grows with what is taken", () => {
  const taken = new Bitmap(2 ** 20);
  const last = (): number => pickFree(taken, 256, () => 1 - 2 ** -53) ?? -1;
  assert.equal(last(), 256 + 4095);
  for (let number = 0; number < 3000; number++) {
    taken.add(number);
  }
  assert.equal(last(), 256 + 11_999);
});
