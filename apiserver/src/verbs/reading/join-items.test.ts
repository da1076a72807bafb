import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { joinedLength, joinItems } from "./join-items.js";

const typeMeta = '{"kind":"Pod","apiVersion":"v1",';
const head = Buffer.from('{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[');

function join(rests: readonly string[]): { text: string; length: number; pieces: number } {
  const bytes = rests.map((rest) => Buffer.from(`${typeMeta}${rest}}`));
  const items = {
    head,
    count: bytes.length,
    lengthAt: (index: number) => (bytes[index] as Buffer).length,
    copyTo: (index: number, target: Buffer, at: number, from: number) => {
      (bytes[index] as Buffer).copy(target, at, from);
    },
    typeMetaLength: typeMeta.length,
  };
  const pieces = [...joinItems(items)].length;
  let text = "";
  for (const piece of joinItems(items)) {
    text += piece.toString("latin1");
  }
  return { text, length: joinedLength(items), pieces };
}

test("items lose their kind and apiVersion and are separated by commas", () => {
  assert.equal(join([]).text, `${head}]}`);
  assert.equal(join(['"a":1', '"b":2']).text, `${head}{"a":1},{"b":2}]}`);
});

test("whatever the sizes of the items, the pieces make the same document and the length is known before", () => {
  const sizes = fc.array(fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.constantFrom(100_000, 200_000)), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(sizes, (lengths) => {
      const rests = lengths.map((length, index) => `"n${index}":"${"x".repeat(length)}"`);
      const { text, length } = join(rests);
      assert.equal(text, `${head}${rests.map((rest) => `{${rest}}`).join(",")}]}`);
      assert.equal(length, text.length);
    }),
    { numRuns: 50 },
  );
});

test("a large list comes in several pieces", () => {
  assert.ok(join(Array.from({ length: 1000 }, () => `"a":"${"x".repeat(1000)}"`)).pieces > 3);
});
