import assert from "node:assert/strict";
import { test } from "node:test";
import { objectsInMemory, type TestWrite, testAttributes } from "@gatehouse/apiserver/admission/testing";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import { testParts } from "../plugin.test.support.js";
import { resourceQuota } from "./resource-quota.js";

const empty = { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a", namespace: "n" } };

interface Quota {
  readonly name?: string;
  readonly hard: JsonObject;
  readonly used?: JsonObject;
  readonly spec?: JsonObject;
}

function quotaObject({ name = "q", hard, used = {}, spec = {} }: Quota): JsonObject {
  return { metadata: { name, namespace: "n" }, spec: { hard, ...spec }, status: { hard, used } };
}

/** Asks the plugin about each write, one after the other; answers with what it says and what is used in the end. */
async function ask(
  quotas: readonly Quota[],
  writes: readonly TestWrite[],
  configuration?: JsonObject,
  feature?: string,
): Promise<{ readonly said: readonly string[]; readonly used: readonly JsonObject[] }> {
  const objects = objectsInMemory({ resourcequotas: quotas.map(quotaObject) });
  const parts = {
    ...testParts(configuration === undefined ? {} : { configuration }),
    objects,
    features: { enabled: (name: string) => name === feature },
  };
  const plugin = await resourceQuota(parts);
  const said: string[] = [];
  for (const write of writes) {
    const attributes = testAttributes(write);
    assert.equal(plugin.concerns?.(attributes), true);
    try {
      await plugin.validate?.(attributes);
      said.push("ok");
    } catch (error) {
      assert.ok(error instanceof StatusError, String(error));
      assert.equal(error.code, 403);
      said.push(error.status.message ?? "");
    }
  }
  const view = objects.view({ group: "", resource: "resourcequotas" }, (quota) => quota);
  return { said, used: view.list("n").map((quota) => (quota["status"] as JsonObject)["used"] as JsonObject) };
}

const pod = (containers: readonly JsonObject[], spec: JsonObject = {}): TestWrite => ({
  resource: "pods",
  kind: "Pod",
  object: {
    metadata: { name: "p", namespace: "n", uid: "1" },
    spec: { containers: [...containers], ...spec },
    status: { qosClass: "Burstable" },
  },
});

test("what is created is charged, and refused when it exceeds", async () => {
  const quotas = [
    { hard: { configmaps: "2", "count/configmaps": "9" }, used: { configmaps: "0", "count/configmaps": "5" } },
  ];
  const write = { object: empty };
  assert.deepEqual(await ask(quotas, [write, { ...write, dryRun: true }, write, write, { ...write, dryRun: true }]), {
    said: [
      "ok",
      "ok",
      "ok",
      'configmaps "a" is forbidden: exceeded quota: q, requested: configmaps=1, used: configmaps=2, limited: configmaps=2',
      'configmaps "a" is forbidden: exceeded quota: q, requested: configmaps=1, used: configmaps=2, limited: configmaps=2',
    ],
    used: [{ configmaps: "2", "count/configmaps": "7" }],
  });
});

test("a quota whose status does not tell what is used refuses, one without a status limits nothing", async () => {
  const { said } = await ask(
    [{ hard: { "count/configmaps": "2", configmaps: "3", pods: "1" } }],
    [{ object: { metadata: { generateName: "g-" } } }, { object: {}, resource: "secrets", kind: "Secret" }],
  );
  assert.deepEqual(said, [
    'configmaps "g-" is forbidden: status unknown for quota: q, resources: configmaps,count/configmaps',
    "ok",
  ]);
  assert.deepEqual((await ask([{ hard: {} }], [{ object: empty }])).said, ["ok"]);
});

test("custom resources count by group and resource", async () => {
  const quotas = [{ hard: { "count/things.example.com": "1" }, used: { "count/things.example.com": "1" } }];
  const write = { group: "example.com", resource: "things", kind: "Thing", object: empty };
  assert.deepEqual((await ask(quotas, [write, { ...write, group: "example.org" }])).said, [
    'things.example.com "a" is forbidden: exceeded quota: q, requested: count/things.example.com=1, used: count/things.example.com=1, limited: count/things.example.com=1',
    "ok",
  ]);
});

test("containers must say what they need of cpu and memory that is limited", async () => {
  const quotas = [
    {
      hard: { "limits.memory": "1", cpu: "1", "requests.ephemeral-storage": "1" },
      used: { "limits.memory": "0", cpu: "0", "requests.ephemeral-storage": "0" },
    },
  ];
  const containers = [{ name: "b", resources: { requests: { cpu: "100m" } } }, { name: "c" }, { name: "a" }];
  assert.deepEqual((await ask(quotas, [pod(containers, { initContainers: [{ name: "i" }] })])).said, [
    'pods "p" is forbidden: failed quota: q: must specify cpu for: a,c,i; limits.memory for: a,b,c,i',
  ]);
});

test("every quota in whose scopes a pod is counts it", async () => {
  const hard = { pods: "5" };
  const used = { pods: "1" };
  const inClass = (operator: string, values: readonly string[]): JsonObject => ({
    scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator, values: [...values] }] },
  });
  const quotas = [
    { name: "all", hard, used },
    { name: "best", hard, used, spec: { scopes: ["BestEffort"] } },
    { name: "class", hard, used, spec: inClass("In", ["high", "low"]) },
    { name: "ending", hard, used, spec: { scopes: ["Terminating", "NotBestEffort"] } },
    { name: "not", hard, used, spec: inClass("NotIn", ["high"]) },
  ];
  const { used: after } = await ask(quotas, [
    pod([{ name: "a" }], { priorityClassName: "high" }),
    pod([{ name: "a" }], { activeDeadlineSeconds: 5 }),
  ]);
  assert.deepEqual(
    after.map(({ pods }) => pods),
    ["3", "1", "2", "2", "2"],
  );
});

test("an update is charged what it uses more, and none is given back", async () => {
  const service = (type: string, ports: number): JsonObject => ({
    metadata: { name: "s", namespace: "n", resourceVersion: "1" },
    spec: { type, ports: Array.from({ length: ports }, (_, index) => ({ port: index + 1 })) },
  });
  const quotas = [
    {
      hard: { services: "1", "services.nodeports": "3", "services.loadbalancers": "0" },
      used: { services: "1", "services.nodeports": "1", "services.loadbalancers": "0" },
    },
  ];
  const change = (oldObject: JsonObject, object: JsonObject): TestWrite => ({
    operation: "UPDATE",
    resource: "services",
    kind: "Service",
    name: "s",
    oldObject,
    object,
  });
  const { said, used } = await ask(quotas, [
    change(service("NodePort", 1), service("NodePort", 3)),
    change(service("NodePort", 3), service("NodePort", 4)),
    change(service("NodePort", 3), service("ClusterIP", 4)),
    change(service("ClusterIP", 1), service("LoadBalancer", 1)),
  ]);
  assert.deepEqual(said, [
    "ok",
    'services "s" is forbidden: exceeded quota: q, requested: services.nodeports=1, used: services.nodeports=3, limited: services.nodeports=3',
    "ok",
    'services "s" is forbidden: exceeded quota: q, requested: services.loadbalancers=1,services.nodeports=1, used: services.loadbalancers=0,services.nodeports=3, limited: services.loadbalancers=0,services.nodeports=3',
  ]);
  assert.deepEqual(used, [{ services: "1", "services.nodeports": "3", "services.loadbalancers": "0" }]);
});

test("claims are charged their storage, once more for their class", async () => {
  const gold = "gold.storageclass.storage.k8s.io/requests.storage";
  const quotas = [
    { hard: { "requests.storage": "10Gi", [gold]: "3Gi" }, used: { "requests.storage": "0", [gold]: "0" } },
  ];
  const claim = (storage: string): TestWrite => ({
    resource: "persistentvolumeclaims",
    kind: "PersistentVolumeClaim",
    object: {
      metadata: { name: "c", namespace: "n" },
      spec: { storageClassName: "gold", resources: { requests: { storage } } },
    },
  });
  assert.deepEqual(await ask(quotas, [claim("2Gi"), claim("1.5Gi")]), {
    said: [
      "ok",
      `persistentvolumeclaims "c" is forbidden: exceeded quota: q, requested: ${gold}=1536Mi, used: ${gold}=2Gi, limited: ${gold}=3Gi`,
    ],
    used: [{ "requests.storage": "2Gi", [gold]: "2Gi" }],
  });
});

test("a claim that is to shrink again counts with what it was given, where that can be recovered", async () => {
  const claim = (storage: string): TestWrite => ({
    operation: "UPDATE",
    resource: "persistentvolumeclaims",
    kind: "PersistentVolumeClaim",
    name: "c",
    oldObject: claimOf("1Gi", "1Gi"),
    object: claimOf(storage, "4Gi"),
  });
  const claimOf = (storage: string, given: string): JsonObject => ({
    metadata: { name: "c", namespace: "n", resourceVersion: "1" },
    spec: { resources: { requests: { storage } } },
    status: { allocatedResources: { storage: given } },
  });
  const quotas = [{ hard: { "requests.storage": "10Gi" }, used: { "requests.storage": "1Gi" } }];
  const { used: without } = await ask(quotas, [claim("2Gi")]);
  assert.deepEqual(without, [{ "requests.storage": "2Gi" }]);
  const { used } = await ask(quotas, [claim("2Gi"), claim("5Gi")], undefined, "RecoverVolumeExpansionFailure");
  assert.deepEqual(used, [{ "requests.storage": "8Gi" }]);
});

test("pods that can be resized are charged when they grow, and with what they were given while that is more", async () => {
  const resizable = (cpu: string, status: JsonObject = {}): JsonObject => ({
    metadata: { name: "p", namespace: "n", resourceVersion: "1" },
    spec: { containers: [{ name: "c", resources: { requests: { cpu } } }] },
    status,
  });
  const given = (cpu: string) => ({ containerStatuses: [{ name: "c", allocatedResources: { cpu } }] });
  const change = (oldObject: JsonObject, object: JsonObject): TestWrite => ({
    operation: "UPDATE",
    resource: "pods",
    kind: "Pod",
    name: "p",
    oldObject,
    object,
  });
  const quotas = [{ hard: { "requests.cpu": "3" }, used: { "requests.cpu": "1" } }];
  const feature = "InPlacePodVerticalScaling";
  const { said, used } = await ask(
    quotas,
    [
      change(resizable("1", given("1")), resizable("2", given("1"))),
      change(resizable("2", given("2")), resizable("1", given("2"))),
      change(resizable("2", given("2")), resizable("8", { ...given("2"), resize: "Infeasible" })),
      change(resizable("2", given("2")), resizable("4", given("2"))),
    ],
    undefined,
    feature,
  );
  assert.deepEqual(said, [
    "ok",
    "ok",
    "ok",
    'pods "p" is forbidden: exceeded quota: q, requested: requests.cpu=2, used: requests.cpu=2, limited: requests.cpu=3',
  ]);
  assert.deepEqual(used, [{ "requests.cpu": "2" }]);
});

test("what is limited by configuration needs a quota that covers it", async () => {
  const configuration = {
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "ResourceQuotaConfiguration",
    limitedResources: [
      { resource: "configmaps", matchContains: ["count/"] },
      { resource: "pods", matchScopes: [{ scopeName: "PriorityClass", operator: "In", values: ["high", "top"] }] },
    ],
  };
  const high = pod([{ name: "a" }], { priorityClassName: "high" });
  assert.deepEqual((await ask([], [{ object: empty }, high, pod([{ name: "a" }])], configuration)).said, [
    'configmaps "a" is forbidden: insufficient quota to consume: count/configmaps',
    "insufficient quota to match these scopes: [{PriorityClass In [high top]}]",
    "ok",
  ]);
  const quotas = [
    { name: "c", hard: { "count/configmaps": "1" }, used: { "count/configmaps": "0" } },
    { name: "p", hard: { pods: "1" }, used: { pods: "0" }, spec: { scopes: ["PriorityClass"] } },
  ];
  assert.deepEqual((await ask(quotas, [{ object: empty }, high], configuration)).said, ["ok", "ok"]);
});

test("events, reviews, subresources and deletions concern no quota", async () => {
  const plugin = await resourceQuota(testParts());
  const concerns = (write: TestWrite): boolean | undefined => plugin.concerns?.(testAttributes(write));
  assert.equal(concerns({ resource: "events" }), false);
  assert.equal(concerns({ group: "authorization.k8s.io", resource: "localsubjectaccessreviews" }), false);
  assert.equal(concerns({ resource: "pods", subresource: "binding" }), false);
  assert.equal(concerns({ resource: "pods", operation: "DELETE" }), false);
  assert.equal(concerns({ resource: "pods", operation: "UPDATE" }), false);
  assert.equal(concerns({ resource: "services", operation: "UPDATE" }), true);
  assert.equal(concerns({ resource: "namespaces" }), false);
});

test("a configuration that names no resource is refused with its path", async () => {
  const content = {
    apiVersion: "resourcequota.admission.k8s.io/v1beta1",
    kind: "Configuration",
    limitedResources: [{ resource: "" }, { matchContains: [] }, { resource: "pods", more: 1 }],
  };
  await assert.rejects(async () => resourceQuota(testParts({ configuration: content })), {
    message:
      "test.yaml: 2 problems:\n  - limitedResources[1].resource: is required\n  - limitedResources[2].more: is not a member of this kind",
  });
  const empty = { ...content, limitedResources: [{ resource: "" }] };
  await assert.rejects(async () => resourceQuota(testParts({ configuration: empty })), {
    message: "test.yaml: limitedResources[0].resource: is required",
  });
});
