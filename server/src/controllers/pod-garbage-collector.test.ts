import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { PodTermination } from "@gatehouse/apiserver/verbs";
import { listAt, textAt } from "@gatehouse/envelopes/json";
import { eventually } from "@gatehouse/testing/eventually";
import { openTestControlPlane, type TestControlPlane } from "../control-plane.test.support.js";
import { nodes, pods } from "./core-resources.js";
import { podGarbageCollector } from "./pod-garbage-collector.js";

/** Milliseconds long enough for the steps of the tests on a shared machine. */
const quarantineMs = 1500;

async function open(podTermination: PodTermination = "graceful"): Promise<TestControlPlane> {
  const plane = await openTestControlPlane();
  const { client, errors } = plane;
  await plane.makeNamespace("a");
  await plane.make(nodes, { kind: "Node", apiVersion: "v1", metadata: { name: "here" } });
  plane.start(
    podGarbageCollector({
      client,
      now: Date.now,
      podTermination,
      quarantineMs,
      onError: (error) => errors.push(error),
    }),
  );
  return plane;
}

function pod(
  name: string,
  nodeName?: string,
  more: { finalizers?: string[]; annotations?: Record<string, string> } = {},
) {
  const spec = { containers: [{ name: "c", image: "i" }], ...(nodeName === undefined ? {} : { nodeName }) };
  return { kind: "Pod", apiVersion: "v1", metadata: { namespace: "a", name, ...more }, spec };
}

test("pods on a node that does not exist are deleted after the quarantine; others are not", async () => {
  await using plane = await open();
  const { client, errors } = plane;
  const before = performance.now();
  await plane.make(pods, pod("stray", "nowhere"));
  await plane.make(pods, pod("fine", "here"));
  await plane.make(pods, pod("pending"));
  await plane.make(pods, pod("odd", "here", { annotations: { nodeName: "nowhere" } }));
  await eventually(async () => assert.equal(await client.get(pods, "a", "stray"), undefined));
  assert.ok(performance.now() - before >= quarantineMs);
  assert.deepEqual(
    (await client.list(pods, "a")).map(({ name }) => name),
    ["fine", "odd", "pending"],
  );
  assert.deepEqual(errors, []);
});

test("when a node goes, its pods go, too; when it comes back in time, they stay", async () => {
  await using plane = await open();
  const { client } = plane;
  await plane.make(nodes, { kind: "Node", apiVersion: "v1", metadata: { name: "brief" } });
  await plane.make(pods, pod("one", "here"));
  await plane.make(pods, pod("two", "brief"));
  await client.catchUp();
  const leaving = performance.now();
  await client.delete(nodes, "", "brief");
  await client.delete(nodes, "", "here");
  await plane.make(nodes, { kind: "Node", apiVersion: "v1", metadata: { name: "brief" } });
  const cameBackInTime = performance.now() - leaving < quarantineMs;
  await eventually(async () => assert.equal(await client.get(pods, "a", "one"), undefined));
  await wait(quarantineMs);
  // A disk that stalls may take longer for the three writes.
  assert.ok(!cameBackInTime || (await client.get(pods, "a", "two")) !== undefined);
});

test("a lost pod that a finalizer holds is marked as failed, and why", async () => {
  await using plane = await open();
  const { client } = plane;
  await plane.make(pods, pod("held", "nowhere", { finalizers: ["example.com/x"] }));
  await eventually(async () => {
    const held = (await client.get(pods, "a", "held")) ?? assert.fail();
    assert.equal(textAt(held, "status", "phase"), "Failed");
    assert.equal(metaOf(held).deletionGracePeriodSeconds, 0);
    const [condition] = listAt(held, "status", "conditions");
    assert.equal(textAt(condition, "type"), "DisruptionTarget");
    assert.equal(textAt(condition, "status"), "True");
    assert.equal(textAt(condition, "reason"), "DeletionByPodGC");
    assert.equal(textAt(condition, "message"), "PodGC: node no longer exists");
  });
});

test("a terminating pod on no node is marked as failed when only a finalizer holds it", async () => {
  await using plane = await open();
  const { client } = plane;
  await plane.make(pods, pod("held", undefined, { finalizers: ["example.com/x"] }));
  await client.delete(pods, "a", "held");
  await eventually(async () => assert.equal(textAt(await client.get(pods, "a", "held"), "status", "phase"), "Failed"));
});

test("a pod that was left waiting for its kubelet is deleted where pods are to go at once, and stays otherwise", async () => {
  const terminate = async ({ client, make }: TestControlPlane): Promise<void> => {
    await make(pods, pod("left", "here"));
    await client.delete(pods, "a", "left");
    await make(pods, pod("unscheduled"));
    await client.delete(pods, "a", "unscheduled");
  };
  await using immediate = await open("immediate");
  await terminate(immediate);
  await eventually(async () => assert.equal(await immediate.client.get(pods, "a", "left"), undefined));
  await using graceful = await open("graceful");
  await terminate(graceful);
  await eventually(async () => assert.equal(await graceful.client.get(pods, "a", "unscheduled"), undefined));
  assert.equal(metaOf((await graceful.client.get(pods, "a", "left")) ?? {}).deletionGracePeriodSeconds, 30);
});

test("a terminating pod on a node that is out of service and not ready is marked as failed and deleted, before or after the node is", async () => {
  await using plane = await open();
  const { client, errors } = plane;
  const report = (name: string, status: string) =>
    client.update(nodes, { namespace: "", name, subresource: "status" }, (node) => ({
      ...node,
      status: { conditions: [{ type: "Ready", status, reason: "R", message: "m" }] },
    }));
  const taint = (name: string) =>
    client.update(nodes, { namespace: "", name }, (node) => ({
      ...node,
      spec: { taints: [{ key: "node.kubernetes.io/out-of-service", effect: "NoExecute" }] },
    }));
  for (const name of ["ready", "down"]) {
    await plane.make(nodes, { kind: "Node", apiVersion: "v1", metadata: { name } });
    await report(name, name === "ready" ? "True" : "False");
  }
  await plane.make(pods, pod("on-ready", "ready"));
  await plane.make(pods, pod("before", "down", { finalizers: ["example.com/x"] }));
  await plane.make(pods, pod("after", "down", { finalizers: ["example.com/x"] }));
  await plane.make(pods, pod("alive", "down"));
  for (const name of ["on-ready", "before"]) {
    await client.delete(pods, "a", name);
  }
  await taint("ready");
  await taint("down");
  const isGivenUp = async (name: string): Promise<void> => {
    const found = (await client.get(pods, "a", name)) ?? assert.fail();
    assert.equal(textAt(found, "status", "phase"), "Failed");
    assert.deepEqual(listAt(found, "status", "conditions"), []);
    assert.equal(metaOf(found).deletionGracePeriodSeconds, 0);
  };
  await eventually(() => isGivenUp("before"));
  await client.delete(pods, "a", "after");
  await eventually(() => isGivenUp("after"));
  assert.equal(metaOf((await client.get(pods, "a", "on-ready")) ?? {}).deletionGracePeriodSeconds, 30);
  assert.equal(metaOf((await client.get(pods, "a", "alive")) ?? {}).deletionTimestamp, undefined);
  assert.deepEqual(errors, []);
});
