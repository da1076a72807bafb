import assert from "node:assert/strict";
import { test } from "node:test";
import { askPlugin, objectsInMemory, type PluginAnswer } from "@gatehouse/apiserver/admission/testing";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { priority } from "./priority.js";

function priorityClass(name: string, more: JsonObject): JsonObject {
  return { metadata: { name }, ...more };
}

const high = priorityClass("high", { value: 9, preemptionPolicy: "Never" });

async function ask(classes: readonly JsonObject[], spec: JsonObject): Promise<PluginAnswer> {
  const plugin = priority({ objects: objectsInMemory({ "scheduling.k8s.io/priorityclasses": classes }) });
  return askPlugin(plugin, { resource: "pods", kind: "Pod", object: { metadata: { name: "p" }, spec } });
}

test("a pod gets the numbers of its class, of the default one, or of none", async () => {
  const named = await ask([high], { priorityClassName: "high" });
  assert.deepEqual(named.object?.["spec"], { priorityClassName: "high", priority: 9, preemptionPolicy: "Never" });
  const lower = priorityClass("b", { value: 1, globalDefault: true });
  const higher = priorityClass("a", { value: 2, globalDefault: true });
  const byDefault = await ask([higher, lower], {});
  assert.deepEqual(byDefault.object?.["spec"], { priorityClassName: "b", priority: 1 });
  const bare = await ask([high], {});
  assert.deepEqual(bare.object?.["spec"], { priority: 0, preemptionPolicy: "PreemptLowerPriority" });
});

test("a pod that names no class there is, or other numbers, is refused", async () => {
  assert.deepEqual((await ask([], { priorityClassName: "x" })).refusal, [
    403,
    'pods "p" is forbidden: no PriorityClass with name x was found',
  ]);
  assert.deepEqual((await ask([high], { priorityClassName: "high", priority: 8 })).refusal, [
    403,
    'pods "p" is forbidden: the integer value of priority (8) must not be provided in pod spec; priority admission controller computed 9 from the given PriorityClass name',
  ]);
});

test("numbers that a client leaves out of an update stay", async () => {
  const old = { spec: { priority: 9, preemptionPolicy: "Never" } };
  const plugin = priority({ objects: objectsInMemory({}) });
  const write = { resource: "pods", kind: "Pod", operation: "UPDATE", object: { spec: {} }, oldObject: old } as const;
  assert.deepEqual((await askPlugin(plugin, write)).object, old);
});

test("only one class is the default", async () => {
  const first = priorityClass("a", { value: 1, globalDefault: true });
  const plugin = priority({ objects: objectsInMemory({ "scheduling.k8s.io/priorityclasses": [first] }) });
  const write = { group: "scheduling.k8s.io", resource: "priorityclasses", kind: "PriorityClass", namespace: "" };
  const second = await askPlugin(plugin, { ...write, object: priorityClass("b", { value: 2, globalDefault: true }) });
  assert.deepEqual(second.refusal, [
    403,
    'priorityclasses.scheduling.k8s.io "b" is forbidden: PriorityClass a is already marked as default. Only one default can exist',
  ]);
  const same = await askPlugin(plugin, { ...write, operation: "UPDATE", object: first, oldObject: first });
  assert.equal(same.refusal, undefined);
});
