import assert from "node:assert/strict";
import { test } from "node:test";
import { type JsonObject, listAt, objectAt, ownObject, textAt } from "@gatehouse/envelopes/json";
import { eventually } from "@gatehouse/testing/eventually";
import { openTestControlPlane, type TestControlPlane } from "../../control-plane.test.support.js";
import { events, podDisruptionBudgets, pods } from "../core-resources.js";
import { disruption } from "./disruption.js";

const deployments = { group: "apps", resource: "deployments" };
const replicaSets = { group: "apps", resource: "replicasets" };
const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const selector = { matchLabels: { app: "web" } };

async function open(now: () => number = Date.now): Promise<TestControlPlane> {
  const plane = await openTestControlPlane();
  await plane.makeNamespace("a");
  const { features } = plane.environment;
  plane.start(disruption({ client: plane.client, now, features, onError: (error) => plane.errors.push(error) }));
  return plane;
}

function pod(name: string, owner?: JsonObject): JsonObject {
  const metadata: JsonObject = { namespace: "a", name, labels: { app: "web" } };
  if (owner !== undefined) {
    metadata["ownerReferences"] = [{ ...owner, controller: true }];
  }
  return { kind: "Pod", apiVersion: "v1", metadata, spec: template.spec };
}

function budget(spec: JsonObject): JsonObject {
  const metadata = { namespace: "a", name: "b" };
  return { kind: "PodDisruptionBudget", apiVersion: "policy/v1", metadata, spec: { selector, ...spec } };
}

async function makeReady(plane: TestControlPlane, name: string): Promise<void> {
  await plane.client.update(pods, { namespace: "a", name, subresource: "status" }, (current) => {
    ownObject(current, "status")["conditions"] = [{ type: "Ready", status: "True" }];
    return current;
  });
}

/** Asserts the status of the budget without times, as soon as it is the expected one. */
async function assertStatus(plane: TestControlPlane, expected: JsonObject): Promise<void> {
  await eventually(async () => {
    const { conditions, ...status } = objectAt(await plane.client.get(podDisruptionBudgets, "a", "b"), "status");
    const [condition] = (conditions ?? []) as JsonObject[];
    const { lastTransitionTime: _time, ...rest } = condition ?? {};
    assert.deepEqual({ ...status, condition: rest }, expected);
  });
}

/** Returns the fields of the budget's status that the controller manages. */
async function managedStatus(plane: TestControlPlane): Promise<JsonObject> {
  const managed = listAt(await plane.client.get(podDisruptionBudgets, "a", "b"), "metadata", "managedFields");
  const ofStatus = managed.find((fields) => textAt(fields, "subresource") === "status");
  return objectAt(ofStatus, "fieldsV1", "f:status");
}

function allowed(observedGeneration: number, isAllowed: boolean): JsonObject {
  return {
    type: "DisruptionAllowed",
    status: isAllowed ? "True" : "False",
    observedGeneration,
    reason: isAllowed ? "SufficientPods" : "InsufficientPods",
    message: "",
  };
}

test("a budget counts the pods that it selects, and allows what is beyond the number it wants", async () => {
  await using plane = await open();
  await plane.make(podDisruptionBudgets, budget({ minAvailable: 1 }));
  await assertStatus(plane, {
    observedGeneration: 1,
    disruptionsAllowed: 0,
    currentHealthy: 0,
    desiredHealthy: 1,
    expectedPods: 0,
    condition: allowed(1, false),
  });
  await plane.make(pods, pod("one"));
  await plane.make(pods, pod("two"));
  await plane.make(pods, { ...pod("other"), metadata: { namespace: "a", name: "other" } });
  await makeReady(plane, "one");
  await makeReady(plane, "two");
  await assertStatus(plane, {
    observedGeneration: 1,
    disruptionsAllowed: 1,
    currentHealthy: 2,
    desiredHealthy: 1,
    expectedPods: 2,
    condition: allowed(1, true),
  });
  await plane.client.delete(pods, "a", "one", { gracePeriodSeconds: 0 });
  await assertStatus(plane, {
    observedGeneration: 1,
    disruptionsAllowed: 0,
    currentHealthy: 1,
    desiredHealthy: 1,
    expectedPods: 1,
    condition: allowed(1, false),
  });
  assert.deepEqual(plane.errors, []);
});

test("a share is one of the replicas that the Deployment behind the pods wants", async () => {
  await using plane = await open();
  const deploymentUid = await plane.make(deployments, {
    kind: "Deployment",
    apiVersion: "apps/v1",
    metadata: { namespace: "a", name: "web" },
    spec: { replicas: 4, selector, template },
  });
  const deployment = { apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: deploymentUid, controller: true };
  const setUid = await plane.make(replicaSets, {
    kind: "ReplicaSet",
    apiVersion: "apps/v1",
    metadata: { namespace: "a", name: "web-1", ownerReferences: [deployment] },
    spec: { replicas: 3, selector, template },
  });
  const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-1", uid: setUid };
  for (const name of ["one", "two", "three"]) {
    await plane.make(pods, pod(name, owner));
    await makeReady(plane, name);
  }
  await plane.make(podDisruptionBudgets, budget({ maxUnavailable: "50%" }));
  await assertStatus(plane, {
    observedGeneration: 1,
    disruptionsAllowed: 1,
    currentHealthy: 3,
    desiredHealthy: 2,
    expectedPods: 4,
    condition: allowed(1, true),
  });
});

test("a budget of pods whose controller does not exist allows nothing and says why", async () => {
  await using plane = await open();
  await plane.make(pods, pod("one", { apiVersion: "apps/v1", kind: "ReplicaSet", name: "gone", uid: "1" }));
  await plane.make(podDisruptionBudgets, budget({ maxUnavailable: 1 }));
  await assertStatus(plane, {
    disruptionsAllowed: 0,
    currentHealthy: 0,
    desiredHealthy: 0,
    expectedPods: 0,
    condition: {
      type: "DisruptionAllowed",
      status: "False",
      reason: "SyncFailed",
      message: 'found no controllers for pod "one"',
    },
  });
});

test("a budget that was never reckoned fails without a generation that it has observed", async () => {
  await using plane = await open();
  await plane.make(pods, pod("one", { apiVersion: "apps/v1", kind: "ReplicaSet", name: "gone", uid: "1" }));
  await plane.make(podDisruptionBudgets, budget({ maxUnavailable: 1 }));
  await eventually(async () => {
    const owned = objectAt(await managedStatus(plane), "f:conditions", 'k:{"type":"DisruptionAllowed"}');
    const members = [".", "f:lastTransitionTime", "f:message", "f:reason", "f:status", "f:type"];
    assert.deepEqual(Object.keys(owned).toSorted(), members);
  });
});

test("a budget whose pods have a controller of a kind without a scale says so, also when that does not exist", async () => {
  await using plane = await open();
  await plane.make(pods, pod("one", { apiVersion: "batch/v1", kind: "Job", name: "gone", uid: "1" }));
  await plane.make(podDisruptionBudgets, budget({ maxUnavailable: 1 }));
  await assertStatus(plane, {
    disruptionsAllowed: 0,
    currentHealthy: 0,
    desiredHealthy: 0,
    expectedPods: 0,
    condition: {
      type: "DisruptionAllowed",
      status: "False",
      reason: "SyncFailed",
      message: "jobs.batch does not implement the scale subresource",
    },
  });
});

test("a ReplicaSet whose Deployment does not exist stands for itself", async () => {
  await using plane = await open();
  const above = { apiVersion: "apps/v1", kind: "Deployment", name: "gone", uid: "1", controller: true };
  const uid = await plane.make(replicaSets, {
    kind: "ReplicaSet",
    apiVersion: "apps/v1",
    metadata: { namespace: "a", name: "web-1", ownerReferences: [above] },
    spec: { replicas: 3, selector, template },
  });
  await plane.make(pods, pod("one", { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-1", uid }));
  await plane.make(podDisruptionBudgets, budget({ maxUnavailable: 1 }));
  await assertStatus(plane, {
    observedGeneration: 1,
    disruptionsAllowed: 0,
    currentHealthy: 0,
    desiredHealthy: 2,
    expectedPods: 3,
    condition: allowed(1, false),
  });
});

test("workloads are found whatever the version in the reference, and other kinds are not", async () => {
  await using plane = await open();
  const metadata = { namespace: "a", name: "web" };
  const spec = { replicas: 3, selector, template };
  const uid = await plane.make(replicaSets, { kind: "ReplicaSet", apiVersion: "apps/v1", metadata, spec });
  await plane.make(pods, pod("one", { apiVersion: "extensions/v1beta1", kind: "ReplicaSet", name: "web", uid }));
  await plane.make(podDisruptionBudgets, budget({ minAvailable: "50%" }));
  const rest = { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 0 };
  await assertStatus(plane, { ...rest, desiredHealthy: 2, expectedPods: 3, condition: allowed(1, false) });
  const other = await plane.make(deployments, { kind: "Deployment", apiVersion: "apps/v1", metadata, spec });
  await plane.make(pods, pod("two", { apiVersion: "apps/v9", kind: "Deployment", name: "web", uid: other }));
  await assertStatus(plane, {
    ...rest,
    desiredHealthy: 2,
    expectedPods: 3,
    condition: {
      ...allowed(1, false),
      reason: "SyncFailed",
      message: 'no matches for kind "Deployment" in version "apps/v9"',
    },
  });
});

test("a status without disrupted pods is written without them, so that nobody owns them", async () => {
  await using plane = await open();
  await plane.make(podDisruptionBudgets, budget({ minAvailable: 1 }));
  await eventually(async () => {
    assert.deepEqual(Object.keys(await managedStatus(plane)).toSorted(), [
      "f:conditions",
      "f:desiredHealthy",
      "f:observedGeneration",
    ]);
  });
});

test("a pod that was to be disrupted and is still there after two minutes is not the target of a disruption any more", async () => {
  let lateMs = 0;
  await using plane = await open(() => Date.now() + lateMs);
  const mark = (name: string, status: JsonObject): Promise<void> =>
    plane.client.update(pods, { namespace: "a", name, subresource: "status" }, (current) => {
      Object.assign(ownObject(current, "status"), status);
      return current;
    });
  const target = { type: "DisruptionTarget", status: "True", reason: "Test", message: "m", lastProbeTime: null };
  const [old, recent] = ["2024-01-01T00:00:00Z", `${new Date().toISOString().slice(0, 19)}Z`];
  const marks: Record<string, JsonObject> = {
    old: { phase: "Running", conditions: [{ ...target, lastTransitionTime: old }] },
    timeless: { phase: "Pending", conditions: [{ ...target, lastTransitionTime: null }] },
    recent: { phase: "Running", conditions: [{ ...target, lastTransitionTime: recent }] },
    ended: { phase: "Failed", conditions: [{ ...target, lastTransitionTime: old }] },
    unknown: { phase: "Running", conditions: [{ ...target, status: "Unknown", lastTransitionTime: old }] },
  };
  for (const [name, status] of Object.entries(marks)) {
    await plane.make(pods, pod(name));
    await mark(name, status);
  }
  const states = async (): Promise<JsonObject> => {
    const all = await plane.client.list(pods, "a");
    return Object.fromEntries(
      all.map(({ name, entry }) => {
        const { lastTransitionTime: _time, ...rest } = listAt(entry.object(), "status", "conditions")[0] as JsonObject;
        return [name, rest];
      }),
    );
  };
  const gone = { type: "DisruptionTarget", status: "False", lastProbeTime: null };
  const expected = {
    old: gone,
    timeless: gone,
    recent: target,
    ended: target,
    unknown: { ...target, status: "Unknown" },
  };
  await eventually(async () => assert.deepEqual(await states(), expected));
  lateMs = 125_000;
  await mark("recent", { message: "a change, at which the pod is looked at" });
  await eventually(async () => assert.deepEqual(await states(), { ...expected, recent: gone }));
  assert.deepEqual(plane.errors, []);
});

test("a pod whose eviction is allowed does not count, until two minutes later it is still there", async () => {
  let lateMs = 0;
  await using plane = await open(() => Date.now() + lateMs);
  await plane.make(pods, pod("one"));
  await makeReady(plane, "one");
  await plane.make(podDisruptionBudgets, budget({ minAvailable: 0 }));
  await eventually(async () => {
    const status = objectAt(await plane.client.get(podDisruptionBudgets, "a", "b"), "status");
    assert.equal(status["currentHealthy"], 1);
  });
  const time = `${new Date().toISOString().slice(0, 19)}Z`;
  await plane.client.update(podDisruptionBudgets, { namespace: "a", name: "b", subresource: "status" }, (current) => {
    ownObject(current, "status")["disruptedPods"] = { one: time, gone: time };
    return current;
  });
  const expected = { observedGeneration: 1, desiredHealthy: 0, expectedPods: 1 };
  await assertStatus(plane, {
    ...expected,
    disruptedPods: { one: time },
    disruptionsAllowed: 0,
    currentHealthy: 0,
    condition: allowed(1, false),
  });
  lateMs = 125_000;
  await makeReady(plane, "one");
  await plane.client.update(pods, { namespace: "a", name: "one" }, (current) => {
    ownObject(ownObject(current, "metadata"), "labels")["x"] = "y";
    return current;
  });
  await assertStatus(plane, {
    ...expected,
    disruptionsAllowed: 1,
    currentHealthy: 1,
    condition: allowed(1, true),
  });
});

test("a pod that is still there after its time is reported, with its namespace in the place of the budget, as in v1.29", async () => {
  await using plane = await open(() => Date.now() + 200_000);
  await plane.make(pods, pod("one"));
  await plane.make(podDisruptionBudgets, budget({ minAvailable: 0 }));
  const time = `${new Date().toISOString().slice(0, 19)}Z`;
  await plane.client.update(podDisruptionBudgets, { namespace: "a", name: "b", subresource: "status" }, (current) => {
    ownObject(current, "status")["disruptedPods"] = { one: time };
    return current;
  });
  await eventually(async () => {
    const [event] = (await plane.client.list(events, "a"))
      .map(({ entry }) => entry.object())
      .filter(({ reason }) => reason === "NotDeleted");
    assert.equal(event?.["message"], "Pod was expected by PDB a/a to be deleted but it wasn't");
    assert.equal(objectAt(event ?? {}, "involvedObject")["name"], "one");
  });
});
