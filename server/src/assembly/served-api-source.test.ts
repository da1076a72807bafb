import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultFeatureGates, parseRuntimeConfig } from "@gatehouse/apiserver/options";
import { ResourceRegistry } from "@gatehouse/apiserver/registry";
import { servedApiSource } from "@gatehouse/apiserver/server";
import { openTestControlPlane } from "../control-plane.test.support.js";
import { apiGroups } from "./api-groups.js";

const groups = apiGroups({
  featureGates: defaultFeatureGates(),
  runtimeConfig: parseRuntimeConfig(new Map(), new Map()).config,
});

test("what is told follows what is served, and what did not change stays the same value", async () => {
  await using plane = await openTestControlPlane();
  const { liveRegistry } = plane;
  const servedApi = servedApiSource(liveRegistry, groups, () => "127.0.0.1:6443");
  const before = servedApi();
  assert.equal(servedApi(), before);
  const whole = liveRegistry.current;
  liveRegistry.replace(new ResourceRegistry(whole.all().filter(({ resource }) => resource !== "cronjobs")));
  const after = servedApi();
  assert.notEqual(after, before);
  const versionOf = (api: typeof before, name: string) => api.groups.find((group) => group.name === name)?.versions[0];
  assert.equal(versionOf(after, "apps"), versionOf(before, "apps"));
  assert.deepEqual(
    versionOf(after, "batch")?.resources.map(({ resource }) => resource),
    ["jobs"],
  );
  liveRegistry.replace(new ResourceRegistry(whole.all().filter(({ group }) => group !== "batch")));
  assert.equal(
    servedApi().groups.some(({ name }) => name === "batch"),
    false,
  );
});

test("which deletions are described as answering with the object is as in v1.29's documents: not those of namespaces", async () => {
  await using plane = await openTestControlPlane();
  const core = servedApiSource(plane.liveRegistry, groups, () => "127.0.0.1:6443")().groups.find(
    ({ name }) => name === "",
  );
  const described = (name: string) => core?.versions[0]?.resources.find(({ resource }) => resource === name);
  assert.deepEqual(
    ["namespaces", "pods", "configmaps"].map((name) => described(name)?.returnsDeletedObject),
    [false, true, false],
  );
});
