import assert from "node:assert/strict";
import { test } from "node:test";
import type { AdmissionPlugin } from "@gatehouse/apiserver/admission";
import { askPlugin, type PluginAnswer } from "@gatehouse/apiserver/admission/testing";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { alwaysAdmit } from "./always-admit.js";
import { alwaysDeny } from "./always-deny.js";
import { alwaysPullImages } from "./always-pull-images.js";
import { extendedResourceToleration } from "./extended-resource-toleration.js";
import { limitPodHardAntiAffinityTopology } from "./limit-pod-hard-anti-affinity-topology.js";
import { securityContextDeny } from "./security-context-deny.js";

function ask(plugin: AdmissionPlugin, spec: JsonObject, oldSpec?: JsonObject): Promise<PluginAnswer> {
  const write = { resource: "pods", kind: "Pod", object: { metadata: { name: "p" }, spec } };
  return askPlugin(
    plugin,
    oldSpec === undefined ? write : { ...write, operation: "UPDATE", oldObject: { metadata: {}, spec: oldSpec } },
  );
}

test("AlwaysAdmit has nothing to say, AlwaysDeny says no", async () => {
  assert.equal((await ask(alwaysAdmit(), {})).refusal, undefined);
  assert.deepEqual((await ask(alwaysDeny(), {})).refusal, [
    403,
    'pods "p" is forbidden: admission control is denying all modifications',
  ]);
});

test("AlwaysPullImages sets the policy of every container, but not of pods whose images stay", async () => {
  const spec = { containers: [{ image: "i", imagePullPolicy: "Never" }], ephemeralContainers: [{ image: "e" }] };
  const created = await ask(alwaysPullImages(), spec);
  assert.deepEqual(created.object?.["spec"], {
    containers: [{ image: "i", imagePullPolicy: "Always" }],
    ephemeralContainers: [{ image: "e", imagePullPolicy: "Always" }],
  });
  const kept = await ask(alwaysPullImages(), spec, spec);
  assert.deepEqual([kept.object?.["spec"], kept.refusal], [spec, undefined]);
});

test("ExtendedResourceToleration tolerates the taints of what containers ask for", async () => {
  const requests = { cpu: "1", "example.com/gpu": "1", "requests.example.com/x": "1" };
  const own = { key: "example.com/gpu", operator: "Exists", effect: "NoSchedule" };
  const containers = [{ resources: { requests } }];
  assert.deepEqual((await ask(extendedResourceToleration(), { containers })).object?.["spec"], {
    containers,
    tolerations: [own],
  });
  const other = { key: "x", operator: "Exists" };
  const again = await ask(extendedResourceToleration(), { containers, tolerations: [own, other] });
  assert.deepEqual(objectAt(again.object, "spec")["tolerations"], [own, other]);
});

test("LimitPodHardAntiAffinityTopology lets pods keep others off their node only", async () => {
  const keepingOff = (topologyKey: string): JsonObject => ({
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey }] } },
  });
  const plugin = limitPodHardAntiAffinityTopology();
  assert.equal((await ask(plugin, keepingOff("kubernetes.io/hostname"))).refusal, undefined);
  assert.deepEqual((await ask(plugin, keepingOff("zone"))).refusal, [
    403,
    'pods "p" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed',
  ]);
});

test("SecurityContextDeny needs its gate, and then lets nobody speak of users", async () => {
  assert.throws(() => securityContextDeny({ features: { enabled: () => false } }), ConfigurationError);
  const plugin = securityContextDeny({ features: { enabled: () => true } });
  assert.equal((await ask(plugin, { securityContext: { runAsNonRoot: true } })).refusal, undefined);
  assert.deepEqual((await ask(plugin, { securityContext: { fsGroup: 1 } })).refusal, [
    403,
    'pods "p" is forbidden: pod.Spec.SecurityContext.FSGroup is forbidden',
  ]);
  assert.deepEqual((await ask(plugin, { containers: [{ securityContext: { runAsUser: 1 } }] })).refusal, [
    403,
    'pods "p" is forbidden: SecurityContext.RunAsUser is forbidden',
  ]);
});
