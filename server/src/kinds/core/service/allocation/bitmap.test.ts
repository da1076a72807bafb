import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Bitmap } from "./bitmap.js";

const steps = fc.array(fc.tuple(fc.boolean(), fc.nat(99)), { maxLength: 200 });

test("a bitmap is a set of numbers that counts itself", () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      const bitmap = new Bitmap(100);
      const model = new Set<number>();
      for (const [adds, number] of sequence) {
        const changes = adds !== model.has(number);
        assert.equal(adds ? bitmap.add(number) : bitmap.remove(number), changes);
        adds ? model.add(number) : model.delete(number);
      }
      assert.equal(bitmap.count, model.size);
      assert.deepEqual(
        [...bitmap.numbers()],
        [...model].sort((a, b) => a - b),
      );
    }),
  );
});

test("the encoded form is one big-endian number without leading zeros, and is read back as it was", () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      const bitmap = new Bitmap(100);
      let number = 0n;
      for (const [adds, bit] of sequence) {
        adds ? bitmap.add(bit) : bitmap.remove(bit);
        number = adds ? number | (1n << BigInt(bit)) : number & ~(1n << BigInt(bit));
      }
      const hex = number === 0n ? "" : number.toString(16);
      assert.equal(bitmap.encode().toString("hex"), hex.length % 2 === 0 ? hex : `0${hex}`);
      const read = Bitmap.decode(100, bitmap.encode());
      assert.deepEqual([...read.numbers()], [...bitmap.numbers()]);
      assert.equal(read.count, bitmap.count);
    }),
  );
});

test("numbers beyond the size are dropped when a bitmap is read", () => {
  const read = Bitmap.decode(10, Buffer.from("ffffff", "hex"));
  assert.deepEqual([...read.numbers()], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.equal(read.count, 10);
});

test("the first free number is found behind full bytes, and none when there is none", () => {
  const bitmap = new Bitmap(40);
  for (let number = 0; number < 35; number++) {
    bitmap.add(number);
  }
  assert.equal(bitmap.firstFree(0, 40), 35);
  assert.equal(bitmap.firstFree(3, 40), 35);
  assert.equal(bitmap.firstFree(0, 35), undefined);
  assert.equal(bitmap.firstFree(36, 36), undefined);
});
