import assert from "node:assert/strict";
import { test } from "node:test";
import { askPlugin } from "@gatehouse/apiserver/admission/testing";
import { valueAt } from "@gatehouse/envelopes/json";
import { storageObjectInUseProtection } from "./storage-object-in-use-protection.js";

async function finalizersOf(resource: string, finalizers?: readonly string[]): Promise<unknown> {
  const metadata = { name: "x", ...(finalizers === undefined ? {} : { finalizers: [...finalizers] }) };
  const { object } = await askPlugin(storageObjectInUseProtection(), { resource, object: { metadata } });
  return valueAt(object, "metadata", "finalizers");
}

test("new claims and volumes get their finalizer behind those that they have, once", async () => {
  const pvc = "kubernetes.io/pvc-protection";
  assert.deepEqual(await finalizersOf("persistentvolumeclaims"), [pvc]);
  assert.deepEqual(await finalizersOf("persistentvolumeclaims", ["a/b"]), ["a/b", pvc]);
  assert.deepEqual(await finalizersOf("persistentvolumeclaims", [pvc, "a/b"]), [pvc, "a/b"]);
  assert.deepEqual(await finalizersOf("persistentvolumes"), ["kubernetes.io/pv-protection"]);
  assert.equal(await finalizersOf("pods"), undefined);
});
