import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { isSameDocument } from "@gatehouse/envelopes/json-patch";
import type { Field, ListSchema, ObjectSchema, PatchStrategy, Schema } from "@gatehouse/envelopes/schema";
import { StatusError } from "@gatehouse/envelopes/status";
import fc from "fast-check";
import { applyStrategicMergePatch, decodeStrategicMergePatch } from "./strategic-merge-patch.js";

const text: Schema = { type: "scalar", scalar: "string", enum: undefined };

function list(items: Schema): ListSchema {
  return { type: "list", items, listType: undefined, listMapKeys: [], wrapped: false };
}

function field(name: string, schema: Schema, patchStrategy: PatchStrategy[] = [], patchMergeKey?: string): Field {
  return {
    name,
    schema,
    description: "",
    number: undefined,
    inline: false,
    pointer: false,
    omitEmpty: true,
    required: false,
    default: undefined,
    patchStrategy,
    patchMergeKey,
  };
}

function struct(name: string, fields: readonly Field[]): ObjectSchema {
  return {
    type: "object",
    name: `test.${name}`,
    description: "",
    fields,
    properties: new Map(fields.map((item) => [item.name, item])),
    mapType: undefined,
    hasProtobuf: true,
  };
}

const port = struct("Port", [field("number", text), field("protocol", text)]);
const container = struct("Container", [
  field("name", text),
  field("image", text),
  field("args", list(text)),
  field("ports", list(port), ["merge"], "number"),
]);
const strategy = struct("Strategy", [field("type", text), field("rolling", struct("Rolling", [field("surge", text)]))]);
const selector = struct("Selector", [field("a", text), field("b", text)]);
const widget = struct("Widget", [
  field("labels", { type: "map", values: text, mapType: undefined }),
  field("finalizers", list(text), ["merge"]),
  field("args", list(text)),
  field("containers", list(container), ["merge"], "name"),
  field("keyless", list(container), ["merge"]),
  field(
    "volumes",
    list(struct("Volume", [field("name", text), field("empty", strategy)])),
    ["merge", "retainKeys"],
    "name",
  ),
  field("strategy", strategy, ["retainKeys"]),
  field("selector", selector, ["replace"]),
  field("nested", { type: "map", values: { type: "map", values: text, mapType: undefined }, mapType: undefined }),
  field("raw", { type: "json", form: "embedded" }),
  field("matrix", list(list(text)), ["merge"]),
]);

const c = (name: string, image?: string): JsonObject => (image === undefined ? { name } : { name, image });

const merges: readonly [name: string, original: JsonObject, patch: JsonObject, expected: JsonObject][] = [
  [
    "members are merged, null deletes",
    { labels: { a: "1", b: "2" } },
    { labels: { a: "3", b: null } },
    { labels: { a: "3" } },
  ],
  ["null for an absent member does nothing", {}, { labels: null, strategy: { type: null } }, { strategy: {} }],
  ["nulls in a new part have nothing to delete", {}, { labels: { a: "1", b: null } }, { labels: { a: "1" } }],
  ["a list without strategy is replaced", { args: ["a", "b"] }, { args: ["c"] }, { args: ["c"] }],
  [
    "a directive in a new part has nothing to act on",
    {},
    {
      labels: { $patch: "delete" },
      selector: { $patch: "replace", a: "1" },
      strategy: { rolling: { $patch: "delete" } },
    },
    { strategy: {} },
  ],
  [
    "items with a directive are left out of a new list",
    {},
    { containers: [{ name: "a", $patch: "delete" }, { name: "b" }] },
    { containers: [{ name: "b" }] },
  ],
  ["a directive replaces a value of another type by nothing", { args: "x" }, { args: { $patch: "replace" } }, {}],
  ["unknown members are taken as they are", {}, { unknown: { x: [1] } }, { unknown: { x: [1] } }],
  ["a value of another type replaces", { labels: { a: "1" } }, { labels: "none" }, { labels: "none" }],
  [
    "strategy replace on an object replaces it",
    { selector: { a: "1" } },
    { selector: { b: "2" } },
    { selector: { b: "2" } },
  ],
  [
    "list items are paired by merge key",
    { containers: [c("a", "1"), c("b", "2")] },
    { containers: [c("b", "3")] },
    { containers: [c("a", "1"), c("b", "3")] },
  ],
  [
    "new items come before the items that only the server has",
    { containers: [c("a"), c("b")] },
    { containers: [c("new")] },
    { containers: [c("new"), c("a"), c("b")] },
  ],
  [
    "patch items take the order of the patch",
    { containers: [c("a"), c("b"), c("c")] },
    { containers: [c("c"), c("a")] },
    { containers: [c("b"), c("c"), c("a")] },
  ],
  [
    "items of one key merge one after the other, and the first of several takes the change",
    {
      containers: [
        {
          name: "a",
          ports: [
            { number: "1", protocol: "TCP" },
            { number: "1", protocol: "UDP" },
          ],
        },
      ],
    },
    { containers: [{ name: "a", ports: [{ number: "1", protocol: "SCTP" }] }] },
    {
      containers: [
        {
          name: "a",
          ports: [
            { number: "1", protocol: "SCTP" },
            { number: "1", protocol: "UDP" },
          ],
        },
      ],
    },
  ],
  [
    "$patch: delete removes an item",
    { containers: [c("a"), c("b")] },
    { containers: [{ name: "a", $patch: "delete" }] },
    { containers: [c("b")] },
  ],
  [
    "$patch: delete of an absent item does nothing",
    { containers: [c("a")] },
    { containers: [{ name: "x", $patch: "delete" }, c("b")] },
    { containers: [c("b"), c("a")] },
  ],
  [
    "a $patch: replace item replaces the whole list",
    { containers: [c("a"), c("b")] },
    { containers: [{ $patch: "replace" }, c("c")] },
    { containers: [c("c")] },
  ],
  [
    "$patch: replace replaces an object",
    { labels: { a: "1" } },
    { labels: { $patch: "replace", b: "2" } },
    { labels: { b: "2" } },
  ],
  ["$patch: delete empties an object", { labels: { a: "1" } }, { labels: { $patch: "delete" } }, { labels: {} }],
  ["$patch works on the whole object", { labels: { a: "1" } }, { $patch: "replace", args: ["x"] }, { args: ["x"] }],
  [
    "scalars are united, new ones first",
    { finalizers: ["a", "b"] },
    { finalizers: ["c", "b"] },
    { finalizers: ["c", "a", "b"] },
  ],
  ["duplicates disappear", { finalizers: ["a", "a"] }, { finalizers: ["b", "b"] }, { finalizers: ["b", "a"] }],
  [
    "$deleteFromPrimitiveList removes scalars",
    { finalizers: ["a", "b", "c"] },
    { "$deleteFromPrimitiveList/finalizers": ["a", "c", "x"] },
    { finalizers: ["b"] },
  ],
  [
    "$deleteFromPrimitiveList works whatever the strategy",
    { args: ["a", "b"] },
    { "$deleteFromPrimitiveList/args": ["a"] },
    { args: ["b"] },
  ],
  ["$deleteFromPrimitiveList of an absent list does nothing", {}, { "$deleteFromPrimitiveList/finalizers": ["a"] }, {}],
  [
    "$deleteFromPrimitiveList: null deletes the list",
    { finalizers: ["a"] },
    { "$deleteFromPrimitiveList/finalizers": null },
    {},
  ],
  [
    "$setElementOrder alone sorts",
    { containers: [c("a"), c("b"), c("c")] },
    { "$setElementOrder/containers": [c("c"), c("a")] },
    { containers: [c("b"), c("c"), c("a")] },
  ],
  [
    "$setElementOrder places new and old items",
    { containers: [c("a"), c("server"), c("b")] },
    { "$setElementOrder/containers": [c("b"), c("new"), c("a")], containers: [c("new")] },
    { containers: [c("server"), c("b"), c("new"), c("a")] },
  ],
  [
    "$setElementOrder goes with deletions",
    { containers: [c("a"), c("b"), c("c")] },
    { "$setElementOrder/containers": [c("c"), c("a")], containers: [{ name: "b", $patch: "delete" }] },
    { containers: [c("c"), c("a")] },
  ],
  [
    "$setElementOrder sorts scalars together with a deletion",
    { finalizers: ["a", "b", "c"] },
    { "$setElementOrder/finalizers": ["d", "a"], finalizers: ["d"], "$deleteFromPrimitiveList/finalizers": ["b"] },
    { finalizers: ["d", "a", "c"] },
  ],
  ["$setElementOrder without any list does nothing", {}, { "$setElementOrder/containers": [c("a")] }, {}],
  [
    "$setElementOrder of an unset list does nothing",
    { containers: null },
    { "$setElementOrder/containers": [c("a")] },
    { containers: null },
  ],
  [
    "what a patch adds stands where the server's list had what it deletes",
    { containers: [c("injected"), c("b")] },
    { "$setElementOrder/containers": [c("renamed")], containers: [c("renamed"), { name: "b", $patch: "delete" }] },
    { containers: [c("injected"), c("renamed")] },
  ],
  [
    "what an empty order does not name stands behind the rest, the last one first",
    { containers: [c("a"), c("b")] },
    { "$setElementOrder/containers": [], containers: [c("c"), c("d")] },
    { containers: [c("a"), c("b"), c("d"), c("c")] },
  ],
  [
    "items of one key that replace a list stand beside each other",
    { containers: [c("a")] },
    { containers: [{ $patch: "replace" }, c("c"), c("b"), c("c")] },
    { containers: [c("c"), c("c"), c("b")] },
  ],
  [
    "directives in a list that is new are left out, also where an order comes with it",
    {},
    { "$setElementOrder/containers": [], containers: [c("a"), { $patch: "odd" }] },
    { containers: [c("a")] },
  ],
  [
    "$retainKeys drops the other members",
    { strategy: { type: "Rolling", rolling: { surge: "1" } } },
    { strategy: { $retainKeys: ["type"], type: "Recreate" } },
    { strategy: { type: "Recreate" } },
  ],
  [
    "$retainKeys works on list items",
    { volumes: [{ name: "v", empty: {}, host: { path: "/" } }] },
    { volumes: [{ $retainKeys: ["name", "config"], name: "v", config: { name: "c" }, host: null }] },
    { volumes: [{ name: "v", config: { name: "c" } }] },
  ],
];

for (const [name, original, patch, expected] of merges) {
  test(name, () => {
    const before = JSON.stringify([original, patch]);
    assert.deepEqual(applyStrategicMergePatch(widget, original, patch), expected);
    assert.equal(JSON.stringify([original, patch]), before, "the arguments are unchanged");
  });
}

const rejected = "the server rejected our request due to an error in our request";
const mixedOrder = "value for key 1 is not a map";
const trailing =
  "The order in patch list:\n[map[name:a] map[$patch:odd]]\n doesn't match $setElementOrder list:\n[map[name:a]]\n";
const listAsText = "[a %!s(int64=1) %!s(float64=1e+20)]";
const errors: readonly [original: JsonObject, patch: JsonObject, code: number, message: string][] = [
  [{}, { $patch: "merge", a: "1" }, 400, "unknown patch type: merge in map: map[$patch:merge a:1]"],
  [{ containers: [c("a")] }, { "$setElementOrder/containers": [c("b"), "a"] }, 400, mixedOrder],
  [{}, { "$setElementOrder/containers": [c("a")], containers: [] }, 400, "no elements in any of the given slices"],
  [
    { containers: [c("a")] },
    { "$setElementOrder/containers": [c("a")], containers: [c("a"), { $patch: "odd" }] },
    400,
    trailing,
  ],
  [{}, { $patch: true }, 400, "unknown patch type: %!s(bool=true) in map: map[$patch:true]"],
  [{}, { $patch: ["a", 1, 1e20] }, 400, `unknown patch type: ${listAsText} in map: map[$patch:[a 1 1e+20]]`],
  [{}, { $patch: { a: null } }, 400, "unknown patch type: map[a:%!s(<nil>)] in map: map[$patch:map[a:<nil>]]"],
  [
    { containers: [c("a")] },
    { containers: [{ name: "a", $patch: "erase" }] },
    400,
    "unknown patch type: erase in map: map[$patch:erase name:a]",
  ],
  [
    { containers: [c("a")] },
    { containers: [{ $patch: "merge" }] },
    400,
    "merging lists cannot yet be specified in the patch",
  ],
  [
    { containers: [c("a")] },
    { containers: [{ image: "x" }] },
    400,
    "map: map[image:x] does not contain declared merge key: name",
  ],
  [
    { containers: [c("a")] },
    { containers: [{ $patch: "delete" }] },
    400,
    "map: map[$patch:delete] does not contain declared merge key: name",
  ],
  [{ keyless: [c("a")] }, { keyless: [c("b")] }, 400, "cannot merge lists without merge key for struct"],
  [{ finalizers: ["a"] }, { finalizers: [{ x: "y" }] }, 400, "list element types are not identical: [[a] [map[x:y]]]"],
  [{ matrix: [["a"]] }, { matrix: [["b"]] }, 422, rejected],
  [{}, { $setElementOrder: [] }, 400, "invalid patch format of setElementOrder list"],
  [{}, { "$setElementOrder/containers": "x" }, 400, "expected a []interface {}, but received a string"],
  [
    {},
    { "$setElementOrder/nothing": [] },
    400,
    'unable to find api field in struct Widget for the json field "nothing"',
  ],
  [{}, { "$setElementOrder/selector": [] }, 400, "expected slice or array type, but got: struct"],
  [
    { containers: [c("a")] },
    { "$setElementOrder/containers": ["a"], containers: [c("a")] },
    400,
    "expected a map[string]interface {}, but received a string",
  ],
  [
    { containers: [c("a"), c("b")] },
    { "$setElementOrder/containers": [c("a"), c("b")], containers: [c("b"), c("a")] },
    400,
    "The order in patch list:\n[map[name:b] map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:a] map[name:b]]\n",
  ],
  [{}, { $deleteFromPrimitiveList: [] }, 400, "invalid patch format of primitive list"],
  [{}, { $retainKeys: "x" }, 400, "invalid patch format of retainKeys"],
  [{}, { $retainKeys: ["a"], b: "1" }, 400, "invalid patch format of retainKeys"],
  [
    { nested: { a: { b: "1" } } },
    { nested: { a: { b: "2" } } },
    400,
    "merging an object in json but data type is not struct, instead is: map",
  ],
  [
    { raw: { a: { b: "1" } } },
    { raw: { a: { b: "2" } } },
    400,
    'unable to find api field in struct RawExtension for the json field "a"',
  ],
];

for (const [original, patch, code, message] of errors) {
  test(`${JSON.stringify(patch)} on ${JSON.stringify(original)} gives ${code}`, () => {
    assert.throws(
      () => applyStrategicMergePatch(widget, original, patch),
      (error) => {
        assert.ok(error instanceof StatusError);
        assert.deepEqual([error.code, error.message], [code, message]);
        return true;
      },
    );
  });
}

test("a patch that is no object is a bad request", () => {
  assert.throws(
    () => decodeStrategicMergePatch([]),
    (error) =>
      error instanceof StatusError &&
      error.code === 400 &&
      error.message === "json: cannot unmarshal array into Go value of type map[string]interface {}",
  );
});

test("the key __proto__ is data and changes no prototype", () => {
  const patch = JSON.parse('{"labels":{"__proto__":"x"},"__proto__":{"polluted":true}}') as JsonObject;
  const result = applyStrategicMergePatch(widget, { labels: { a: "1" } }, patch);
  assert.equal(JSON.stringify(result), '{"labels":{"a":"1","__proto__":"x"},"__proto__":{"polluted":true}}');
  assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
});

const name = fc.constantFrom("a", "b", "c", "d", "__proto__");
const names = fc.uniqueArray(name, { maxLength: 4 });
const labels = fc.dictionary(name, fc.constantFrom("1", "2"), { noNullPrototype: true, minKeys: 1 });
const ports = fc.uniqueArray(fc.record({ number: name, protocol: fc.constantFrom("TCP", "UDP") }), {
  selector: (item) => item.number,
  minLength: 1,
});
const containers = fc.uniqueArray(fc.record({ name, image: name, ports }, { requiredKeys: ["name"] }), {
  selector: (item) => item.name,
  minLength: 1,
});
const widgets = fc.record(
  { labels, finalizers: names.filter((items) => items.length > 0), args: names, containers },
  { requiredKeys: [], noNullPrototype: true },
) as fc.Arbitrary<JsonObject>;

test("an object patched with its difference to another becomes the other, order included", () => {
  fc.assert(
    fc.property(widgets, widgets, (from, to) => {
      const patch = difference(widget, from, to);
      const before = JSON.stringify([from, patch]);
      assert.ok(isSameDocument(applyStrategicMergePatch(widget, from, patch), to));
      assert.equal(JSON.stringify([from, patch]), before);
    }),
    { numRuns: 500 },
  );
});

test("an empty patch changes nothing, and a patch without directives is idempotent", () => {
  fc.assert(
    fc.property(widgets, widgets, (original, patch) => {
      assert.ok(isSameDocument(applyStrategicMergePatch(widget, original, {}), original));
      const once = applyStrategicMergePatch(widget, original, patch);
      assert.ok(isSameDocument(applyStrategicMergePatch(widget, once, patch), once));
    }),
  );
});

test("merging large lists takes time in proportion to their length", () => {
  const many = Array.from({ length: 50_000 }, (_, index) => c(`c${index}`));
  const patch = { "$setElementOrder/containers": many.toReversed(), containers: many.toReversed().slice(0, 40_000) };
  assert.deepEqual(applyStrategicMergePatch(widget, { containers: many }, patch), { containers: many.toReversed() });
});

/** A two-way strategic merge patch of the kind kubectl makes: changes, deletions, and the order of merged lists. */
function difference(schema: Schema | undefined, from: JsonObject, to: JsonObject): JsonObject {
  const entries: [string, JsonValue][] = [];
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const [a, b] = [Object.hasOwn(from, key) ? from[key] : undefined, Object.hasOwn(to, key) ? to[key] : undefined];
    const known = schema?.type === "object" ? schema.properties.get(key) : undefined;
    if (b === undefined) {
      entries.push([key, null]);
    } else if (a === undefined || !isSameDocument(a, b)) {
      if (Array.isArray(a) && Array.isArray(b) && known?.patchStrategy.includes("merge")) {
        entries.push(...listDifference(known, a, b));
      } else if (isObject(a) && isObject(b)) {
        entries.push([key, difference(known?.schema, a, b)]);
      } else {
        entries.push([key, b]);
      }
    }
  }
  return Object.fromEntries(entries);
}

function listDifference(known: Field, from: JsonValue[], to: JsonValue[]): [string, JsonValue][] {
  const mergeKey = known.patchMergeKey;
  if (mergeKey === undefined) {
    return [
      [`$setElementOrder/${known.name}`, to],
      [`$deleteFromPrimitiveList/${known.name}`, from.filter((item) => !to.includes(item))],
      [known.name, to.filter((item) => !from.includes(item))],
    ];
  }
  const items = (known.schema as ListSchema).items;
  const find = (values: JsonValue[], wanted: JsonObject) =>
    (values as JsonObject[]).find((item) => item[mergeKey] === wanted[mergeKey]);
  const changes = (to as JsonObject[]).map((item) => {
    const old = find(from, item);
    return old === undefined ? item : { ...difference(items, old, item), [mergeKey]: item[mergeKey] ?? null };
  });
  const deletions = (from as JsonObject[])
    .filter((item) => find(to, item) === undefined)
    .map((item) => ({ [mergeKey]: item[mergeKey] ?? null, $patch: "delete" }));
  return [
    [`$setElementOrder/${known.name}`, (to as JsonObject[]).map((item) => ({ [mergeKey]: item[mergeKey] ?? null }))],
    [known.name, [...changes, ...deletions]],
  ];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
