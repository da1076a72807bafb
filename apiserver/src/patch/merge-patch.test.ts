import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { applyMergePatch, isSameDocument } from "@gatehouse/envelopes/json-patch";
import { StatusError } from "@gatehouse/envelopes/status";
import fc from "fast-check";
import { decodeMergePatch } from "./merge-patch.js";

// The examples of RFC 7386, appendix A, whose patch is an object.
const examples: readonly [document: JsonObject, patch: JsonObject, expected: JsonValue][] = [
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

for (const [document, patch, expected] of examples) {
  test(`${JSON.stringify(document)} merged with ${JSON.stringify(patch)}`, () => {
    assert.deepEqual(applyMergePatch(document, patch), expected);
  });
}

test("nulls stay in a list that takes the place of an object, and in no other part of what a patch brings", () => {
  const list = [{ a: null, b: { c: null } }, null];
  const without = [{ b: {} }, null];
  const rows: readonly [current: JsonObject, expected: JsonValue][] = [
    [{ spec: { x: 1 } }, list],
    [{ spec: {} }, list],
    [{ spec: [1] }, without],
    [{ spec: "x" }, without],
    [{}, without],
  ];
  for (const [current, expected] of rows) {
    assert.deepEqual(applyMergePatch(current, { spec: list }), { spec: expected });
  }
});

test("members of what a patch brings are sorted, in lists, too", () => {
  const patch = { spec: { list: [{ name: "c", image: "x" }], z: { b: 1, a: [{ d: 2, c: 3 }] } } };
  const expected = '{"spec":{"list":[{"image":"x","name":"c"}],"z":{"a":[{"c":3,"d":2}],"b":1}}}';
  assert.equal(JSON.stringify(applyMergePatch({ spec: { list: [] } }, patch)), expected);
});

test("a patch that is no object is a bad request", () => {
  for (const [patch, type] of [
    [[], "array"],
    ["x", "string"],
    [1, "number"],
    [true, "bool"],
  ] as const) {
    assert.throws(
      () => decodeMergePatch(patch as JsonValue, "Warn"),
      (error) =>
        error instanceof StatusError &&
        error.code === 400 &&
        error.message ===
          `error decoding patch: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`,
    );
  }
});

test("null is no merge patch, and without field validation v1.29 does not say what else is none", () => {
  for (const [patch, mode] of [
    [null, "Warn"],
    [null, "Ignore"],
    [5, "Ignore"],
  ] as const) {
    assert.throws(
      () => decodeMergePatch(patch, mode),
      (error) => error instanceof StatusError && error.code === 400 && error.message === "Invalid JSON Patch",
    );
  }
  assert.deepEqual(decodeMergePatch([{ a: null }], "Ignore"), [{}]);
});

test("members of what is merged come out sorted, others as they were", () => {
  const document = { z: { b: 1, a: 2 }, y: { d: 1, c: 2 } };
  assert.equal(
    JSON.stringify(applyMergePatch(document, { y: { x: 1 } })),
    '{"y":{"c":2,"d":1,"x":1},"z":{"b":1,"a":2}}',
  );
});

test("the key __proto__ is data and changes no prototype", () => {
  const patch = JSON.parse(
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  ) as JsonObject;
  const result = applyMergePatch({}, patch);
  assert.equal(JSON.stringify(result), JSON.stringify(patch));
  assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
});

const withoutNull = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, fc.integer(), fc.string(), fc.array(fc.integer()), tie("object")),
  object: fc.dictionary(fc.constantFrom("a", "b", "c", "__proto__"), tie("value"), { noNullPrototype: true }),
})).object;

test("a document patched with the difference to another becomes the other", () => {
  fc.assert(
    fc.property(withoutNull, withoutNull, (from, to) => {
      assert.ok(isSameDocument(applyMergePatch(from, difference(from, to)), to));
    }),
  );
});

test("neither document nor patch is ever changed, and a second application changes nothing", () => {
  fc.assert(
    fc.property(withoutNull, fc.object() as fc.Arbitrary<unknown>, (document, patch) => {
      const plain = JSON.parse(JSON.stringify(patch)) as JsonObject;
      const before = JSON.stringify([document, plain]);
      const once = applyMergePatch(document, plain);
      assert.equal(JSON.stringify([document, plain]), before);
      assert.ok(isSameDocument(applyMergePatch(once, plain), once));
    }),
  );
});

function difference(from: JsonObject, to: JsonObject): JsonObject {
  const patch: JsonObject = Object.create(null) as JsonObject;
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const [a, b] = [Object.hasOwn(from, key) ? from[key] : undefined, Object.hasOwn(to, key) ? to[key] : undefined];
    if (b === undefined) {
      patch[key] = null;
    } else if (isPlain(a) && isPlain(b)) {
      patch[key] = difference(a, b);
    } else if (a === undefined || !isSameDocument(a, b)) {
      patch[key] = b;
    }
  }
  return patch;
}

function isPlain(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
