import assert from "node:assert/strict";
import { test } from "node:test";
import { askPlugin, objectsInMemory, type PluginAnswer } from "@gatehouse/apiserver/admission/testing";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { limitRanger } from "./limit-ranger.js";

function limitRange(...limits: JsonObject[]): JsonObject {
  return { metadata: { namespace: "n", name: "l" }, spec: { limits } };
}

function ask(range: JsonObject, resources: JsonObject): Promise<PluginAnswer> {
  const plugin = limitRanger({ objects: objectsInMemory({ limitranges: [range] }), now: Date.now });
  const object = { metadata: { name: "p" }, spec: { containers: [{ name: "c", resources }] } };
  return askPlugin(plugin, { resource: "pods", kind: "Pod", object });
}

test("containers get the defaults that they lack, and the pod an annotation that tells which", async () => {
  const defaults = { default: { cpu: "1", memory: "1Gi" }, defaultRequest: { cpu: "500m", memory: "1Gi" } };
  const { object } = await ask(limitRange({ type: "Container", ...defaults }), { requests: { cpu: "200m" } });
  assert.deepEqual(object, {
    metadata: {
      name: "p",
      annotations: {
        "kubernetes.io/limit-ranger":
          "LimitRanger plugin set: memory request for container c; cpu, memory limit for container c",
      },
    },
    spec: {
      containers: [
        { name: "c", resources: { requests: { cpu: "200m", memory: "1Gi" }, limits: { cpu: "1", memory: "1Gi" } } },
      ],
    },
  });
});

for (const [name, limit, resources, detail] of [
  ["a minimum", { min: { cpu: "1" } }, {}, "minimum cpu usage per Container is 1.  No request is specified"],
  [
    "a maximum",
    { max: { cpu: "1" } },
    { limits: { cpu: "1001m" } },
    "maximum cpu usage per Container is 1, but limit is 1001m",
  ],
  [
    "a ratio",
    { maxLimitRequestRatio: { cpu: "2" } },
    { requests: { cpu: "300m" }, limits: { cpu: "1" } },
    "cpu max limit to request ratio per Container is 2, but provided ratio is 3.333333",
  ],
  [
    "several bounds",
    { min: { cpu: "1" }, max: { memory: "1Gi" } },
    { requests: { cpu: "0" }, limits: { memory: "2Gi" } },
    "[minimum cpu usage per Container is 1, but request is 0, maximum memory usage per Container is 1Gi, but limit is 2Gi]",
  ],
] as const) {
  test(`a pod whose containers do not keep to ${name} is refused`, async () => {
    const range = limitRange({ type: "Container", ...structuredClone(limit) } as JsonObject);
    const { refusal } = await ask(range, structuredClone(resources) as JsonObject);
    assert.deepEqual(refusal, [403, `pods "p" is forbidden: ${detail}`]);
  });
}

test("amounts that are no whole thousandths are compared rounded up, huge ones in whole units", async () => {
  const tiny = await ask(limitRange({ type: "Container", max: { memory: "1m" } }), { limits: { memory: "500u" } });
  assert.equal(tiny.refusal, undefined);
  const huge = await ask(limitRange({ type: "Container", max: { cpu: "9223372036854775" } }), {
    limits: { cpu: "9223372036854776" },
  });
  assert.equal(huge.refusal?.[0], 403);
});
