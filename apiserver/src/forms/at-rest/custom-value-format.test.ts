import assert from "node:assert/strict";
import { test } from "node:test";
import { CustomValueFormat } from "./custom-value-format.js";

const canonical = '{"apiVersion":"example.com/v1","kind":"Boat","metadata":{"name":"a"},"spec":{"a":1,"b":2}}';
const shared = new CustomValueFormat({ isShared: true });
const own = new CustomValueFormat({ isShared: false });

test("a custom object in a shared store ends with a line feed, and is read without being decoded", () => {
  assert.equal(shared.encode(Buffer.from(canonical)).toString(), `${canonical}\n`);
  const stored = Buffer.from(`${canonical}\n`);
  assert.equal(shared.decode(stored).toString(), canonical);
  assert.equal(shared.decode(stored).buffer, stored.buffer);
});

test("a custom object in a store of this server alone is the value itself", () => {
  const value = Buffer.from(canonical);
  assert.equal(own.encode(value), value);
  assert.equal(own.decode(value), value);
});

for (const [what, text] of [
  [
    "with unsorted members",
    '{"kind":"Boat","spec":{"b":2,"a":1},"metadata":{"name":"a"},"apiVersion":"example.com/v1"}',
  ],
  ["with spaces", JSON.stringify(JSON.parse(canonical), undefined, 2)],
  ["in YAML", "kind: Boat\napiVersion: example.com/v1\nmetadata: {name: a}\nspec: {b: 2, a: 1}\n"],
  ["with a resource version", `${canonical.replace('"name":"a"', '"name":"a","resourceVersion":"7"')}\n`],
] as const) {
  test(`a custom object ${what} becomes canonical`, () => {
    assert.equal(shared.decode(Buffer.from(text)).toString(), canonical);
  });
}

for (const [what, text] of [
  ["that is cut off", '{"apiVersion":"example.com/v1","kind":"Boat"\n'],
  ["without a kind", '{"apiVersion":"example.com/v1"}'],
  ["that is no object", "[]"],
  ["that is empty", ""],
] as const) {
  test(`a custom object ${what} is refused`, () => {
    assert.throws(() => shared.decode(Buffer.from(text)));
  });
}
