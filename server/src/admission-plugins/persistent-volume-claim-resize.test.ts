import assert from "node:assert/strict";
import { test } from "node:test";
import { askPlugin } from "@gatehouse/apiserver/admission/testing";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { persistentVolumeClaimResize } from "./persistent-volume-claim-resize.js";
import { testParts } from "./plugin.test.support.js";

const growing = { metadata: { name: "growing" }, allowVolumeExpansion: true };
const fixed = { metadata: { name: "fixed" } };
const cannot =
  "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize";

function claim(storage: string, storageClassName: string, phase: string): JsonObject {
  return {
    metadata: { name: "c" },
    spec: { storageClassName, resources: { requests: { storage } } },
    status: { phase },
  };
}

async function resize(old: JsonObject, object: JsonObject): Promise<string | undefined> {
  const plugin = persistentVolumeClaimResize(
    testParts({ objects: { "storage.k8s.io/storageclasses": [growing, fixed] } }),
  );
  const resource = "persistentvolumeclaims";
  const { refusal } = await askPlugin(plugin, { operation: "UPDATE", resource, name: "c", object, oldObject: old });
  assert.ok(refusal === undefined || refusal[0] === 403);
  return refusal?.[1]?.replace('persistentvolumeclaims "c" is forbidden: ', "");
}

test("only bound claims of a class that allows it grow", async () => {
  const bound = claim("1Gi", "growing", "Bound");
  assert.equal(await resize(bound, claim("2Gi", "growing", "Bound")), undefined);
  assert.equal(await resize(bound, claim("1024Mi", "growing", "Bound")), undefined);
  assert.equal(await resize(bound, claim("1Mi", "fixed", "Bound")), undefined);
  assert.equal(
    await resize(claim("1Gi", "growing", "Pending"), claim("2Gi", "growing", "Pending")),
    "Only bound persistent volume claims can be expanded",
  );
  assert.equal(await resize(claim("1Gi", "fixed", "Bound"), claim("2Gi", "fixed", "Bound")), cannot);
  assert.equal(await resize(claim("1Gi", "gone", "Bound"), claim("2Gi", "gone", "Bound")), cannot);
  assert.equal(await resize(claim("1Gi", "", "Bound"), claim("2Gi", "growing", "Bound")), cannot);
});
