import assert from "node:assert/strict";
import { test } from "node:test";
import { copyJson, encodeJson } from "@gatehouse/envelopes/codec";
import type { JsonValue } from "@gatehouse/envelopes/json";
import { applyJsonPatch, isSameDocument } from "@gatehouse/envelopes/json-patch";
import fc from "fast-check";
import { createJsonPatch, type PatchOperation } from "./create-json-patch.js";

const rows: readonly [name: string, from: unknown, to: unknown, patch: readonly PatchOperation[]][] = [
  ["nothing changed", { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, []],
  ["the order of members does not matter", { a: 1, b: 2 }, { b: 2, a: 1 }, []],
  ["a member added", { a: 1 }, { a: 1, b: { c: 2 } }, [{ op: "add", path: "/b", value: { c: 2 } }]],
  ["a member removed", { a: 1, b: 2 }, { a: 1 }, [{ op: "remove", path: "/b" }]],
  ["a member set to undefined", { a: 1, b: 2 }, { a: 1, b: undefined }, [{ op: "remove", path: "/b" }]],
  ["a member set to null", { a: 1 }, { a: null }, [{ op: "replace", path: "/a", value: null }]],
  ["a member inside", { a: { b: 1, c: 1 } }, { a: { b: 2, c: 1 } }, [{ op: "replace", path: "/a/b", value: 2 }]],
  ["names with slashes and tildes", { x: {} }, { x: { "a/b~c": 1 } }, [{ op: "add", path: "/x/a~1b~0c", value: 1 }]],
  ["an empty name", {}, { "": 1 }, [{ op: "add", path: "/", value: 1 }]],
  ["another type", { a: [] }, { a: {} }, [{ op: "replace", path: "/a", value: {} }]],
  ["an item appended", { a: [1] }, { a: [1, 2] }, [{ op: "add", path: "/a/1", value: 2 }]],
  ["an item put in front", { a: [1, 2] }, { a: [0, 1, 2] }, [{ op: "add", path: "/a/0", value: 0 }]],
  ["an item taken from the middle", { a: [1, 2, 3] }, { a: [1, 3] }, [{ op: "remove", path: "/a/1" }]],
  [
    "an argument changed",
    { a: ["x", "--n=1", "y"] },
    { a: ["x", "--n=2", "y"] },
    [{ op: "replace", path: "/a/1", value: "--n=2" }],
  ],
  [
    "a container that comes before one that is changed",
    { c: [{ name: "app", image: "a:1" }] },
    {
      c: [
        { name: "proxy", image: "p" },
        { name: "app", image: "a:2" },
      ],
    },
    [
      { op: "add", path: "/c/0", value: { name: "proxy", image: "p" } },
      { op: "replace", path: "/c/1/image", value: "a:2" },
    ],
  ],
  [
    "two items out, one in between changed",
    { c: [{ name: "a" }, { name: "b", x: 1 }, { name: "c" }] },
    { c: [{ name: "b", x: 2 }] },
    [
      { op: "remove", path: "/c/0" },
      { op: "replace", path: "/c/0/x", value: 2 },
      { op: "remove", path: "/c/1" },
    ],
  ],
];

for (const [name, from, to, patch] of rows) {
  test(`the patch for ${name}`, () => {
    assert.deepEqual(createJsonPatch(from as JsonValue, to as JsonValue), patch);
  });
}

const wrong: readonly [value: unknown, message: string][] = [
  [{ a: new Date(0) }, "/a is an instance of Date, which JSON cannot carry"],
  [{ a: { b: [Number.NaN] } }, "/a/b/0 is NaN, which JSON cannot carry"],
  [{ a: () => 1 }, "/a is of type function, which JSON cannot carry"],
  [{ list: [1, undefined] }, "/list/1 is undefined, which no list in JSON can hold"],
  [{ was: new Map() }, "/was is an instance of Map, which JSON cannot carry"],
];

for (const [value, message] of wrong) {
  test(`a draft is refused when ${message}`, () => {
    assert.throws(() => createJsonPatch({ list: [1], was: {} }, value as JsonValue), new TypeError(message));
  });
}

const name = fc.constantFrom("a", "b", "name", "a/b", "~", "", "0", "__proto__", "constructor", "toString");
const documents = fc.letrec<{ value: JsonValue; object: { [key: string]: JsonValue } }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<JsonValue>(null, true, 0, 1, "x", "y", 2n ** 60n),
    fc.array(tie("value"), { maxLength: 5 }),
    tie("object"),
    fc.constantFrom("p", "q", "r").map((text): JsonValue => ({ name: text })),
  ),
  object: fc.dictionary(name, tie("value"), { maxKeys: 4 }),
})).object;

test("applying a patch gives the draft, whatever was changed", () => {
  fc.assert(
    fc.property(documents, documents, (from, to) => {
      const before = encodeJson([from, to]);
      const operations = createJsonPatch(from, to);
      const patched = applyJsonPatch(copyJson(from), asJson(operations));
      assert.ok(
        isSameDocument(patched, to),
        `${encodeJson(from)} -> ${encodeJson(to)}: ${encodeJson(asJson(operations))}`,
      );
      assert.equal(encodeJson([from, to]), before);
      assert.equal(({} as Record<string, unknown>)["name"], undefined);
    }),
    { numRuns: 2000 },
  );
});

test("a patch is empty only if nothing has changed, and no operation can be left out", () => {
  fc.assert(
    fc.property(documents, documents, (from, to) => {
      const operations = createJsonPatch(from, to);
      assert.equal(operations.length === 0, isSameDocument(from, to));
      for (const left of operations.keys()) {
        const others = operations.filter((_operation, index) => index !== left);
        let patched: JsonValue | undefined;
        try {
          patched = applyJsonPatch(copyJson(from), asJson(others));
        } catch {
          continue;
        }
        assert.ok(!isSameDocument(patched, to));
      }
    }),
  );
});

test("one item more in the middle of a long list is one operation", () => {
  const items = Array.from({ length: 100_000 }, (_item, index) => index);
  const changed = items.toSpliced(50_000, 0, -1);
  assert.deepEqual(createJsonPatch(items, changed), [{ op: "add", path: "/50000", value: -1 }]);
});

test("long lists that have nothing in common are compared place by place", () => {
  const from = Array.from({ length: 5000 }, (_item, index) => index);
  const to = Array.from({ length: 5001 }, (_item, index) => -index - 1);
  assert.equal(createJsonPatch(from, to).length, 5001);
});

function asJson(operations: readonly PatchOperation[]): { [key: string]: JsonValue }[] {
  return operations as unknown as { [key: string]: JsonValue }[];
}
