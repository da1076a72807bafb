import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeJson, encodeJson } from "@gatehouse/envelopes/codec";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { kindSchema, schemaRegistry } from "@gatehouse/envelopes/schema";
import fc from "fast-check";
import { FieldManager } from "./field-manager.js";
import { fieldsAt } from "./field-set.js";
import { mergeTypeOf } from "./merge-type.js";
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
    manager.updateAtOnce(undefined, copy, writer);
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
