import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { compileRootSchema } from "@gatehouse/policies/structural-schemas";
import { FieldManager } from "./field-manager.js";
import { type FieldSet, fieldsAt, noFields } from "./field-set.js";
import { appliedFieldsOf } from "./fields-of.js";
import { finish } from "./finish.test.support.js";
import { type ManagedEntry, type Managers, managerKey, writeManagers } from "./managers.js";
import { mergeTypeOf } from "./merge-type.js";
import { type MergedKind, onlyVersion } from "./merged-kind.js";
import { reconcileWithType, withNamedFields } from "./named-fields.js";
import { prune } from "./prune.js";
import { removeFields } from "./remove-fields.js";
import { takeFields } from "./take-fields.js";

const text = { type: "string" };
const byName = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] };
const pair = { type: "object", properties: { name: text, value: text } };
const type = mergeTypeOf(
  compileRootSchema({
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: {
          struct: { type: "object", properties: { a: text, b: text } },
          lost: { type: "object", properties: { a: text } },
          map: { type: "object", additionalProperties: text },
          pairs: { type: "object", additionalProperties: pair },
          items: { type: "array", items: pair, ...byName },
          set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
          whole: { type: "array", items: text },
        },
      },
      status: { type: "object", properties: { phase: text } },
    },
  }),
);
const apiVersion = "example.com/v1";
const kind: MergedKind = {
  ...onlyVersion(apiVersion, type),
  group: "example.com",
  kind: "Thing",
  blank: { kind: "Thing", apiVersion },
  resetFields: fieldsAt([["f:status"]]),
  mayBeStale: true,
};

const thing = (spec: JsonObject, more: JsonObject = {}): JsonObject => {
  return { kind: "Thing", apiVersion, metadata: { name: "t" }, spec, ...more };
};
const entry = (manager: string, fields: FieldSet, operation: "Apply" | "Update" = "Apply"): ManagedEntry => {
  return { manager, operation, apiVersion, subresource: "", time: undefined, fields };
};
const managersOf = (...entries: readonly ManagedEntry[]): Managers => new Map(entries.map((e) => [managerKey(e), e]));

test("a map or list that loses all that it holds becomes null, one that keeps something is left with it", () => {
  const value = {
    spec: {
      struct: { a: "1", b: "2" },
      map: { x: "1" },
      items: [{ name: "p", value: "1" }, { name: "q" }],
      set: ["a"],
      whole: ["w"],
    },
  };
  const removed = removeFields(type, value, {
    "f:spec": {
      "f:struct": { "f:a": {} },
      "f:map": { "f:x": {} },
      "f:items": { 'k:{"name":"p"}': { "f:value": {} }, 'k:{"name":"q"}': {} },
      "f:set": { 'v:"a"': {} },
    },
  });
  assert.deepEqual(removed, {
    spec: { struct: { b: "2" }, map: null, items: [{ name: "p" }], set: null, whole: ["w"] },
  });
  assert.equal(removeFields(type, { spec: { map: { x: "1" } } }, { "f:spec": {} }), null);
  assert.equal(removeFields(type, value, noFields), value);
});

test("inside of a list that is owned as a whole nothing is removed by itself", () => {
  assert.deepEqual(removeFields(type, { spec: { whole: ["w"] } }, { "f:spec": { "f:whole": { 'v:"w"': {} } } }), {
    spec: { whole: null },
  });
});

test("structs that lead to fields count as named, entries of maps and items only where the set has them", () => {
  const set: FieldSet = {
    "f:spec": {
      "f:struct": { "f:a": {} },
      "f:pairs": { "f:k": { "f:value": {} } },
      "f:items": { 'k:{"name":"p"}': { "f:value": {} } },
    },
  };
  assert.deepEqual(withNamedFields(type, set), {
    "f:spec": {
      ".": {},
      "f:items": { ".": {}, 'k:{"name":"p"}': { "f:value": {} } },
      "f:pairs": { ".": {}, "f:k": { "f:value": {} } },
      "f:struct": { ".": {}, "f:a": {} },
    },
  });
});

test("who owned something inside of what has become a whole owns the whole", () => {
  const set: FieldSet = { "f:spec": { "f:whole": { 'v:"w"': {} }, "f:map": { "f:x": {} } } };
  assert.deepEqual(reconcileWithType(type, set), { "f:spec": { "f:whole": {}, "f:map": { "f:x": {} } } });
  const same: FieldSet = { "f:spec": { "f:set": { 'v:"a"': {} } } };
  assert.equal(reconcileWithType(type, same), same);
});

test("who applies owns the entries of a map and the items of a list, and what is empty where it is a map", () => {
  const spec = { pairs: { k: { name: "n" }, none: {} }, map: {}, items: [{ name: "p" }], set: [], whole: [] };
  assert.deepEqual(appliedFieldsOf(type, { spec }), {
    "f:spec": {
      "f:items": { 'k:{"name":"p"}': { ".": {}, "f:name": {} } },
      "f:map": {},
      "f:pairs": { "f:k": { ".": {}, "f:name": {} }, "f:none": {} },
      "f:whole": {},
    },
  });
});

test("what an applier gives up goes with what held nothing else; what others own and what nobody owns stays", () => {
  const merged = thing({
    struct: { a: "1", b: "2" },
    lost: { a: "1" },
    map: { mine: "1", theirs: "1", nobodys: "1" },
    items: [
      { name: "p", value: "nobody's" },
      { name: "q", value: "theirs" },
    ],
  });
  const last = entry("one", {
    "f:spec": {
      "f:struct": { "f:a": {} },
      "f:lost": { "f:a": {} },
      "f:map": { "f:mine": {}, "f:theirs": {} },
      "f:items": { 'k:{"name":"p"}': { ".": {}, "f:name": {} }, 'k:{"name":"q"}': { ".": {}, "f:name": {} } },
    },
  });
  const now = entry("one", { "f:spec": { "f:struct": { "f:b": {} } } });
  const other = entry("two", {
    "f:spec": {
      "f:map": { "f:theirs": {} },
      "f:items": { 'k:{"name":"q"}': { ".": {}, "f:name": {}, "f:value": {} } },
    },
  });
  const pruned = finish(prune(kind, merged, managersOf(now, other), last, now.fields));
  assert.deepEqual(pruned["spec"], {
    struct: { b: "2" },
    map: { theirs: "1", nobodys: "1" },
    items: [{ name: "q", value: "theirs" }],
  });
});

test("what a path takes back is taken from nobody there, and nobody comes to own it", () => {
  const owner = { ...entry("two", { "f:status": { "f:phase": {} } }, "Update"), subresource: "status" };
  const [before, after] = [thing({}, { status: { phase: "A" } }), thing({}, { status: { phase: "B" } })];
  const taking = { kind, before, after, taker: undefined, force: true, isLarge: false };
  const { managers, comparison } = finish(takeFields(taking, managersOf(owner)));
  assert.deepEqual([...managers.values()], [owner]);
  assert.deepEqual(comparison, { changed: noFields, removed: noFields });
  const manager = new FieldManager(kind, "");
  const config = thing({ map: { x: "1" } }, { status: { phase: "C" } });
  const { managers: owners } = finish(manager.apply(before, config, { manager: "one", nowMs: 0 }, false));
  assert.deepEqual(
    [...owners.values()].filter((e) => e.manager === "one").map(({ fields }) => fields),
    [{ "f:spec": { "f:map": { "f:x": {} } } }],
  );
  const live = thing({}, { status: { phase: "A" } });
  (live["metadata"] as JsonObject)["managedFields"] = writeManagers(managersOf(owner));
  const updated = thing({ set: ["a"] }, { status: { phase: "B" } });
  finish(manager.update(live, updated, { manager: "one", nowMs: 0 }));
  const entries = (updated["metadata"] as { managedFields: JsonObject[] }).managedFields;
  assert.deepEqual(
    entries.map((e) => [e["manager"], JSON.stringify(e["fieldsV1"])]),
    [
      ["one", '{"f:spec":{"f:set":{".":{},"v:\\"a\\"":{}}}}'],
      ["two", '{"f:status":{"f:phase":{}}}'],
    ],
  );
});
