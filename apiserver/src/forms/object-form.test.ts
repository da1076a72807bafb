import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeJson, writeEmptyAsNull } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { KindSchema } from "@gatehouse/envelopes/schema";
import { compileRootSchema } from "@gatehouse/policies/structural-schemas";
import { CacheEntry } from "../storage/cache/cache-entry.js";
import type { ObjectForm } from "./object-form.js";
import { openForm } from "./open-form.js";
import type { UnstructuredKind } from "./unstructured-kind.js";

const configMaps = openForm({ group: "", version: "v1", kind: "ConfigMap" });
const schema = compileRootSchema({
  type: "object",
  properties: { spec: { type: "object", properties: { size: { type: "integer", default: 3 } } } },
});

/** Returns the form of a custom kind in version v1 that is stored in `stored`. */
function things(stored: "v1" | "v2", more: Partial<UnstructuredKind> = {}): ObjectForm {
  const kind = { group: "a.example", version: "v1", kind: "Thing" };
  const ofKind: KindSchema = {
    ...kind,
    schema,
    isList: false,
    hasObjectMeta: true,
    introduced: undefined,
    deprecated: undefined,
    removed: undefined,
    replacement: undefined,
  };
  return openForm({
    ...kind,
    unstructured: {
      schemas: { kind: ofKind, list: ofKind },
      storedApiVersion: `a.example/${stored}`,
      unchangedSince: 5,
      schemaOf: (apiVersion) => (apiVersion.startsWith("a.example/") ? schema : undefined),
      convert: undefined,
      ...more,
    },
  });
}

function thing(apiVersion: string, spec: JsonObject): JsonObject {
  return { apiVersion, kind: "Thing", metadata: { name: "t" }, spec };
}

function entryOf(object: JsonObject, modRevision: number): CacheEntry {
  return CacheEntry.fromStore({ key: "/registry/x/t", value: Buffer.from(encodeJson(object)), modRevision });
}

function configMap(data: JsonObject): JsonObject {
  return { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "t" }, data };
}

test("an entry in the served version is shown with its own bytes in both forms", () => {
  for (const [form, object] of [
    [configMaps, configMap({})],
    [things("v1"), thing("a.example/v1", { size: 1 })],
  ] as const) {
    const entry = entryOf(object, 9);
    assert.ok(form.isCurrent(entry));
    assert.equal(form.prepare([entry]), undefined);
    assert.deepEqual(form.encode(entry), entry.bytes);
    assert.deepEqual(form.decode(entry), JSON.parse(entry.bytes.toString()));
  }
});

test("a custom object from before the last change of its definition is shown in the current schema once prepared", async () => {
  const form = things("v1");
  const entry = entryOf(thing("a.example/v1", { gone: true }), 4);
  assert.ok(!form.isCurrent(entry));
  assert.throws(() => form.encode(entry), /before it has been converted/);
  await form.prepare([entry]);
  assert.equal(form.prepare([entry]), undefined);
  assert.deepEqual(form.decode(entry)["spec"], { size: 3 });
  const repeated = entry.at(12);
  assert.equal(JSON.parse(form.encode(repeated).toString()).metadata.resourceVersion, "12");
});

test("entries of one list are converted by one call of the converter", async () => {
  const calls: number[] = [];
  const form = things("v2", {
    convert: async (objects, apiVersion) => {
      calls.push(objects.length);
      return objects.map((object) => ({ ...object, apiVersion }));
    },
  });
  const entries = [1, 2, 3].map((size) => entryOf(thing("a.example/v2", { size }), 9 + size));
  await form.prepare(entries);
  assert.deepEqual(calls, [3]);
  assert.deepEqual(
    entries.map((entry) => [form.decode(entry)["apiVersion"], form.decode(entry)["spec"]]),
    [1, 2, 3].map((size) => ["a.example/v1", { size }]),
  );
});

test("an object of another version than the stored one is stored converted, with the defaults of the stored version", async () => {
  const stored = await things("v2").toStored(thing("a.example/v1", {}));
  assert.equal(stored["apiVersion"], "a.example/v2");
  assert.deepEqual(stored["spec"], { size: 3 });
});

test("the canonical order is that of the schema for typed kinds and that of the names for custom ones", () => {
  const typed: JsonObject = { data: { a: "1" }, metadata: { name: "t" }, apiVersion: "v1", kind: "ConfigMap" };
  configMaps.canonicalize(typed);
  assert.deepEqual(Object.keys(typed), ["kind", "apiVersion", "metadata", "data"]);
  const custom: JsonObject = { spec: { b: 1, a: 2 }, metadata: { name: "t" }, kind: "Thing", apiVersion: "x" };
  things("v1").canonicalize(custom);
  assert.deepEqual(Object.keys(custom), ["apiVersion", "kind", "metadata", "spec"]);
  assert.equal(encodeJson(custom["spec"] as JsonObject), '{"a":2,"b":1}');
});

test("admission sees empty lists that the store turns into null, those of custom kinds stay", () => {
  const roles = openForm({ group: "rbac.authorization.k8s.io", version: "v1", kind: "Role" });
  const role: JsonObject = { rules: [], metadata: { name: "t" } };
  const empty = roles.canonicalizeForAdmission(role);
  assert.deepEqual(role["rules"], []);
  writeEmptyAsNull(empty);
  assert.equal(role["rules"], null);
  const custom = { ...thing("a.example/v1", {}), rules: [] };
  writeEmptyAsNull(things("v1").canonicalizeForAdmission(custom));
  assert.deepEqual(custom.rules, []);
});

test("items of typed lists lack kind and apiVersion, those of custom lists carry them", () => {
  const typed = entryOf(configMap({ a: "1" }), 9);
  assert.deepEqual(Object.keys(configMaps.toItem(configMaps.decodeRow(typed))), ["metadata", "data"]);
  assert.deepEqual(configMaps.listFrame("ConfigMapList", {}), {
    head: { kind: "ConfigMapList", apiVersion: "v1", metadata: {} },
    tail: {},
  });
  const form = things("v1");
  const custom = entryOf(thing("a.example/v1", {}), 9);
  assert.equal(form.toItem(form.decodeRow(custom))["kind"], "Thing");
  assert.deepEqual(form.listFrame("ThingList", { resourceVersion: "7" }), {
    head: { apiVersion: "a.example/v1" },
    tail: { kind: "ThingList", metadata: { continue: "", resourceVersion: "7" } },
  });
});
