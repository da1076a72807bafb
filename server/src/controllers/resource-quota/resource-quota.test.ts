import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { type JsonObject, objectAt, ownObject } from "@gatehouse/envelopes/json";
import { eventually } from "@gatehouse/testing/eventually";
import { resourceQuota as admitByQuota } from "../../admission-plugins/resource-quota/resource-quota.js";
import { openTestControlPlane, type TestControlPlane } from "../../control-plane.test.support.js";
import { configMaps, persistentVolumeClaims, pods, resourceQuotas, services } from "../core-resources.js";
import { resourceQuota } from "./resource-quota.js";

async function open(): Promise<TestControlPlane> {
  const plane = await openTestControlPlane({ plugins: [admitByQuota] });
  await plane.makeNamespace("a");
  await plane.makeNamespace("b");
  const { client, errors, pendingCharges } = plane;
  const { features } = plane.environment;
  plane.start(
    resourceQuota({ client, pendingCharges, now: Date.now, features, onError: (error) => errors.push(error) }),
  );
  return plane;
}

function object(kind: string, name: string, more: JsonObject, namespace = "a"): JsonObject {
  return { kind, apiVersion: "v1", metadata: { namespace, name }, ...more };
}

function pod(name: string, resources: JsonObject, more: JsonObject = {}): JsonObject {
  return object("Pod", name, { spec: { containers: [{ name: "c", image: "i", resources }], ...more } });
}

function quota(hard: JsonObject, more: JsonObject = {}): JsonObject {
  return object("ResourceQuota", "q", { spec: { hard, ...more } });
}

async function assertUsed(plane: TestControlPlane, used: JsonObject): Promise<void> {
  await eventually(async () => {
    const found = await plane.client.get(resourceQuotas, "a", "q");
    assert.deepEqual(objectAt(found, "status"), { hard: objectAt(found, "spec", "hard"), used });
  });
}

test("objects are counted as they come and go, those of other namespaces are not", async () => {
  await using plane = await open();
  await plane.make(configMaps, object("ConfigMap", "before", {}));
  await plane.make(resourceQuotas, quota({ configmaps: "5", "count/configmaps": "5", "count/deployments.apps": "2" }));
  await assertUsed(plane, { configmaps: "1", "count/configmaps": "1", "count/deployments.apps": "0" });
  await plane.make(configMaps, object("ConfigMap", "one", {}));
  await plane.make(configMaps, object("ConfigMap", "one", {}, "b"));
  await assertUsed(plane, { configmaps: "2", "count/configmaps": "2", "count/deployments.apps": "0" });
  await plane.client.delete(configMaps, "a", "before");
  await assertUsed(plane, { configmaps: "1", "count/configmaps": "1", "count/deployments.apps": "0" });
  assert.deepEqual(plane.errors, []);
});

test("pods use what all of their containers ask for, and nothing when they have ended", async () => {
  await using plane = await open();
  const hard = {
    pods: "9",
    "count/pods": "9",
    "requests.cpu": "9",
    cpu: "9",
    "limits.memory": "9Gi",
    "requests.x/y": "4",
  };
  await plane.make(resourceQuotas, quota(hard));
  // All say what the quota limits: it may be known by then.
  const limits = { memory: "1Gi" };
  const preparing = [{ name: "p", image: "i", resources: { requests: { cpu: "2" }, limits } }];
  const resources = { requests: { cpu: "250m", "x/y": "2" }, limits: { memory: "1Gi", "x/y": "2" } };
  await plane.make(pods, pod("one", resources, { initContainers: preparing }));
  await plane.make(pods, pod("two", { requests: { cpu: "500m" }, limits }));
  const used = { "count/pods": "2", pods: "2", cpu: "2500m", "limits.memory": "2Gi", "requests.cpu": "2500m" };
  await assertUsed(plane, { ...used, "requests.x/y": "2" });
  await plane.client.update(pods, { namespace: "a", name: "one", subresource: "status" }, (current) => {
    ownObject(current, "status")["phase"] = "Succeeded";
    return current;
  });
  const rest = { pods: "1", cpu: "500m", "limits.memory": "1Gi", "requests.cpu": "500m", "requests.x/y": "0" };
  await assertUsed(plane, { "count/pods": "2", ...rest });
});

test("a quota with scopes counts the pods in all of them only", async () => {
  await using plane = await open();
  await plane.make(resourceQuotas, quota({ pods: "9" }, { scopes: ["Terminating", "NotBestEffort"] }));
  await plane.make(pods, pod("best", {}, { activeDeadlineSeconds: 10 }));
  await plane.make(pods, pod("long", { requests: { cpu: "1" } }));
  await plane.make(pods, pod("short", { requests: { cpu: "1" } }, { activeDeadlineSeconds: 10 }));
  await assertUsed(plane, { pods: "1" });
});

test("services use node ports and load balancers, claims use storage, once more by class", async () => {
  await using plane = await open();
  const gold = "gold.storageclass.storage.k8s.io/requests.storage";
  const hard = { services: "9", "services.nodeports": "9", "services.loadbalancers": "9", "requests.storage": "9Ti" };
  await plane.make(resourceQuotas, quota({ ...hard, [gold]: "1Ti" }));
  const ports = [
    { name: "a", port: 1, nodePort: 30001 },
    { name: "b", port: 2, nodePort: 30002 },
  ];
  await plane.make(services, object("Service", "nodes", { spec: { type: "NodePort", ports } }));
  await plane.make(services, object("Service", "plain", { spec: { ports: [{ port: 1 }] } }));
  const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "5Gi" } } };
  await plane.make(persistentVolumeClaims, object("PersistentVolumeClaim", "one", { spec: claim }));
  const golden = { ...claim, storageClassName: "gold" };
  await plane.make(persistentVolumeClaims, object("PersistentVolumeClaim", "two", { spec: golden }));
  await assertUsed(plane, {
    [gold]: "5Gi",
    "requests.storage": "10Gi",
    services: "2",
    "services.loadbalancers": "0",
    "services.nodeports": "2",
  });
});

test("an amount that nobody knows is not told, and other limits are taken over", async () => {
  await using plane = await open();
  await plane.make(resourceQuotas, quota({ "count/things.example.com": "1", secrets: "3" }));
  await assertUsed(plane, { secrets: "0" });
  await plane.client.update(resourceQuotas, { namespace: "a", name: "q" }, (current) => {
    ownObject(current, "spec")["hard"] = { services: "1" };
    return current;
  });
  await assertUsed(plane, { services: "0" });
});

test("64 creates at a time never exceed a quota, whatever goes and is reckoned meanwhile", async () => {
  await using plane = await open();
  await plane.make(resourceQuotas, quota({ configmaps: "10" }));
  await assertUsed(plane, { configmaps: "0" });
  let made = 0;
  let round = 0;
  const exists = new Set<string>();
  for (; round < 5; round++) {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 64 }, (_, index) => {
        const name = `r${round}-${index}`;
        return plane.make(configMaps, object("ConfigMap", name, {})).then(() => exists.add(name));
      }),
    );
    made += outcomes.filter(({ status }) => status === "fulfilled").length;
    assert.ok(exists.size <= 10, `${exists.size} exist`);
    assert.equal((await plane.client.list(configMaps, "a")).length, exists.size);
    for (const name of [...exists].slice(0, 5)) {
      exists.delete(name);
      await plane.client.delete(configMaps, "a", name);
    }
    // Reckoned while the next round is under way, from time to time.
    await wait(round * 20);
  }
  assert.ok(made >= 10);
  await assertUsed(plane, { configmaps: String(exists.size) });
  assert.deepEqual(plane.errors, []);
});
