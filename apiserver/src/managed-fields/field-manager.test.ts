import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { decodeJson } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import type { WaitingSteps } from "@gatehouse/envelopes/scheduling";
import { groupVersionOf, kindSchema } from "@gatehouse/envelopes/schema";
import { compileRootSchema } from "@gatehouse/policies/structural-schemas";
import fc from "fast-check";
import { ApplyConflictsError } from "./apply-conflicts.js";
import { checkValue } from "./check-value.js";
import { FieldManager } from "./field-manager.js";
import { type FieldSet, fieldsAt, hasField, pathsOf } from "./field-set.js";
import { FieldsError } from "./fields-error.js";
import { allFieldsOf, appliedFieldsOf } from "./fields-of.js";
import { finish } from "./finish.test.support.js";
import { type Managers, writeManagers } from "./managers.js";
import { deduced, type MergeType, mergeTypeOf } from "./merge-type.js";
import { onlyVersion } from "./merged-kind.js";

const nowMs = Date.parse("2024-05-06T07:08:09Z");
const time = "2024-05-06T07:08:09Z";

function managerOf(apiVersion: string, kind: string): { readonly type: MergeType; readonly manager: FieldManager } {
  const { group, version } = groupVersionOf(apiVersion);
  const schema = kindSchema(group, version, kind)?.schema;
  const type = schema === undefined ? deduced : mergeTypeOf(schema);
  const manager = new FieldManager(
    {
      ...onlyVersion(apiVersion, type),
      group,
      kind,
      blank: { kind, apiVersion, ...(schema === undefined ? {} : decodeJson(schema, {}).object) },
      resetFields: fieldsAt([["f:status"]]),
      mayBeStale: schema === undefined,
    },
    "",
  );
  return { type, manager };
}

const service = (spec: JsonObject): JsonObject => ({
  kind: "Service",
  apiVersion: "v1",
  metadata: { name: "s" },
  spec,
});
const labelled = (labels: JsonObject, spec: JsonObject = {}): JsonObject => ({
  kind: "Service",
  apiVersion: "v1",
  metadata: { name: "s", labels },
  spec,
});
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";
const writer = (manager: string) => ({ manager, nowMs });

/** Returns the object and its managers after an apply, as the next write finds them. */
function applied(
  { manager }: { readonly manager: FieldManager },
  live: JsonObject | undefined,
  config: JsonObject,
  name: string,
  force = false,
): { readonly object: JsonObject; readonly managers: Managers } {
  const result = finish(manager.apply(live, config, writer(name), force));
  const object = structuredClone(result.object ?? live ?? {}) as JsonObject & { metadata: JsonObject };
  object.metadata = { ...object.metadata, managedFields: writeManagers(result.managers) };
  return { object, managers: result.managers };
}

describe("ownership of fields", () => {
  const services = managerOf("v1", "Service");

  test("who creates an object owns all that is said of it, but not what it is", () => {
    const object = service({ ports: [{ port: 443 }, { port: 80, name: "<x>" }], type: "ClusterIP" });
    finish(services.manager.update(undefined, object, writer("")));
    assert.equal(
      JSON.stringify((object["metadata"] as JsonObject)["managedFields"]),
      `[{"manager":"unknown","operation":"Update","apiVersion":"v1","time":"${time}","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:ports":{".":{},"k:{\\"port\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:name":{},"f:port":{}},"k:{\\"port\\":443,\\"protocol\\":\\"TCP\\"}":{".":{},"f:port":{}}},"f:type":{}}}}]`,
    );
  });

  test("who applies the same owns it, too; who applies something else is told of each owner", () => {
    const first = applied(services, undefined, service({ type: "ClusterIP", ports: [{ port: 80 }] }), "one");
    const second = applied(services, first.object, service({ type: "ClusterIP" }), "two");
    assert.throws(
      () => applied(services, second.object, service({ type: "NodePort" }), "three"),
      (error: unknown) =>
        error instanceof ApplyConflictsError &&
        error.message ===
          'Apply failed with 2 conflicts: conflicts with "one":\n- .spec.type\nconflicts with "two":\n- .spec.type',
    );
    const forced = applied(services, second.object, service({ type: "NodePort" }), "three", true);
    assert.deepEqual([...forced.managers.values()].map(({ manager }) => manager).sort(), ["one", "three"]);
  });

  test("what an applier leaves out goes, unless somebody else owns it", () => {
    const first = applied(
      services,
      undefined,
      service({ type: "ClusterIP", ports: [{ port: 80 }, { port: 81 }] }),
      "one",
    );
    const second = applied(services, first.object, service({ ports: [{ port: 81 }] }), "two");
    const third = applied(services, second.object, service({ type: "ClusterIP" }), "one");
    assert.deepEqual((third.object["spec"] as JsonObject)["ports"], [{ port: 81 }]);
  });

  test("the eleventh manager of updates makes one of the two oldest", () => {
    let object = labelled({ start: "1" });
    finish(services.manager.update(undefined, object, writer("m10")));
    for (let i = 1; i <= 10; i++) {
      const next = structuredClone(object);
      (next["metadata"] as { labels: JsonObject }).labels[`k${i}`] = "1";
      finish(services.manager.update(object, next, { manager: `m${10 - i}`, nowMs: nowMs + i * 1000 }));
      object = next;
    }
    const entries = (object["metadata"] as JsonObject)["managedFields"] as JsonObject[];
    assert.equal(entries.length, 10);
    assert.deepEqual(entries[0], {
      manager: "ancient-changes",
      operation: "Update",
      apiVersion: "v1",
      time: "2024-05-06T07:08:10Z",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:metadata": { "f:labels": { ".": {}, "f:k1": {}, "f:start": {} } } },
    });
  });

  test("what is in a set twice is one thing, and stays whose it is when it stays as it is", () => {
    const finalized = (...finalizers: string[]): JsonObject => ({
      ...service({}),
      metadata: { name: "s", finalizers },
    });
    const object = finalized("x.io/a", "x.io/a", "x.io/b");
    finish(services.manager.update(undefined, object, writer("one")));
    const next = finalized("x.io/a", "x.io/a", "x.io/c");
    finish(services.manager.update(object, next, writer("two")));
    const entries = (next["metadata"] as JsonObject)["managedFields"] as JsonObject[];
    const owned = entries.map(({ manager, fieldsV1 }) => [manager, (fieldsV1 as JsonObject)["f:metadata"]]);
    assert.deepEqual(owned, [
      ["one", { "f:finalizers": { ".": {}, 'v:"x.io/a"': {} } }],
      ["two", { "f:finalizers": { 'v:"x.io/c"': {} } }],
    ]);
  });

  test("items that are applied come in the order of the config, the others stay between them, and none comes twice", () => {
    const finalized = (...finalizers: string[]): JsonObject => ({
      ...service({}),
      metadata: { name: "s", finalizers },
    });
    const live = applied(services, undefined, finalized("a", "b", "c", "d"), "one").object;
    const { object } = applied(services, live, finalized("d", "x", "b"), "two");
    assert.deepEqual((object["metadata"] as JsonObject)["finalizers"], ["a", "c", "d", "x", "b"]);
    assert.throws(() => applied(services, live, finalized("b", "b"), "two"), {
      message: 'duplicate entries for key [="b"]',
    });
  });

  test("kubectl takes over what it has applied before, unless it is no longer as it was applied", () => {
    const note = JSON.stringify(service({ type: "ClusterIP", sessionAffinity: "None" }));
    const metadata = { name: "s", annotations: { [lastApplied]: note } };
    const object: JsonObject = { ...service({ type: "ClusterIP", sessionAffinity: "None" }), metadata };
    finish(services.manager.update(undefined, object, writer("kubectl-client-side-apply")));
    const changed: JsonObject = { ...service({ type: "NodePort", sessionAffinity: "None" }), metadata };
    finish(services.manager.update(object, changed, writer("other")));
    assert.throws(
      () => applied(services, changed, service({ type: "LoadBalancer", sessionAffinity: "ClientIP" }), "kubectl"),
      { message: 'Apply failed with 1 conflict: conflict with "other" using v1: .spec.type' },
    );
    const { object: taken } = applied(services, changed, service({ sessionAffinity: "ClientIP" }), "kubectl");
    assert.deepEqual(taken["spec"], { type: "NodePort", sessionAffinity: "ClientIP" });
  });

  test("a note of what was applied goes when it would be too large", () => {
    const live: JsonObject = { ...service({}), metadata: { name: "s", annotations: { [lastApplied]: "{}", b: "c" } } };
    const noted = applied(services, live, service({ externalName: "x" }), "kubectl").object;
    const large = applied(services, live, service({ externalName: "x".repeat(300_000) }), "kubectl").object;
    const annotations = (object: JsonObject): string[] => {
      const metadata = object["metadata"] as { annotations: JsonObject };
      return Object.keys(metadata.annotations);
    };
    assert.deepEqual([annotations(noted), annotations(large)], [[lastApplied, "b"], ["b"]]);
  });

  test("managers that cannot be read count for nothing, and one empty entry is a new beginning", () => {
    const object = service({ type: "ClusterIP" });
    finish(services.manager.update(undefined, object, writer("one")));
    const meta = object["metadata"] as JsonObject;
    const kept = JSON.stringify(meta["managedFields"]);
    for (const [sent, expected] of [
      [[{ operation: "Steal" }], kept],
      [[], kept],
      [undefined, kept],
      [[{}], undefined],
    ] as const) {
      const next: JsonObject = { ...object, metadata: { name: "s", managedFields: sent as JsonValue | undefined } };
      finish(services.manager.update(object, next, writer("two")));
      assert.equal(JSON.stringify((next["metadata"] as JsonObject)["managedFields"]), expected);
    }
  });
});

test("the work on the owners of a large object is done in steps, that on a small one at once", () => {
  const { manager } = managerOf("v1", "ConfigMap");
  const configMap = (keys: number, value: string): JsonObject => ({
    ...{ kind: "ConfigMap", apiVersion: "v1", metadata: { name: "c" } },
    data: Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, value])),
  });
  const yields = (work: WaitingSteps<unknown>): number => {
    let count = 0;
    while (work.next().done !== true) {
      count++;
    }
    return count;
  };
  for (const [keys, least, most] of [
    [10, 0, 0],
    [2000, 1, 100],
  ] as const) {
    const live = configMap(keys, "a");
    const ofCreate = yields(manager.update(undefined, live, writer("one")));
    const ofUpdate = yields(manager.update(live, configMap(keys, "b"), writer("two")));
    const ofShrinking = yields(manager.update(live, configMap(1, "b"), writer("two")));
    for (const count of [ofCreate, ofUpdate, ofShrinking]) {
      assert.ok(count >= least && count <= most, `${count} steps for ${keys} keys`);
    }
  }
});

test("an object with more fields than are told apart has no managers, and cannot be applied", () => {
  const { manager } = managerOf("v1", "ConfigMap");
  const data = Object.fromEntries(Array.from({ length: 100_001 }, (_, i) => [`k${i}`, ""]));
  const object: JsonObject = { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "c" }, data };
  finish(manager.update(undefined, object, writer("one")));
  assert.deepEqual(object["metadata"], { name: "c" });
  const small: JsonObject = { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "c" } };
  assert.throws(() => finish(manager.apply(object, small, writer("one"), true)), {
    message: "object has more than 100000 fields that could have owners of their own",
  });
});

test("what a definition says nothing of but what its members would be may be anything, and is owned so", () => {
  const schema = compileRootSchema({
    type: "object",
    properties: { spec: { properties: { a: { type: "string" } }, "x-kubernetes-preserve-unknown-fields": true } },
  });
  const type = mergeTypeOf(schema);
  assert.deepEqual(appliedFieldsOf(type, { spec: "free" }), { "f:spec": {} });
  assert.deepEqual(appliedFieldsOf(type, { spec: [1] }), { "f:spec": {} });
  assert.deepEqual(appliedFieldsOf(type, { spec: { a: "x", b: 1 } }), { "f:spec": { "f:a": {}, "f:b": {} } });
});

test("what is no map is shown as v1.29 shows it, which takes the text for a format", () => {
  const type = mergeTypeOf(compileRootSchema({ type: "object", properties: { spec: { type: "object" } } }));
  assert.throws(() => checkValue(type, { spec: "50%" }, "refused"), {
    message: ".spec: expected map, got &{50%!}(MISSING)",
  });
});

/**
 * Configs of a Service and of a kind without a schema: the same few names and values, so that they meet often. The lists
 * of a Service are not empty: what v1.29 makes of those has a test of its own.
 */
const scalar = fc.constantFrom<JsonValue>("a", "b", 1, 2, true, null);
const labels = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.constantFrom("1", "2"), { maxKeys: 3 });
const serviceConfig = fc
  .record(
    {
      selector: labels,
      type: fc.constantFrom("ClusterIP", "NodePort"),
      externalIPs: fc.uniqueArray(fc.constantFrom("1.1.1.1", "2.2.2.2"), { minLength: 1, maxLength: 2 }),
      ports: fc.uniqueArray(
        fc.record(
          { port: fc.constantFrom(80, 443, 9000), name: fc.constantFrom("x", "y") },
          { requiredKeys: ["port"] },
        ),
        { selector: ({ port }) => port, minLength: 1, maxLength: 3 },
      ),
    },
    { requiredKeys: [] },
  )
  .map((spec) => service(spec as JsonObject));
const freeValue = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("a", "b", "__proto__", "constructor"), tie("value"), { maxKeys: 3 }),
  ),
})).value;
const freeConfig = fc
  .dictionary(fc.constantFrom("x", "y", "z"), freeValue, { maxKeys: 3 })
  .map((spec): JsonObject => ({ kind: "Free", apiVersion: "example.com/v1", metadata: { name: "s" }, spec }));

for (const [kind, config] of [
  [managerOf("v1", "Service"), serviceConfig],
  [managerOf("example.com/v1", "Free"), freeConfig],
] as const) {
  const what = kind.type === deduced ? "a kind without a schema" : "a built-in kind";

  test(`to apply the same again changes nothing (${what})`, () => {
    fc.assert(
      fc.property(config, config, (first, second) => {
        const { object } = applied(kind, undefined, first, "one");
        const once = applied(kind, object, second, "two", true);
        const twice = finish(kind.manager.apply(once.object, second, writer("two"), false));
        assert.equal(twice.object, undefined);
        assert.deepEqual(writeManagers(twice.managers), writeManagers(once.managers));
      }),
    );
  });

  test(`any two configs merge, and nobody owns what is not there (${what})`, () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(config, fc.constantFrom("one", "two", "three")), { maxLength: 5 }), (steps) => {
        let live: JsonObject | undefined;
        for (const [step, name] of steps) {
          try {
            live = applied(kind, live, step, name, true).object;
          } catch (error) {
            // Only what cannot be told apart is refused: items of a set that are no scalars.
            assert.ok(error instanceof FieldsError, String(error));
            return;
          }
          assertOwnedFieldsExist(kind.type, live);
        }
      }),
    );
  });
}

test("who takes back empty lists, one by one, owns what held them, which is there no more, as in v1.29", () => {
  const kind = managerOf("v1", "Service");
  let live: JsonObject | undefined;
  for (const spec of [{ ports: [] }, { externalIPs: [] }, {}]) {
    live = applied(kind, live, service(spec), "one").object;
  }
  assert.ok(live !== undefined && !("spec" in live), "there is no spec");
  const { managedFields } = live["metadata"] as JsonObject;
  assert.deepEqual(
    (managedFields as JsonObject[]).map(({ fieldsV1 }) => fieldsV1),
    [{ "f:spec": {} }],
  );
});

test("configs that have nothing in common lead to the same object in either order", () => {
  const kind = managerOf("v1", "Service");
  const half = (name: string) => labels.map((map) => keyed(map, name));
  fc.assert(
    fc.property(half("p"), half("q"), (first, second) => {
      const [a, b] = [labelled(first, { type: "ClusterIP" }), labelled(second, { sessionAffinity: "None" })];
      const one = applied(kind, applied(kind, undefined, a, "one").object, b, "two").object;
      const other = applied(kind, applied(kind, undefined, b, "two").object, a, "one").object;
      assert.deepEqual(withoutOrder(one), withoutOrder(other));
    }),
  );
});

function keyed(map: Record<string, string>, prefix: string): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [prefix + name, value]));
}

/** Returns the managers by their fields; their times are those of the first ones. */
function withoutOrder(object: JsonObject): JsonValue {
  const { managedFields, ...metadata } = object["metadata"] as JsonObject;
  const entries = (managedFields as JsonObject[]).map(({ time: _time, ...entry }) => JSON.stringify(entry)).sort();
  return { ...object, metadata: { ...metadata, managedFields: entries } };
}

function assertOwnedFieldsExist(type: MergeType, object: JsonObject): void {
  const { managedFields } = object["metadata"] as JsonObject;
  const all = allFieldsOf(type, { ...object, metadata: { name: "s" } });
  for (const entry of Array.isArray(managedFields) ? managedFields : []) {
    const fields = (isJsonObject(entry) ? entry["fieldsV1"] : {}) as FieldSet;
    for (const path of pathsOf(fields)) {
      assert.ok(hasField(all, path), `${path.join(" ")} is owned, and not there`);
    }
  }
}
