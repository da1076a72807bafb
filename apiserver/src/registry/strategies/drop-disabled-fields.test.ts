import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeJson, wasSentEmpty } from "@gatehouse/envelopes/codec";
import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { groupVersionOf, kindSchema } from "@gatehouse/envelopes/schema";
import { parseFeatureGates } from "../../options/feature-gates.js";
import { dropDisabledFields } from "./drop-disabled-fields.js";

function dropped(apiVersion: string, kind: string, object: JsonObject, old?: JsonObject, gates = ""): JsonObject {
  const { group, version } = groupVersionOf(apiVersion);
  const schema = kindSchema(group, version, kind)?.schema;
  assert.ok(schema !== undefined);
  dropDisabledFields(schema, object, old, parseFeatureGates(gates).gates);
  return object;
}

const resizing = () => ({ spec: { containers: [{ name: "c", resizePolicy: [{ resourceName: "cpu" }] }] } });
const plain = { spec: { containers: [{ name: "c" }] } };

test("members of features that are off are taken out, wherever they are", () => {
  assert.deepEqual(dropped("v1", "Pod", resizing()), plain);
  assert.deepEqual(dropped("apps/v1", "Deployment", { spec: { template: resizing() } }), { spec: { template: plain } });
  const claim = { spec: { volumeAttributesClassName: "gold" } };
  assert.deepEqual(dropped("v1", "PersistentVolumeClaim", claim), { spec: {} });
});

test("members of features that are on stay", () => {
  const gates = "InPlacePodVerticalScaling=true";
  assert.deepEqual(dropped("v1", "Pod", resizing(), undefined, gates), resizing());
  const init = { spec: { initContainers: [{ name: "sidecar", restartPolicy: "Always" }] } };
  assert.deepEqual(dropped("v1", "Pod", structuredClone(init)), init);
  assert.deepEqual(dropped("v1", "Pod", structuredClone(init), undefined, "SidecarContainers=false"), {
    spec: { initContainers: [{ name: "sidecar" }] },
  });
});

const profile = "container.apparmor.security.beta.kubernetes.io/c";

test("profiles of pods and templates go without AppArmor, unless the old object has one", () => {
  const pod = () => ({ metadata: { annotations: { [profile]: "runtime/default", other: "stays" } }, ...plain });
  const gates = "AppArmor=false";
  const without = { metadata: { annotations: { other: "stays" } }, ...plain };
  assert.deepEqual(dropped("v1", "Pod", pod(), undefined, gates), without);
  assert.deepEqual(dropped("v1", "Pod", pod(), pod(), gates), pod());
  assert.deepEqual(dropped("v1", "Pod", pod()), pod());
  const deployment = { spec: { template: pod() } };
  assert.deepEqual(dropped("apps/v1", "Deployment", deployment, undefined, gates), { spec: { template: without } });
  const job = { metadata: { annotations: { [profile]: "x" } }, spec: { template: { spec: plain.spec } } };
  assert.deepEqual(dropped("batch/v1", "Job", structuredClone(job), undefined, gates), job);
});

test("what the old object uses stays, in other places of the object, too", () => {
  const old = resizing();
  const object = { spec: { containers: [...resizing().spec.containers, ...resizing().spec.containers] } };
  assert.deepEqual(dropped("v1", "Pod", structuredClone(object), old), object);
  assert.deepEqual(dropped("v1", "Pod", resizing(), plain), plain);
});

test("claims that are templates are left as they are", () => {
  const claim = { spec: { dataSourceRef: { kind: "VolumeSnapshot", name: "s", namespace: "other" } } };
  const pod = { spec: { volumes: [{ name: "v", ephemeral: { volumeClaimTemplate: claim } }] } };
  assert.deepEqual(dropped("v1", "Pod", structuredClone(pod)), pod);
  const set = { spec: { volumeClaimTemplates: [claim] } };
  assert.deepEqual(dropped("apps/v1", "StatefulSet", structuredClone(set)), set);
});

test("what means nothing without such a member goes with it", () => {
  const claim = {
    spec: { dataSourceRef: { kind: "VolumeSnapshot", name: "s", namespace: "other" } },
  };
  assert.deepEqual(dropped("v1", "PersistentVolumeClaim", claim), { spec: {} });
  const pod = {
    spec: { containers: [{ name: "c", lifecycle: { preStop: { sleep: { seconds: 1 } }, postStart: { exec: {} } } }] },
  };
  assert.deepEqual(dropped("v1", "Pod", pod), {
    spec: { containers: [{ name: "c", lifecycle: { preStop: {}, postStart: { exec: {} } } }] },
  });
});

test("schemas that contain themselves are followed as far as the object goes", () => {
  const definition = { spec: { versions: [{ schema: { openAPIV3Schema: { properties: { a: { items: {} } } } } }] } };
  assert.deepEqual(
    dropped("apiextensions.k8s.io/v1", "CustomResourceDefinition", structuredClone(definition)),
    definition,
  );
});

test("kinds without such members are left alone", () => {
  assert.deepEqual(dropped("v1", "ConfigMap", { data: { gate: "x" } }), { data: { gate: "x" } });
});

test("of a member that was sent empty nothing stays but where its feature is on", () => {
  for (const [gates, stays] of [
    ["", false],
    ["DynamicResourceAllocation=true", true],
  ] as const) {
    const schema = kindSchema("", "v1", "Pod")?.schema ?? assert.fail();
    const { object } = decodeJson(schema, { spec: { containers: [], resourceClaims: [], tolerations: [] } });
    const spec = objectAt(dropped("v1", "Pod", object, undefined, gates), "spec");
    assert.equal(wasSentEmpty(spec, "resourceClaims"), stays);
    assert.equal(wasSentEmpty(spec, "tolerations"), true);
  }
});
