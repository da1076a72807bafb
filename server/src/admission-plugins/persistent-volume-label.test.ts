import assert from "node:assert/strict";
import { test } from "node:test";
import { askPlugin, type PluginAnswer } from "@gatehouse/apiserver/admission/testing";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { persistentVolumeLabel } from "./persistent-volume-label.js";

function ask(metadata: JsonObject, spec: JsonObject): Promise<PluginAnswer> {
  const object = { metadata: { name: "v", ...metadata }, spec };
  return askPlugin(persistentVolumeLabel(), {
    resource: "persistentvolumes",
    kind: "PersistentVolume",
    namespace: "",
    object,
  });
}

test("a volume whose provisioner says where it is demands nodes that are there", async () => {
  const labels = { "topology.kubernetes.io/zone": "b__a", "topology.kubernetes.io/region": "r" };
  const { object } = await ask({ labels, annotations: { "pv.kubernetes.io/provisioned-by": "x" } }, {});
  assert.deepEqual(object?.["spec"], {
    nodeAffinity: {
      required: {
        nodeSelectorTerms: [
          {
            matchExpressions: [
              { key: "topology.kubernetes.io/zone", operator: "In", values: ["a", "b"] },
              { key: "topology.kubernetes.io/region", operator: "In", values: ["r"] },
            ],
          },
        ],
      },
    },
  });
});

test("a volume of a cloud that nobody can ask is refused, others are left alone", async () => {
  assert.deepEqual((await ask({}, { gcePersistentDisk: { pdName: "d" } })).refusal, [
    403,
    'persistentvolumes "v" is forbidden: error querying GCE PD volume d: unable to build GCE cloud provider for PD',
  ]);
  assert.equal((await ask({}, { hostPath: { path: "/" } })).refusal, undefined);
});
