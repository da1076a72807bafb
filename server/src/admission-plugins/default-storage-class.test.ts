import assert from "node:assert/strict";
import { test } from "node:test";
import { askPlugin, type TestWrite } from "@gatehouse/apiserver/admission/testing";
import { type JsonObject, valueAt } from "@gatehouse/envelopes/json";
import { defaultStorageClass } from "./default-storage-class.js";
import { testParts } from "./plugin.test.support.js";

const beta = "storageclass.beta.kubernetes.io/is-default-class";
const stable = "storageclass.kubernetes.io/is-default-class";

function storageClass(name: string, createdAt: string, annotations: Record<string, string>): JsonObject {
  return { metadata: { name, creationTimestamp: `2026-01-01T00:00:${createdAt}Z`, annotations } };
}

function claim(spec: JsonObject, annotations: Record<string, string> = {}): TestWrite {
  const object = { metadata: { name: "c", annotations }, spec };
  return { resource: "persistentvolumeclaims", kind: "PersistentVolumeClaim", object };
}

async function classOf(classes: readonly JsonObject[], write: TestWrite): Promise<unknown> {
  const plugin = defaultStorageClass(testParts({ objects: { "storage.k8s.io/storageclasses": classes } }));
  const { object } = await askPlugin(plugin, write);
  return valueAt(object, "spec", "storageClassName");
}

test("a claim without a class gets the newest default one, of those the first by name", async () => {
  const old = storageClass("old", "00", { [stable]: "true" });
  const new2 = storageClass("new2", "05", { [beta]: "true" });
  const new1 = storageClass("new1", "05", { [stable]: "true" });
  const latest = storageClass("latest", "09", { [stable]: "false" });
  assert.equal(await classOf([latest, new2, old, new1], claim({})), "new1");
  assert.equal(await classOf([old, latest], claim({})), "old");
  assert.equal(await classOf([latest], claim({})), undefined);
});

test("a claim that names a class keeps it, the empty one and one in the annotation, too", async () => {
  const classes = [storageClass("default", "00", { [stable]: "true" })];
  assert.equal(await classOf(classes, claim({ storageClassName: "other" })), "other");
  assert.equal(await classOf(classes, claim({ storageClassName: "" })), "");
  const annotated = claim({}, { "volume.beta.kubernetes.io/storage-class": "" });
  assert.equal(await classOf(classes, annotated), undefined);
  assert.equal(await classOf(classes, { ...claim({}), operation: "UPDATE" }), undefined);
});
