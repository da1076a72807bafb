import assert from "node:assert/strict";
import { test } from "node:test";
import { untilAborted } from "@gatehouse/apiserver/client";
import { ownObject } from "@gatehouse/envelopes/json";
import { eventually } from "@gatehouse/testing/eventually";
import { openTestControlPlane, type TestControlPlane } from "../../control-plane.test.support.js";
import { runningWhile } from "./condition.js";
import { withoutControllerManager } from "./controller-manager-lease.js";
import { leases } from "./leases.js";

/** A control plane and what a controller in it does: whether it works now, and how often it has begun to. */
async function open(): Promise<{ plane: TestControlPlane; state: { works: boolean; starts: number } }> {
  const plane = await openTestControlPlane();
  await plane.makeNamespace("kube-system");
  await plane.makeNamespace("other");
  return { plane, state: { works: false, starts: 0 } };
}

function start(
  { client, signal, errors, start: run }: TestControlPlane,
  state: { works: boolean; starts: number },
): void {
  run(
    runningWhile(withoutControllerManager({ client, signal, onError: (error) => errors.push(error) }), {
      name: "garbage-collector-controller",
      async run(turn) {
        state.works = true;
        state.starts++;
        await untilAborted(turn);
        state.works = false;
      },
    }),
  );
}

async function makeLease(plane: TestControlPlane, namespace: string, leaseDurationSeconds: number): Promise<void> {
  const metadata = { namespace, name: "kube-controller-manager" };
  const spec = { holderIdentity: "somebody", leaseDurationSeconds };
  await plane.make(leases, { kind: "Lease", apiVersion: "coordination.k8s.io/v1", metadata, spec });
}

test("a controller rests while a controller manager holds its lease, and works again when it is given back", async () => {
  const { plane, state } = await open();
  await using _plane = plane;
  start(plane, state);
  await eventually(async () => assert.deepEqual(state, { works: true, starts: 1 }));
  await makeLease(plane, "other", 60);
  await makeLease(plane, "kube-system", 60);
  await eventually(async () => assert.deepEqual(state, { works: false, starts: 1 }));
  const target = { namespace: "kube-system", name: "kube-controller-manager" };
  await plane.client.update(leases, target, (lease) => {
    ownObject(lease, "spec")["holderIdentity"] = "";
    return lease;
  });
  await eventually(async () => assert.deepEqual(state, { works: true, starts: 2 }));
  assert.deepEqual(plane.errors, []);
});

test("a controller does not begin while the lease is held, but when it has run out", async () => {
  const { plane, state } = await open();
  await using _plane = plane;
  await makeLease(plane, "kube-system", 1);
  start(plane, state);
  await plane.client.catchUp();
  assert.deepEqual(state, { works: false, starts: 0 });
  await eventually(async () => assert.deepEqual(state, { works: true, starts: 1 }));
});
