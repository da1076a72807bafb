import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import fc from "fast-check";
import { CacheEntry } from "../storage/cache/cache-entry.js";
import {
  awaitsCollection,
  hasOwnerReferences,
  isTerminating,
  mayConcernCollector,
  mayHaveOwners,
  metadataOf,
  ownerReferencesText,
  uidOf,
} from "./entry-metadata.js";

function entryOf(object: JsonObject): CacheEntry {
  return CacheEntry.fromStore({
    key: "/registry/configmaps/a/b",
    value: Buffer.from(encodeJson(object)),
    modRevision: 7,
  });
}

const owner = { apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "u-o", blockOwnerDeletion: true };

function configMap(metadata: JsonObject, more: JsonObject = {}): CacheEntry {
  const value = {
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: { name: "b", namespace: "a", uid: "u-1", ...metadata },
  };
  return entryOf({ ...value, ...more });
}

test("the metadata is what parsing the whole object gives, whatever texts it holds", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.string()),
      fc.dictionary(fc.string(), fc.string()),
      (annotations, data) => {
        const entry = configMap({ annotations: { ...annotations } }, { data: { ...data } });
        assert.deepEqual(metadataOf(entry), JSON.parse(JSON.stringify(entry.object()["metadata"])));
      },
    ),
  );
});

test("an object that is not in canonical form is parsed as a whole", () => {
  const entry = entryOf({ spec: { text: "x".repeat(1000) }, metadata: { name: "late" } });
  assert.equal(metadataOf(entry).name, "late");
});

test("the uid is the object's own", () => {
  assert.equal(uidOf(configMap({ ownerReferences: [owner] })), "u-1");
  assert.equal(uidOf(entryOf({ metadata: {} })), "");
});

test("the uid is the object's own where the members of metadata are sorted, as those of custom objects are", () => {
  const nested = [{ ownerReferences: [owner] }, { annotations: { uid: "u-a" } }, { labels: { uid: "u-l" } }];
  for (const members of nested) {
    const custom = { apiVersion: "a.example/v1", kind: "Thing", metadata: { ...members, name: "b", uid: "u-1" } };
    assert.equal(uidOf(entryOf(custom)), "u-1");
    assert.equal(uidOf(entryOf({ ...custom, metadata: members })), "");
  }
});

test("owner references are compared with those of the object, not with others inside of it", () => {
  const template = { template: { metadata: { ownerReferences: [owner] } } };
  const text = ownerReferencesText({ ownerReferences: [owner] });
  assert.equal(hasOwnerReferences(configMap({ ownerReferences: [owner] }), text), true);
  assert.equal(hasOwnerReferences(configMap({}), text), false);
  assert.equal(hasOwnerReferences(configMap({ ownerReferences: [owner, owner] }), text), false);
  assert.equal(hasOwnerReferences(configMap({ ownerReferences: [{ ...owner, uid: "u-2" }] }, template), text), false);
  assert.equal(mayHaveOwners(configMap({})), false);
  assert.equal(mayHaveOwners(configMap({}, template)), true);
  assert.equal(mayHaveOwners(configMap({}, { objectReferences: [owner] })), false);
});

test("an object concerns the garbage collector whenever it has owners or is being deleted", () => {
  const metadata = fc.record(
    {
      deletionTimestamp: fc.constant("2024-01-01T00:00:00Z"),
      ownerReferences: fc.array(fc.constant(owner), { maxLength: 2 }),
      finalizers: fc.array(fc.constantFrom("orphan", "foregroundDeletion", "example.com/x"), { maxLength: 2 }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(metadata, fc.dictionary(fc.string(), fc.string()), (own, data) => {
      const entry = configMap({ ...own }, { data: { ...data } });
      const has = own.deletionTimestamp !== undefined || (own.ownerReferences ?? []).length > 0;
      assert.equal(!has || mayConcernCollector(entry), true);
      assert.equal(!(mayHaveOwners(entry) || awaitsCollection(entry)) || mayConcernCollector(entry), true);
    }),
  );
  assert.equal(mayConcernCollector(configMap({}, { data: { text: "ownerReferences, deletionTimestamp" } })), false);
  assert.equal(mayConcernCollector(configMap({ finalizers: ["orphan"] })), false);
});

test("what stands in the data of an object is not taken for its metadata", () => {
  const data = { deletionTimestamp: "2024-01-01T00:00:00Z", orphan: "orphan", foregroundDeletion: "x" };
  assert.equal(isTerminating(configMap({}, { data })), false);
  assert.equal(awaitsCollection(configMap({ finalizers: ["example.com/x"] }, { data })), false);
  const deletionTimestamp = "2024-01-01T00:00:00Z";
  assert.equal(isTerminating(configMap({ deletionTimestamp }, { data })), true);
  assert.equal(awaitsCollection(configMap({ deletionTimestamp, finalizers: ["example.com/x"] }, { data })), false);
});

test("only terminating objects with a collection finalizer may wait for their dependents", () => {
  const deletionTimestamp = "2024-01-01T00:00:00Z";
  assert.equal(awaitsCollection(configMap({ deletionTimestamp, finalizers: ["orphan"] })), true);
  assert.equal(awaitsCollection(configMap({ deletionTimestamp, finalizers: ["foregroundDeletion"] })), true);
  assert.equal(awaitsCollection(configMap({ deletionTimestamp, finalizers: ["example.com/x"] })), false);
  assert.equal(awaitsCollection(configMap({ finalizers: ["orphan"] })), false);
});
