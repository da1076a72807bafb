import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeJson, encodeJson } from "@gatehouse/envelopes/codec";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { kindSchema, schemaRegistry } from "@gatehouse/envelopes/schema";
import { compileRootSchema } from "@gatehouse/policies/structural-schemas";
import fc from "fast-check";
import { FieldManager } from "./field-manager.js";
import { fieldsAt } from "./field-set.js";
import { finish } from "./finish.test.support.js";
import { type MergeType, mergeTypeOf } from "./merge-type.js";
import { onlyVersion } from "./merged-kind.js";

const writer = { manager: "m", nowMs: 0 };

function managerOf(group: string, version: string, kind: string): FieldManager {
  const schema = kindSchema(group, version, kind)?.schema;
  assert.ok(schema !== undefined);
  const apiVersion = group === "" ? version : `${group}/${version}`;
  return new FieldManager(
    {
      ...onlyVersion(apiVersion, mergeTypeOf(schema)),
      group,
      kind,
      blank: { kind, apiVersion, ...decodeJson(schema, {}).object },
      resetFields: fieldsAt([["f:status"]]),
      mayBeStale: false,
    },
    "",
  );
}

/**
 * Returns the managedFields of a new object, made at once and by comparing it with a blank one as for any other write.
 */
function bothWays(manager: FieldManager, object: JsonObject): [string, string] {
  return [undefined, []].map((sent: JsonValue[] | undefined) => {
    const copy = structuredClone(object);
    copy["metadata"] ??= {};
    const metadata = copy["metadata"] as JsonObject;
    if (sent !== undefined) {
      metadata["managedFields"] = sent;
    }
    finish(manager.update(undefined, copy, writer));
    return encodeJson(metadata["managedFields"] ?? "nobody");
  }) as [string, string];
}

const names = fc.oneof(
  fc.constantFrom("a", "b10", "b9", "<x>", "é", "\u{1f600}", "\uffee", '"', "10", "9", "__proto__"),
  fc.string({ maxLength: 6 }),
);
const scalars = fc.oneof(names, fc.integer({ min: -5, max: 70_000 }), fc.boolean(), fc.constant(null));

function mostly<T extends Record<string, fc.Arbitrary<unknown>>>(members: T): fc.Arbitrary<JsonObject> {
  return fc.record(members, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
}

const metadata = mostly({
  name: names,
  generateName: names,
  labels: fc.dictionary(names, names),
  annotations: fc.dictionary(names, names),
  finalizers: fc.array(names, { maxLength: 4 }),
  ownerReferences: fc.array(mostly({ uid: names, name: names, kind: names }), { maxLength: 3 }),
});
const port = mostly({ containerPort: scalars, protocol: fc.constantFrom("TCP", "UDP"), name: names });
const container = mostly({
  name: names,
  image: names,
  args: fc.array(names, { maxLength: 3 }),
  env: fc.array(mostly({ name: names, value: names }), { maxLength: 6 }),
  ports: fc.array(port, { maxLength: 3 }),
  resources: mostly({ limits: fc.dictionary(names, scalars) }),
});
const pods = mostly({
  metadata,
  spec: fc.oneof(
    mostly({ containers: fc.oneof(fc.array(container, { maxLength: 3 }), fc.constant(null)), nodeName: names }),
    fc.constant({}),
  ),
  status: mostly({ phase: names, conditions: fc.array(mostly({ type: names }), { maxLength: 2 }) }),
});

test("what a creator owns is what a comparison with a blank object would give it", () => {
  const manager = managerOf("", "v1", "Pod");
  fc.assert(
    fc.property(pods, (object) => {
      const [direct, compared] = bothWays(manager, object);
      assert.equal(direct, compared);
    }),
    { numRuns: 600 },
  );
});

test("so it is of every built-in kind, whatever its members are", () => {
  for (const { group, version, kind } of schemaRegistry().kinds()) {
    const manager = managerOf(group, version, kind);
    for (const object of [
      {},
      { metadata: {} },
      { spec: null },
      { spec: {} },
      { status: {} },
      { data: { a: "1" } },
    ] as JsonObject[]) {
      const [direct, compared] = bothWays(manager, object);
      assert.equal(direct, compared, `${group}/${version} ${kind}`);
    }
  }
});

const text = { type: "string" };
const custom = mergeTypeOf(
  compileRootSchema({
    type: "object",
    properties: {
      name: text,
      size: { type: "integer" },
      on: { type: "boolean" },
      set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
      numbers: { type: "array", items: { type: "integer" }, "x-kubernetes-list-type": "set" },
      atomic: { type: "array", items: text },
      whole: { type: "object", "x-kubernetes-map-type": "atomic", properties: { a: text } },
      labels: { type: "object", additionalProperties: text },
      rules: {
        type: "array",
        items: { type: "object", properties: { key: text, other: { type: "string", default: "x" }, value: text } },
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["key"],
      },
      pairs: {
        type: "array",
        items: { type: "object", properties: { key: text, other: { type: "string", default: "x" }, value: text } },
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["key", "other"],
      },
    },
  }),
);

function customManagerOf(type: MergeType): FieldManager {
  const apiVersion = "example.com/v1";
  return new FieldManager(
    {
      ...onlyVersion(apiVersion, type),
      group: "example.com",
      kind: "Custom",
      blank: { kind: "Custom", apiVersion },
      resetFields: fieldsAt([["f:status"]]),
      mayBeStale: true,
    },
    "",
  );
}

/** Makes values of one type, and now and then of another. */
function sometimesOther(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const others = fc.oneof(scalars, fc.constant({}), fc.constant([]), fc.constant({ a: 1 }), fc.constant([1]));
  return fc.oneof({ arbitrary: values, weight: 30 }, { arbitrary: others, weight: 1 });
}

const entry = sometimesOther(
  mostly({ key: sometimesOther(names), other: sometimesOther(names), value: sometimesOther(names) }),
);
const customs = mostly({
  name: sometimesOther(names),
  size: sometimesOther(fc.integer()),
  on: sometimesOther(fc.boolean()),
  set: sometimesOther(fc.array(sometimesOther(names), { maxLength: 4 })),
  numbers: sometimesOther(fc.array(sometimesOther(fc.integer({ min: 0, max: 3 })), { maxLength: 4 })),
  atomic: sometimesOther(fc.array(sometimesOther(names), { maxLength: 3 })),
  whole: sometimesOther(mostly({ a: sometimesOther(names) })),
  labels: sometimesOther(fc.dictionary(names, sometimesOther(names))),
  rules: sometimesOther(fc.array(entry, { maxLength: 3 })),
  pairs: sometimesOther(fc.array(entry, { maxLength: 3 })),
});

test("the creator of an object that may not fit its schema owns what a comparison would give it, or nothing", () => {
  const manager = customManagerOf(custom);
  const seen = { owned: 0, nobody: 0 };
  fc.assert(
    fc.property(customs, (object) => {
      const [direct, compared] = bothWays(manager, object);
      assert.equal(direct, compared);
      seen[direct === '"nobody"' ? "nobody" : "owned"]++;
    }),
    { numRuns: 1000 },
  );
  assert.ok(seen.owned > 50 && seen.nobody > 50, JSON.stringify(seen));
});

test("the types of a new object are checked in the walk that tells its fields", () => {
  let asked = 0;
  const { map } = custom;
  assert.ok(map !== undefined);
  const member = (name: string): MergeType | undefined => {
    asked += name === "name" ? 1 : 0;
    return map.member(name);
  };
  const object = { metadata: {}, name: "a", rules: [{ key: "a" }] };
  finish(
    customManagerOf({ map: { ...map, hasMembers: map.hasMembers, others: map.others, member } }).update(
      undefined,
      object,
      writer,
    ),
  );
  assert.ok(Object.hasOwn(object.metadata, "managedFields"));
  assert.equal(asked, 1);
});
