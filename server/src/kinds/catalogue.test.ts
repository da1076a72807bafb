import assert from "node:assert/strict";
import { test } from "node:test";
import { Catalogue, LiveCatalogue } from "@gatehouse/apiserver/registry";
import { openTestControlPlane } from "../control-plane.test.support.js";

test("a resource is found by its path, by what its objects say of themselves, and in the version that is stored", async () => {
  await using plane = await openTestControlPlane();
  const catalogue = plane.catalogues.current;
  assert.equal(catalogue.find("autoscaling", "v1", "horizontalpodautoscalers")?.apiVersion, "autoscaling/v1");
  assert.equal(catalogue.findKind("apps/v1", "Deployment")?.resource, "deployments");
  assert.equal(catalogue.findKind("v1", "Event")?.group, "");
  assert.equal(catalogue.findAnyVersion("autoscaling", "horizontalpodautoscalers")?.version, "v2");
  assert.equal(catalogue.findAnyVersion("events.k8s.io", "events")?.converts, true);
  assert.equal(catalogue.find("apps", "v1beta1", "deployments"), undefined);
  assert.equal(catalogue.find("", "__proto__", "constructor"), undefined);
  assert.equal(catalogue.servesGroup("apps"), true);
  assert.equal(catalogue.servesGroup("stable.example.com"), false);
});

test("what several versions share is stored once", async () => {
  await using plane = await openTestControlPlane();
  const stored = [...plane.catalogues.current.stored()];
  assert.equal(new Set(stored.map(({ storage }) => storage)).size, stored.length);
  const events = stored.filter(({ resource }) => resource === "events");
  assert.deepEqual(
    events.map(({ group }) => group),
    [""],
  );
});

test("a swapped catalogue leaves the one before as it was, and tells who asked", async () => {
  await using plane = await openTestControlPlane();
  const before = plane.catalogues.current;
  const live = new LiveCatalogue(before);
  const told: string[] = [];
  const listening = live.onChange((current, previous) => {
    told.push(`${previous.servesGroup("apps")} -> ${current.servesGroup("apps")}`);
  });
  live.replace(new Catalogue(before.all().filter(({ group }) => group !== "apps")));
  assert.equal(before.find("apps", "v1", "deployments")?.resource, "deployments");
  assert.equal(live.current.find("apps", "v1", "deployments"), undefined);
  listening[Symbol.dispose]();
  live.replace(before);
  assert.deepEqual(told, ["true -> false"]);
});
