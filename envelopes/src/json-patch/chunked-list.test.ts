import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ChunkedList } from "./chunked-list.js";

type Step = readonly [what: "insert" | "remove" | "set", place: number];

test("a chunked list is a list, whatever is put in and taken out", () => {
  const steps = fc.array(fc.tuple(fc.constantFrom("insert", "remove", "set"), fc.nat(9999)), { maxLength: 50 });
  fc.assert(
    fc.property(fc.nat(5000), steps as fc.Arbitrary<Step[]>, (length, plan) => {
      const plain = Array.from({ length }, (_, index) => index);
      const written = plain.slice();
      const list = new ChunkedList(plain.slice());
      for (const [number, [what, place]] of plan.entries()) {
        const index = place % (plain.length + 1);
        if (what === "insert") {
          plain.splice(index, 0, -number);
          list.insert(index, -number);
        } else if (index < plain.length && what === "remove") {
          plain.splice(index, 1);
          list.remove(index);
        } else if (index < plain.length) {
          plain[index] = -number;
          list.set(index, -number);
        }
        if (index < plain.length) {
          assert.equal(list.at(index), plain[index]);
        }
      }
      assert.equal(list.length, plain.length);
      list.writeTo(written);
      assert.deepEqual(written, plain);
    }),
  );
});

test("chunks that grow are divided", () => {
  const list = new ChunkedList([]);
  for (let index = 0; index < 10_000; index++) {
    list.insert(0, index);
  }
  assert.deepEqual([list.length, list.at(0), list.at(9_999)], [10_000, 9_999, 0]);
});
