import assert from "node:assert/strict";
import { test } from "node:test";
import { LiveRegistry, ResourceRegistry } from "@gatehouse/apiserver/registry";
import { openTestControlPlane } from "../control-plane.test.support.js";

test("a resource is found by its path, by what its objects say of themselves, and in the version that is stored", async () => {
  await using plane = await openTestControlPlane();
  const registry = plane.liveRegistry.current;
  assert.equal(registry.find("autoscaling", "v1", "horizontalpodautoscalers")?.apiVersion, "autoscaling/v1");
  assert.equal(registry.findKind("apps/v1", "Deployment")?.resource, "deployments");
  assert.equal(registry.findKind("v1", "Event")?.group, "");
  assert.equal(registry.findAnyVersion("autoscaling", "horizontalpodautoscalers")?.version, "v2");
  assert.equal(registry.findAnyVersion("events.k8s.io", "events")?.form.converts, true);
  assert.equal(registry.findPreferred("autoscaling", "horizontalpodautoscalers")?.version, "v2");
  assert.equal(registry.findPreferred("apps", "nothing"), undefined);
  assert.equal(registry.find("apps", "v1beta1", "deployments"), undefined);
  assert.equal(registry.find("", "__proto__", "constructor"), undefined);
  assert.equal(registry.servesGroup("apps"), true);
  assert.equal(registry.servesGroup("stable.example.com"), false);
});

test("what several versions share is stored once", async () => {
  await using plane = await openTestControlPlane();
  const stored = [...plane.liveRegistry.current.stored()];
  assert.equal(new Set(stored.map(({ storage }) => storage)).size, stored.length);
  const events = stored.filter(({ resource }) => resource === "events");
  assert.deepEqual(
    events.map(({ group }) => group),
    [""],
  );
});

test("a swapped registry leaves the one before as it was, and tells who asked", async () => {
  await using plane = await openTestControlPlane();
  const before = plane.liveRegistry.current;
  const live = new LiveRegistry(before);
  const told: string[] = [];
  const listening = live.onChange((current, previous) => {
    told.push(`${previous.servesGroup("apps")} -> ${current.servesGroup("apps")}`);
  });
  live.replace(new ResourceRegistry(before.all().filter(({ group }) => group !== "apps")));
  assert.equal(before.find("apps", "v1", "deployments")?.resource, "deployments");
  assert.equal(live.current.find("apps", "v1", "deployments"), undefined);
  listening[Symbol.dispose]();
  live.replace(before);
  assert.deepEqual(told, ["true -> false"]);
});
