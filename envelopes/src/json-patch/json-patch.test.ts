import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import type { JsonObject, JsonValue } from "../json/json.js";
import { StatusError } from "../status/status-error.js";
import { applyJsonPatch, decodeJsonPatch } from "./json-patch.js";

const rejected = "the server rejected our request due to an error in our request";

function apply(document: JsonValue, patch: JsonValue): JsonValue {
  return applyJsonPatch(document, decodeJsonPatch(patch).operations);
}

function statusOf(run: () => unknown): { code: number; reason: string; message: string } {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof StatusError, String(error));
    return { code: error.code, reason: error.reason, message: error.message };
  }
  assert.fail("expected an error");
}

const applied: readonly [name: string, document: JsonValue, patch: JsonValue, expected: JsonValue][] = [
  ["a null patch changes nothing", { a: 1 }, null, { a: 1 }],
  ["an operation without value adds null", { a: 1 }, [{ op: "add", path: "/b" }], { a: 1, b: null }],
  ["a negative index counts from the end", { a: [1, 2, 3] }, [{ op: "remove", path: "/a/-1" }], { a: [1, 2] }],
  ["adding at -1 appends", { a: [1] }, [{ op: "add", path: "/a/-1", value: 2 }], { a: [1, 2] }],
  ["text before the first slash is ignored", {}, [{ op: "add", path: "x/a", value: 1 }], { a: 1 }],
  ["an absent member passes a test for null", {}, [{ op: "test", path: "/a", value: null }], {}],
  ["the whole document can be tested", { a: 1 }, [{ op: "test", path: "", value: { a: 1 } }], { a: 1 }],
  ["the whole document can be replaced", { a: 1 }, [{ op: "replace", path: "", value: { b: 2 } }], { b: 2 }],
  ["what is no document replaces none, without a word", { a: 1 }, [{ op: "replace", path: "", value: 1 }], { a: 1 }],
  ["replacing an absent member adds it", {}, [{ op: "replace", path: "/a", value: 1 }], { a: 1 }],
  ["copying an absent member copies null", {}, [{ op: "copy", from: "/a", path: "/b" }], { b: null }],
  [
    "a test sees what came into a list before it",
    { a: [1] },
    [
      { op: "add", path: "/a/0", value: 0 },
      { op: "test", path: "/a", value: [0, 1] },
      { op: "test", path: "", value: { a: [0, 1] } },
      { op: "copy", from: "/a", path: "/b" },
    ],
    { a: [0, 1], b: [0, 1] },
  ],
  ["~01 is ~1, not a slash", { "~1": 1 }, [{ op: "remove", path: "/~01" }], {}],
  ["a big integer equals itself", { a: 2n ** 60n }, [{ op: "test", path: "/a", value: 2n ** 60n }], { a: 2n ** 60n }],
  [
    "a copy is independent of its source",
    { a: { x: 1 } },
    [
      { op: "copy", from: "/a", path: "/b" },
      { op: "add", path: "/a/x", value: 2 },
    ],
    { a: { x: 2 }, b: { x: 1 } },
  ],
];

for (const [name, document, patch, expected] of applied) {
  test(name, () => assert.deepEqual(apply(document, patch), expected));
}

const notApplicable: readonly [name: string, document: JsonValue, patch: JsonValue][] = [
  ["a failing test", { a: 1 }, [{ op: "test", path: "/a", value: 2 }]],
  ["an unknown operation", {}, [{ op: "increment", path: "/a" }]],
  ["an operation without path", {}, [{ op: "add", value: 1 }]],
  ["an operation that is null", {}, [null]],
  ["a missing parent", {}, [{ op: "add", path: "/a/b", value: 1 }]],
  ["replacing an absent item", { a: [] }, [{ op: "replace", path: "/a/0", value: 1 }]],
  ["removing an absent member", {}, [{ op: "remove", path: "/a" }]],
  ["an inherited name is not a member", {}, [{ op: "remove", path: "/toString" }]],
  ["an index past the end", { a: [] }, [{ op: "add", path: "/a/1", value: 1 }]],
  ["a list index that is no number", { a: [] }, [{ op: "add", path: "/a/x", value: 1 }]],
  ["moving a container into itself", { a: {} }, [{ op: "move", from: "/a", path: "/a/b" }]],
  ["adding the whole document", {}, [{ op: "add", path: "", value: {} }]],
];

for (const [name, document, patch] of notApplicable) {
  test(`${name} gives 422 and says no more`, () => {
    assert.deepEqual(
      statusOf(() => apply(document, patch)),
      { code: 422, reason: "Invalid", message: rejected },
    );
  });
}

const undecodable: readonly [patch: JsonValue, message: string][] = [
  [{}, "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp"],
  [[1], "error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp"],
  [
    [{ op: 1 }],
    "error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string",
  ],
];

for (const [patch, message] of undecodable) {
  test(`the patch ${JSON.stringify(patch)} is a bad request`, () => {
    assert.deepEqual(
      statusOf(() => decodeJsonPatch(patch)),
      { code: 400, reason: "BadRequest", message },
    );
  });
}

test("without field validation only the list of objects is checked", () => {
  assert.equal(decodeJsonPatch([{ op: 1, more: 1 }], { fieldValidation: "Ignore" }).operations.length, 1);
  assert.equal(
    statusOf(() => decodeJsonPatch({}, { fieldValidation: "Ignore" })).message,
    "json: cannot unmarshal object into Go value of type jsonpatch.Patch",
  );
});

test("unknown members of an operation are reported for field validation", () => {
  const patch = [
    { op: "add", path: "/a" },
    { op: "add", path: "/b", xyz: 1 },
  ];
  assert.deepEqual(decodeJsonPatch(patch).strictErrors, ['json patch unknown field "[1].xyz"']);
});

test("more than 10,000 operations are too large", () => {
  const patch = new Array<JsonValue>(10_001).fill({ op: "test", path: "/a", value: null });
  assert.deepEqual(
    statusOf(() => decodeJsonPatch(patch)),
    {
      code: 413,
      reason: "RequestEntityTooLarge",
      message: "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001",
    },
  );
});

test("copies beyond the size limit are rejected before they are made", () => {
  const patch = [{ op: "copy", from: "/a", path: "/b" }];
  const run = (maxCopyBytes: number) => () =>
    applyJsonPatch({ a: "ü" }, decodeJsonPatch(patch).operations, { maxCopyBytes });
  assert.equal(statusOf(run(3)).code, 422);
  assert.deepEqual(run(4)(), { a: "ü", b: "ü" });
});

test("doubling copies stay within the limit's memory", () => {
  const patch: JsonObject[] = [{ op: "add", path: "/a", value: ["x".repeat(1000)] }];
  for (let step = 0; step < 60; step++) {
    patch.push({ op: "copy", from: "/a", path: "/a/-" });
  }
  assert.equal(statusOf(() => apply({}, patch)).code, 422);
});

test("the key __proto__ is data and changes no prototype", () => {
  const result = apply({ a: {} }, [
    { op: "add", path: "/__proto__", value: { polluted: true } },
    { op: "add", path: "/a/__proto__", value: 1 },
    { op: "add", path: "/__proto__/more", value: 1 },
  ]);
  assert.equal(JSON.stringify(result), '{"__proto__":{"more":1,"polluted":true},"a":{"__proto__":1}}');
  assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
});

test("neither document nor patch is ever changed", () => {
  const step = fc.constantFrom("a", "b", "0", "1", "-", "-1", "__proto__");
  const path = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => `/${steps.join("/")}`);
  const value = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>;
  const op = fc.constantFrom("add", "remove", "replace", "move", "copy", "test");
  const patches = fc.array(fc.record({ op, path, from: path, value }), { maxLength: 6 });
  const nested: JsonValue = { a: [1, { b: 2 }], b: { a: [[]] } };
  const leaf = fc.oneof(value, fc.constant(nested));
  fc.assert(
    fc.property(fc.record<JsonObject>({ a: leaf, b: leaf }), patches, (document, patch) => {
      const before = JSON.stringify([document, patch]);
      try {
        apply(document, patch);
      } catch (error) {
        assert.ok(error instanceof StatusError);
      }
      assert.equal(JSON.stringify([document, patch]), before);
    }),
  );
});

test("members of what a patch looks into come out sorted, others as they were", () => {
  const document = { z: { b: 1, a: 2 }, y: { d: 1, c: 2 } };
  const patched = apply(document, [{ op: "test", path: "/y/c", value: 2 }]);
  assert.equal(JSON.stringify(patched), '{"y":{"c":2,"d":1},"z":{"b":1,"a":2}}');
});

test("a copy of what a patch has looked into is sorted, too", () => {
  const document = { z: { b: { d: 1, c: 2 }, a: 2 } };
  const patched = apply(document, [{ op: "copy", from: "/z", path: "/z/x" }]);
  assert.equal(JSON.stringify(patched), '{"z":{"a":2,"b":{"d":1,"c":2},"x":{"a":2,"b":{"d":1,"c":2}}}}');
});

test("taking items off the front of a long list costs no more than of a short one", () => {
  const operations = new Array<JsonObject>(10_000).fill({ op: "remove", path: "/a/0" });
  const document = { a: new Array<JsonValue>(2_000_000).fill(1) };
  const started = process.cpuUsage();
  const patched = applyJsonPatch(document, operations) as { a: JsonValue[] };
  const { user } = process.cpuUsage(started);
  assert.equal(patched.a.length, 1_990_000);
  // Milliseconds; each removal that moves them all would take one.
  assert.ok(user < 5e6, `${user / 1000} ms`);
});

// Vectors whose outcome under kube-apiserver differs from the RFC's, and why.
const departures: Readonly<Record<string, string>> = {
  "replace object document with array document?": "the whole document cannot be added",
  "replace array document with object document?": "the whole document cannot be added",
  "replacing the root of the document is possible with add": "the whole document cannot be added",
  "Out of bounds (lower)": "negative indices count from the end",
  "missing 'value' parameter to add": "an absent value is null",
  "missing 'value' parameter to replace": "an absent value is null",
  "missing 'value' parameter to test": "an absent value is null",
  "test with bad array number that has leading zeros": "leading zeros are allowed",
  "missing from location to copy": "an absent member is copied as null",
};

interface Vector {
  readonly comment?: string;
  readonly doc: JsonValue;
  readonly patch: JsonValue;
  readonly expected?: JsonValue;
  readonly error?: string;
  readonly disabled?: boolean;
}

for (const file of ["spec_tests.json", "tests.json"]) {
  // Beside the checkout, or beside the folder that holds several worktrees of it.
  const url = ["../../../../shared/", "../../../../../shared/"]
    .map((shared) => new URL(`${shared}vectors/json-patch/${file}`, import.meta.url))
    .find((candidate) => existsSync(candidate));
  test(`the RFC 6902 vectors of ${file}`, {
    skip: url === undefined && "no vectors beside the checkout",
  }, async (t) => {
    assert.ok(url);
    const vectors = JSON.parse(readFileSync(url, "utf8")) as Vector[];
    for (const [index, vector] of vectors.entries()) {
      if (vector.disabled || !("doc" in vector)) {
        continue;
      }
      const name = vector.comment ?? vector.error ?? `vector ${index}`;
      const departure = departures[name];
      await t.test(departure === undefined ? name : `${name} (${departure})`, () => {
        const fails = vector.error !== undefined;
        if (departure !== undefined && fails) {
          assert.doesNotThrow(() => apply(vector.doc, vector.patch));
        } else if (departure !== undefined || fails) {
          assert.throws(() => apply(vector.doc, vector.patch), StatusError);
        } else {
          assert.deepEqual(apply(vector.doc, vector.patch), vector.expected ?? vector.doc);
        }
      });
    }
  });
}

test("copies add no more values than a body may hold, and look at no more to find that out", () => {
  let looks = 0;
  const item = new Proxy<JsonObject>(
    {},
    {
      ownKeys(target) {
        looks++;
        return Reflect.ownKeys(target);
      },
    },
  );
  const list = Array.from({ length: 60_000 }, () => item);
  const copies = (count: number): JsonValue =>
    Array.from({ length: count }, (_, index) => ({ op: "copy", from: "/a", path: `/b${index}` }));
  apply({ a: list }, copies(1));
  const once = looks;
  looks = 0;
  const status = statusOf(() => apply({ a: list }, copies(9000)));
  assert.deepEqual([status.code, status.reason], [422, "Invalid"]);
  assert.ok(looks < 2 * once, `${looks} items were looked at, ${once} for one copy`);
});
