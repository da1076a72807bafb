import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultFeatureGates } from "@gatehouse/apiserver/options";
import { type ResourceDefinition, type StrategyContext, writeStrategyOf } from "@gatehouse/apiserver/registry";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { builtinResources } from "./builtin-resources.js";

const context: StrategyContext = {
  user: { username: "ann", uid: "u1", groups: ["dev"], extra: { scope: ["a"] } },
  nowMs: Date.parse("2024-03-01T12:00:00Z"),
  subresource: "",
  features: defaultFeatureGates(),
  allowPrivileged: false,
  warn: () => undefined,
};
const now = "2024-03-01T12:00:00Z";

function definitionOf(resource: string, group = ""): ResourceDefinition {
  const definition = builtinResources.find((item) => item.resource === resource && item.group === group);
  assert.ok(definition !== undefined);
  return definition;
}

function created(resource: string, object: JsonObject, group?: string): JsonObject {
  const { create } = definitionOf(resource, group).strategy;
  create.resetStatus?.(object, context);
  create.prepareForCreate?.(object, context);
  return object;
}

function updated(resource: string, object: JsonObject, old: JsonObject, subresource = "", group?: string): JsonObject {
  const before = structuredClone(old);
  const { strategy } = definitionOf(resource, group);
  if (subresource === "") {
    strategy.update.resetStatus?.(object, old);
  }
  writeStrategyOf(strategy, subresource).prepareForUpdate?.(object, old, { ...context, subresource });
  assert.deepEqual(old, before, "the old object is left alone");
  return object;
}

function statusUpdated(resource: string, object: JsonObject, old: JsonObject, group?: string): JsonObject {
  definitionOf(resource, group).strategy.status.prepareForUpdate?.(object, old, { ...context, subresource: "status" });
  return object;
}

test("a new namespace is active, held by its finalizer and labelled with its name", () => {
  assert.deepEqual(created("namespaces", { metadata: { name: "a" } }), {
    metadata: { name: "a", labels: { "kubernetes.io/metadata.name": "a" } },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  });
});

test("the finalizers of a namespace change through /finalize only", () => {
  const old = { metadata: { name: "a" }, spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } };
  const sent = () => ({ metadata: { name: "a" }, spec: {}, status: { phase: "Odd" } });
  assert.deepEqual(updated("namespaces", sent(), old)["spec"], { finalizers: ["kubernetes"] });
  const finalized = updated("namespaces", sent(), old, "finalize");
  assert.deepEqual([finalized["spec"], finalized["status"]], [{}, { phase: "Active" }]);
});

test("a service that is only a name has no policy for traffic", () => {
  const spec = () => ({ type: "ExternalName", externalName: "x.y", internalTrafficPolicy: "Cluster" });
  const named = { type: "ExternalName", externalName: "x.y" };
  assert.deepEqual(created("services", { spec: spec() })["spec"], named);
  assert.deepEqual(updated("services", { spec: spec() }, { spec: { type: "ClusterIP" } })["spec"], named);
});

test("a namespace that is deleted is terminating until its own finalizers are gone", () => {
  const namespaces = definitionOf("namespaces");
  const object: JsonObject = { spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } };
  namespaces.strategy.deletion.beginDeletion?.(object, "2024-01-01T00:00:00Z", {});
  assert.deepEqual(object["status"], { phase: "Terminating" });
  assert.deepEqual(namespaces.strategy.deletion.ownFinalizers?.(object), ["kubernetes"]);
});

const resources = (requests: JsonObject, limits: JsonObject) => ({ resources: { requests, limits } });
const classes: readonly (readonly [string, readonly JsonObject[], string])[] = [
  ["nothing asked for", [{}], "BestEffort"],
  ["zero asked for", [resources({ cpu: "0" }, {})], "BestEffort"],
  ["only other resources", [resources({ gpu: "1" }, { gpu: "1" })], "BestEffort"],
  ["requests without limits", [resources({ cpu: "1" }, {})], "Burstable"],
  [
    "equal amounts, differently written",
    [resources({ cpu: "1", memory: "1Ki" }, { cpu: "1000m", memory: "1024" })],
    "Guaranteed",
  ],
  ["limits without memory", [resources({ cpu: "1" }, { cpu: "1" })], "Burstable"],
  ["requests below limits", [resources({ cpu: "1", memory: "1" }, { cpu: "2", memory: "1" })], "Burstable"],
  ["one container without limits", [resources({ cpu: "1", memory: "1" }, { cpu: "1", memory: "1" }), {}], "Burstable"],
];
for (const [what, containers, qosClass] of classes) {
  test(`a new pod with ${what} is ${qosClass}`, () => {
    assert.deepEqual(created("pods", { spec: { containers: [...containers] } })["status"], {
      phase: "Pending",
      qosClass,
    });
  });
}

test("a new pod with scheduling gates says that it waits for them", () => {
  const pod = created("pods", { spec: { containers: [], schedulingGates: [{ name: "a" }] } });
  const [condition] = (pod["status"] as JsonObject)["conditions"] as JsonObject[];
  assert.deepEqual([condition?.["type"], condition?.["reason"]], ["PodScheduled", "SchedulingGated"]);
});

test("through /ephemeralcontainers nothing else can be changed", () => {
  const old = { metadata: { name: "a", labels: { x: "1" } }, spec: { nodeName: "n", containers: [{ name: "c" }] } };
  const sent = {
    metadata: { name: "a", labels: {}, resourceVersion: "5" },
    spec: { nodeName: "other", ephemeralContainers: [{ name: "debug" }] },
  };
  assert.deepEqual(JSON.parse(JSON.stringify(updated("pods", sent, old, "ephemeralcontainers"))), {
    metadata: { name: "a", labels: { x: "1" }, resourceVersion: "5" },
    spec: { nodeName: "n", containers: [{ name: "c" }], ephemeralContainers: [{ name: "debug" }] },
  });
});

const graces: readonly (readonly [string, JsonObject, number | undefined, number])[] = [
  ["on a node", { spec: { nodeName: "n", terminationGracePeriodSeconds: 30 } }, undefined, 30],
  ["on a node, asked for less", { spec: { nodeName: "n", terminationGracePeriodSeconds: 30 } }, 5, 5],
  ["on a node, asked for less than nothing", { spec: { nodeName: "n" } }, -5, 1],
  ["on no node", { spec: { terminationGracePeriodSeconds: 30 } }, 5, 0],
  ["that is done", { spec: { nodeName: "n" }, status: { phase: "Succeeded" } }, 5, 0],
];
for (const [what, pod, requested, seconds] of graces) {
  test(`a pod ${what} gets ${seconds} seconds to end`, () => {
    assert.equal(definitionOf("pods").strategy.deletion.gracePeriodSeconds?.(pod, requested), seconds);
  });
}

test("a service that becomes a name loses its addresses and node ports", () => {
  const old = {
    spec: {
      type: "LoadBalancer",
      clusterIP: "10.0.0.1",
      clusterIPs: ["10.0.0.1"],
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
      externalTrafficPolicy: "Local",
      healthCheckNodePort: 30009,
      allocateLoadBalancerNodePorts: true,
      ports: [{ port: 80, nodePort: 30001 }],
    },
    status: { loadBalancer: { ingress: [{ ip: "1.1.1.1" }] } },
  };
  const sent: JsonObject = structuredClone(old);
  Object.assign(sent["spec"] as JsonObject, { type: "ExternalName", externalName: "x" });
  assert.deepEqual(updated("services", sent, old), {
    spec: { type: "ExternalName", externalName: "x", ports: [{ port: 80 }] },
    status: { loadBalancer: {} },
  });
});

test("members that the client has changed are not dropped with the type", () => {
  const old = { spec: { type: "ClusterIP", clusterIP: "10.0.0.1", clusterIPs: ["10.0.0.1"] } };
  const sent = { spec: { type: "ExternalName", clusterIP: "10.0.0.2", clusterIPs: ["10.0.0.2"] } };
  assert.deepEqual(updated("services", sent, old), {
    spec: { type: "ExternalName", clusterIP: "10.0.0.2", clusterIPs: ["10.0.0.2"] },
  });
});

test("a new volume and its changes of phase are dated", () => {
  assert.deepEqual(created("persistentvolumes", { spec: {} })["status"], {
    phase: "Pending",
    lastPhaseTransitionTime: now,
  });
  const old = { status: { phase: "Pending", lastPhaseTransitionTime: "2020-01-01T00:00:00Z" } };
  const bound = statusUpdated("persistentvolumes", structuredClone({ status: { ...old.status, phase: "Bound" } }), old);
  assert.deepEqual(bound["status"], { phase: "Bound", lastPhaseTransitionTime: now });
  assert.deepEqual(statusUpdated("persistentvolumes", structuredClone(old), old), old);
});

test("a status of a volume that leaves out the time of its phase does not take it back", () => {
  const old = { status: { phase: "Pending", lastPhaseTransitionTime: "2020-01-01T00:00:00Z" } };
  const statusAfter = (status: JsonObject) => statusUpdated("persistentvolumes", { status }, old)["status"];
  assert.deepEqual(statusAfter({ phase: "Available" }), { phase: "Available", lastPhaseTransitionTime: now });
  assert.deepEqual(statusAfter({ phase: "Pending", message: "m" }), {
    phase: "Pending",
    message: "m",
    lastPhaseTransitionTime: "2020-01-01T00:00:00Z",
  });
});

test("the status of a daemon set has no say in how often its template has changed", () => {
  const annotation = "deprecated.daemonset.template.generation";
  const old = { metadata: { annotations: { [annotation]: "3" } } };
  assert.deepEqual(statusUpdated("daemonsets", { metadata: {} }, old, "apps")["metadata"], old.metadata);
});

test("a claim names its source in the old and in the new way", () => {
  const source = { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "s" };
  assert.deepEqual(created("persistentvolumeclaims", { spec: { dataSource: source } }), {
    spec: { dataSource: source, dataSourceRef: source },
    status: { phase: "Pending" },
  });
  assert.deepEqual(created("persistentvolumeclaims", { spec: { dataSourceRef: source } })["spec"], {
    dataSource: source,
    dataSourceRef: source,
  });
});

test("a new job finds its pods by its uid", () => {
  const job = created("jobs", { metadata: { name: "j", uid: "u" }, spec: { template: {} } }, "batch");
  assert.deepEqual(job["spec"], {
    template: {
      metadata: {
        labels: {
          "job-name": "j",
          "batch.kubernetes.io/job-name": "j",
          "controller-uid": "u",
          "batch.kubernetes.io/controller-uid": "u",
        },
      },
    },
    selector: { matchLabels: { "batch.kubernetes.io/controller-uid": "u" } },
  });
});

test("a new job with a manual selector is left alone", () => {
  const job = { metadata: { name: "j", uid: "u" }, spec: { manualSelector: true, template: {} } };
  assert.deepEqual(created("jobs", structuredClone(job), "batch"), job);
});

test("a daemon set counts its templates in an annotation", () => {
  const annotation = "deprecated.daemonset.template.generation";
  const first = created("daemonsets", { metadata: {}, spec: { template: { spec: { nodeName: "a" } } } }, "apps");
  assert.deepEqual(first["metadata"], { annotations: { [annotation]: "1" } });
  const second = updated(
    "daemonsets",
    { metadata: {}, spec: { template: { spec: { nodeName: "b" } } } },
    first,
    "",
    "apps",
  );
  assert.deepEqual(second["metadata"], { annotations: { [annotation]: "2" } });
  const third = updated(
    "daemonsets",
    { metadata: {}, spec: { template: { spec: { nodeName: "b" } } } },
    second,
    "",
    "apps",
  );
  assert.deepEqual(third["metadata"], { annotations: { [annotation]: "2" } });
});

const csr = "certificates.k8s.io";

test("a signing request is about the user who makes it", () => {
  const sent = { spec: { request: "x", username: "root", groups: ["system:masters"] } };
  assert.deepEqual(created("certificatesigningrequests", sent, csr)["spec"], {
    request: "x",
    username: "ann",
    uid: "u1",
    groups: ["dev"],
    extra: { scope: ["a"] },
  });
});

test("through /approval only the conditions of a signing request change, and they are dated", () => {
  const old = { spec: { a: 1 }, status: { certificate: "c" } };
  const sent = { spec: { a: 2 }, status: { certificate: "d", conditions: [{ type: "Approved", status: "True" }] } };
  assert.deepEqual(updated("certificatesigningrequests", sent, old, "approval", csr), {
    spec: { a: 1 },
    status: {
      certificate: "c",
      conditions: [{ type: "Approved", status: "True", lastUpdateTime: now, lastTransitionTime: now }],
    },
  });
});

test("through /status the approval of a signing request stays what it was", () => {
  const approved = { type: "Approved", status: "True", reason: "ok", lastUpdateTime: now, lastTransitionTime: now };
  const old = { status: { conditions: [approved] } };
  const sent = { status: { certificate: "c", conditions: [{ type: "Approved", status: "True", reason: "forged" }] } };
  assert.deepEqual(statusUpdated("certificatesigningrequests", sent, old, csr), {
    status: { certificate: "c", conditions: [approved] },
  });
});

test("a definition of custom resources notes the versions it has stored", () => {
  const first = created(
    "customresourcedefinitions",
    { spec: { versions: [{ name: "v1", storage: true }] } },
    "apiextensions.k8s.io",
  );
  assert.deepEqual(first["status"], { storedVersions: ["v1"] });
  const second: JsonObject = {
    spec: { versions: [{ name: "v1" }, { name: "v2", storage: true }] },
    status: structuredClone(first["status"] as JsonObject),
  };
  updated("customresourcedefinitions", second, first, "", "apiextensions.k8s.io");
  assert.deepEqual(second["status"], { storedVersions: ["v1", "v2"] });
});

test("an API service of this process is available from the start", () => {
  const local = created("apiservices", { spec: {} }, "apiregistration.k8s.io");
  const [condition] = (local["status"] as JsonObject)["conditions"] as JsonObject[];
  assert.deepEqual([condition?.["type"], condition?.["reason"]], ["Available", "Local"]);
  const remote = created("apiservices", { spec: { service: {} } }, "apiregistration.k8s.io");
  assert.equal(remote["status"], undefined);
});

test("fields of a pod are selected by their values as text", () => {
  const { selectableFields, fieldLabels } = definitionOf("pods");
  const pod = {
    metadata: { name: "p", namespace: "ns" },
    spec: { nodeName: "n", hostNetwork: true },
    status: { podIPs: [{ ip: "10.0.0.1" }] },
  };
  const values = [
    "metadata.name",
    "metadata.namespace",
    "spec.host",
    "spec.hostNetwork",
    "status.podIP",
    "status.phase",
  ];
  assert.deepEqual(
    values.map((label) => selectableFields.get(fieldLabels.get(label) ?? "")?.(pod)),
    ["p", "ns", "n", "true", "10.0.0.1", ""],
  );
});

test("an event is selected by the same values under either name", () => {
  const event = { involvedObject: { kind: "Pod" }, reportingComponent: "kubelet" };
  const inGroup = definitionOf("events", "events.k8s.io");
  const values = ["regarding.kind", "reportingController"].map((label) =>
    inGroup.selectableFields.get(inGroup.fieldLabels.get(label) ?? "")?.(event),
  );
  assert.deepEqual(values, ["Pod", "kubelet"]);
  assert.equal(definitionOf("events").selectableFields.get("source")?.(event), "kubelet");
});

test("an empty type of a secret means as before, and service accounts keep the names of secrets only", () => {
  assert.equal(updated("secrets", { type: "" }, { type: "x/y" })["type"], "x/y");
  const account = created("serviceaccounts", { secrets: [{ name: "s", namespace: "other" }] });
  assert.deepEqual(account["secrets"], [{ name: "s" }]);
});

test("a node says nothing new about the configuration of its kubelet", () => {
  const node = () => ({ spec: { configSource: {}, podCIDR: "10.0.0.0/24" }, status: { config: {}, phase: "Running" } });
  assert.deepEqual(created("nodes", node()), { spec: { podCIDR: "10.0.0.0/24" }, status: { phase: "Running" } });
  assert.deepEqual(updated("nodes", node(), { spec: {} })["spec"], { podCIDR: "10.0.0.0/24" });
  assert.deepEqual(updated("nodes", node(), node())["spec"], { configSource: {}, podCIDR: "10.0.0.0/24" });
});

test("an IP address is named by itself, in canonical form", () => {
  const { create, metadata } = definitionOf("ipaddresses", "networking.k8s.io").strategy;
  assert.equal(create.generateName("10.9.9.9"), "10.9.9.9");
  const errorsFor = (name: string): readonly string[] => metadata.validateName(name);
  assert.deepEqual(errorsFor("10.9.9.9"), []);
  assert.deepEqual(errorsFor("2001:db8::1"), []);
  assert.deepEqual(errorsFor("2001:DB8::1"), ["must be a canonical format IP address"]);
  assert.deepEqual(errorsFor("10.9.9.9-y"), ['ParseAddr("10.9.9.9-y"): unexpected character (at "-y")']);
});
