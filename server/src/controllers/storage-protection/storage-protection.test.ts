import assert from "node:assert/strict";
import { test } from "node:test";
import { metaOf } from "@gatehouse/apiserver/objects";
import { type JsonObject, ownObject } from "@gatehouse/envelopes/json";
import type { GroupResource } from "@gatehouse/envelopes/status";
import { eventually } from "@gatehouse/testing/eventually";
import { storageObjectInUseProtection } from "../../admission-plugins/storage-object-in-use-protection.js";
import { openTestControlPlane, type TestControlPlane } from "../../control-plane.test.support.js";
import { persistentVolumeClaims, persistentVolumes, pods } from "../core-resources.js";
import { claimProtection } from "./claim-protection.js";
import { volumeProtection } from "./volume-protection.js";

async function open(protects = true): Promise<TestControlPlane> {
  const plane = await openTestControlPlane({ plugins: protects ? [storageObjectInUseProtection] : [] });
  await plane.makeNamespace("a");
  const { client, errors } = plane;
  const options = { client, protects, onError: (error: unknown) => errors.push(error) };
  plane.start(claimProtection(options));
  plane.start(volumeProtection(options));
  return plane;
}

function claim(name: string, metadata: JsonObject = {}): JsonObject {
  const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
  return { kind: "PersistentVolumeClaim", apiVersion: "v1", metadata: { ...metadata, namespace: "a", name }, spec };
}

function pod(name: string, volume: JsonObject, nodeName = "n1"): JsonObject {
  const spec = { nodeName, containers: [{ name: "c", image: "i" }], volumes: [{ name: "v", ...volume }] };
  return { kind: "Pod", apiVersion: "v1", metadata: { namespace: "a", name }, spec };
}

const usedClaim = { persistentVolumeClaim: { claimName: "c" } };

async function assertGone(plane: TestControlPlane, resource: GroupResource, namespace: string, name: string) {
  await eventually(async () => assert.equal(await plane.client.get(resource, namespace, name), undefined));
}

/** Asserts that an object still exists after all earlier events have been seen. */
async function assertKept(plane: TestControlPlane, resource: GroupResource, namespace: string, name: string) {
  const other = claim("marker");
  await plane.make(persistentVolumeClaims, other);
  await plane.client.delete(persistentVolumeClaims, "a", "marker");
  await assertGone(plane, persistentVolumeClaims, "a", "marker");
  assert.ok(metaOf((await plane.client.get(resource, namespace, name)) ?? {}).deletionTimestamp);
}

test("a claim that nobody uses goes when it is deleted", async () => {
  await using plane = await open();
  await plane.make(persistentVolumeClaims, claim("c"));
  await plane.make(pods, pod("unscheduled", usedClaim, ""));
  await plane.client.delete(persistentVolumeClaims, "a", "c");
  await assertGone(plane, persistentVolumeClaims, "a", "c");
  assert.deepEqual(plane.errors, []);
});

test("a claim stays while a pod on a node uses it", async () => {
  await using plane = await open();
  await plane.make(persistentVolumeClaims, claim("c"));
  await plane.make(pods, pod("user", usedClaim));
  await plane.client.delete(persistentVolumeClaims, "a", "c");
  await assertKept(plane, persistentVolumeClaims, "a", "c");
  await plane.client.delete(pods, "a", "user", { gracePeriodSeconds: 0 });
  await assertGone(plane, persistentVolumeClaims, "a", "c");
  assert.deepEqual(plane.errors, []);
});

test("a claim that was made for a pod stays until the pod is shut down", async () => {
  await using plane = await open();
  const volume = { ephemeral: { volumeClaimTemplate: { spec: claim("x")["spec"] as JsonObject } } };
  const held = pod("p", volume);
  metaOf(held).finalizers = ["example.com/held"];
  const uid = await plane.make(pods, held);
  const ownerReferences = [{ apiVersion: "v1", kind: "Pod", name: "p", uid, controller: true }];
  await plane.make(persistentVolumeClaims, claim("p-v", { ownerReferences }));
  await plane.client.delete(persistentVolumeClaims, "a", "p-v");
  await assertKept(plane, persistentVolumeClaims, "a", "p-v");
  await plane.client.delete(pods, "a", "p", { gracePeriodSeconds: 0 });
  await assertGone(plane, persistentVolumeClaims, "a", "p-v");
});

test("a volume stays while it is bound", async () => {
  await using plane = await open();
  const spec = { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, hostPath: { path: "/x" } };
  for (const name of ["bound", "free"]) {
    await plane.make(persistentVolumes, { kind: "PersistentVolume", apiVersion: "v1", metadata: { name }, spec });
  }
  const setPhase = (phase: string) =>
    plane.client.update(persistentVolumes, { namespace: "", name: "bound", subresource: "status" }, (volume) => {
      ownObject(volume, "status")["phase"] = phase;
      return volume;
    });
  await setPhase("Bound");
  await plane.client.delete(persistentVolumes, "", "bound");
  await plane.client.delete(persistentVolumes, "", "free");
  await assertGone(plane, persistentVolumes, "", "free");
  assert.ok(await plane.client.get(persistentVolumes, "", "bound"));
  await setPhase("Released");
  await assertGone(plane, persistentVolumes, "", "bound");
});

test("what was there before is protected, where new objects are", async () => {
  await using plane = await open();
  const bare = claim("c");
  await plane.make(persistentVolumeClaims, bare);
  await plane.client.update(persistentVolumeClaims, { namespace: "a", name: "c" }, (current) => {
    delete metaOf(current).finalizers;
    return current;
  });
  await eventually(async () => {
    const found = await plane.client.get(persistentVolumeClaims, "a", "c");
    assert.deepEqual(metaOf(found ?? {}).finalizers, ["kubernetes.io/pvc-protection"]);
  });
  await using other = await open(false);
  await other.make(persistentVolumeClaims, claim("c"));
  await other.client.delete(persistentVolumeClaims, "a", "c");
  assert.equal(await other.client.get(persistentVolumeClaims, "a", "c"), undefined);
});
