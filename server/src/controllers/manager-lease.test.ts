import assert from "node:assert/strict";
import { test } from "node:test";
import { besideManager } from "./beside-manager.js";
import { eventually, openTestControlPlane, type TestControlPlane } from "./control-plane.test.support.js";
import { ManagerLease } from "./manager-lease.js";
import { untilAborted } from "./reconcile.js";

const leases = { group: "coordination.k8s.io", resource: "leases" };
const target = { namespace: "kube-system", name: "kube-controller-manager" };

async function open(plane: TestControlPlane): Promise<{ readonly shifts: string[] }> {
  const shifts: string[] = [];
  const lease = new ManagerLease();
  const onError = (error: unknown): void => void plane.errors.push(error);
  await lease.follow(plane.client, { now: Date.now, onError, signal: plane.signal });
  const controller = {
    name: "garbage-collector-controller",
    async run(signal: AbortSignal) {
      shifts.push("begins");
      await untilAborted(signal);
      shifts.push("ends");
    },
  } as const;
  plane.start(besideManager(controller, lease));
  return { shifts };
}

function leaseOf(holderIdentity: string, leaseDurationSeconds: number, renewTime: string) {
  return {
    kind: "Lease",
    apiVersion: "coordination.k8s.io/v1",
    metadata: { ...target },
    spec: { holderIdentity, leaseDurationSeconds, renewTime },
  };
}

test("a controller rests while a controller manager holds its lease, and works when it is let go or runs out", async () => {
  await using plane = await openTestControlPlane();
  await plane.makeNamespace("kube-system");
  const { shifts } = await open(plane);
  await eventually(() => assert.deepEqual(shifts, ["begins"]));
  await plane.make(leases, leaseOf("somebody", 3600, "2024-01-01T00:00:00.000000Z"));
  await eventually(() => assert.deepEqual(shifts, ["begins", "ends"]));
  await plane.client.update(leases, target, (lease) => ({ ...lease, spec: { holderIdentity: "" } }));
  await eventually(() => assert.deepEqual(shifts, ["begins", "ends", "begins"]));
  await plane.client.update(leases, target, (lease) => ({
    ...lease,
    spec: { holderIdentity: "somebody", leaseDurationSeconds: 1 },
  }));
  await eventually(() => assert.deepEqual(shifts, ["begins", "ends", "begins", "ends"]));
  await eventually(() => assert.deepEqual(shifts, ["begins", "ends", "begins", "ends", "begins"]));
  assert.deepEqual(plane.errors, []);
});

test("a lease from long ago holds nobody up, one that is renewed does", async () => {
  await using plane = await openTestControlPlane();
  await plane.makeNamespace("kube-system");
  await plane.make(leases, leaseOf("somebody", 15, "2024-01-01T00:00:00.000000Z"));
  const { shifts } = await open(plane);
  await eventually(() => assert.deepEqual(shifts, ["begins"]));
  await plane.client.update(leases, target, (lease) => ({
    ...lease,
    spec: { holderIdentity: "somebody", leaseDurationSeconds: 3600, renewTime: "2024-01-01T00:00:02.000000Z" },
  }));
  await eventually(() => assert.deepEqual(shifts, ["begins", "ends"]));
});
