import assert from "node:assert/strict";
import { test } from "node:test";
import { askPlugin, objectsInMemory, type PluginAnswer } from "@gatehouse/apiserver/admission/testing";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { runtimeClass } from "./runtime-class.js";

const costly = {
  metadata: { name: "costly" },
  overhead: { podFixed: { cpu: "100m" } },
  scheduling: { nodeSelector: { a: "1" }, tolerations: [{ key: "x", operator: "Exists" }] },
};

function ask(spec: JsonObject): Promise<PluginAnswer> {
  const plugin = runtimeClass({ objects: objectsInMemory({ "node.k8s.io/runtimeclasses": [costly] }) });
  return askPlugin(plugin, { resource: "pods", kind: "Pod", object: { metadata: { name: "p" }, spec } });
}

test("a pod gets overhead, node labels and tolerations of its class", async () => {
  const { object, refusal } = await ask({
    runtimeClassName: "costly",
    overhead: { cpu: "0.1" },
    nodeSelector: { b: "2" },
  });
  assert.equal(refusal, undefined);
  assert.deepEqual(object?.["spec"], {
    runtimeClassName: "costly",
    overhead: { cpu: "100m" },
    nodeSelector: { b: "2", a: "1" },
    tolerations: [{ key: "x", operator: "Exists" }],
  });
});

for (const [name, spec, detail] of [
  ["a class that is not there", { runtimeClassName: "x" }, 'pod rejected: RuntimeClass "x" not found'],
  [
    "another overhead",
    { runtimeClassName: "costly", overhead: { cpu: "1" } },
    "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
  ],
  [
    "an overhead without a class",
    { overhead: { cpu: "1" } },
    "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead",
  ],
  [
    "other node labels",
    { runtimeClassName: "costly", nodeSelector: { a: "2" } },
    "conflict: runtimeClass.scheduling.nodeSelector[a] = 1; pod.spec.nodeSelector[a] = 2",
  ],
] as const) {
  test(`a pod with ${name} is refused`, async () => {
    assert.deepEqual((await ask(structuredClone(spec) as JsonObject)).refusal, [
      403,
      `pods "p" is forbidden: ${detail}`,
    ]);
  });
}
