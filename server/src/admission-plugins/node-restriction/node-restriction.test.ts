import assert from "node:assert/strict";
import { test } from "node:test";
import { askPlugin, type TestWrite } from "@gatehouse/apiserver/admission/testing";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { testParts } from "../plugin.test.support.js";
import { nodeRestriction } from "./node-restriction.js";

const kubelet = { username: "system:node:n1", groups: ["system:nodes"] };

function boundPod(name: string, nodeName: string): JsonObject {
  return { metadata: { namespace: "n", name, uid: `${name}-uid` }, spec: { nodeName } };
}

async function refusalOf(write: TestWrite): Promise<string | undefined> {
  const objects = {
    pods: [boundPod("own", "n1"), boundPod("other", "n2")],
    nodes: [{ metadata: { name: "n1", uid: "n1-uid" } }],
  };
  return (await askPlugin(nodeRestriction(testParts({ objects })), { user: kubelet, ...write })).refusal?.[1];
}

const pods = { resource: "pods", kind: "Pod" };
const nodes = { resource: "nodes", kind: "Node", namespace: "" };
const token = { resource: "serviceaccounts", kind: "TokenRequest", subresource: "token", name: "default" };

function tokenFor(more: JsonObject): TestWrite {
  return { ...token, object: { spec: { boundObjectRef: { apiVersion: "v1", kind: "Pod", ...more } } } };
}

for (const [name, write, refusal] of [
  [
    "a pod of others is deleted",
    { ...pods, operation: "DELETE", name: "other" },
    'pods "other" is forbidden: node "n1" can only delete pods with spec.nodeName set to itself',
  ],
  ["its own pod is deleted", { ...pods, operation: "DELETE", name: "own" }, undefined],
  ["a pod is deleted that is not there", { ...pods, operation: "DELETE", name: "x" }, 'pod "x" not found'],
  [
    "a pod is made that is no mirror",
    { ...pods, object: boundPod("p", "n1") },
    'pods "p" is forbidden: pod does not have "kubernetes.io/config.mirror" annotation, node "n1" can only create mirror pods',
  ],
  [
    "the status of a pod of others is written",
    {
      ...pods,
      operation: "UPDATE",
      subresource: "status",
      name: "other",
      object: boundPod("other", "n2"),
      oldObject: boundPod("other", "n2"),
    },
    'pods "other" is forbidden: node "n1" can only update pod status for pods with spec.nodeName set to itself',
  ],
  [
    "a pod of others is evicted",
    { ...pods, subresource: "eviction", name: "other", object: {} },
    'pods "other" is forbidden: node n1 can only evict pods with spec.nodeName set to itself',
  ],
  [
    "another node is written",
    { ...nodes, operation: "UPDATE", name: "n2", object: {}, oldObject: {} },
    'nodes "n2" is forbidden: node "n1" is not allowed to modify node "n2"',
  ],
  [
    "its own node gets a label that steers workloads",
    {
      ...nodes,
      operation: "UPDATE",
      name: "n1",
      object: { metadata: { labels: { "node-restriction.kubernetes.io/x": "1" } } },
      oldObject: {},
    },
    'nodes "n1" is forbidden: is not allowed to modify labels: node-restriction.kubernetes.io/x',
  ],
  [
    "its own node gets a label of kubelets",
    {
      ...nodes,
      operation: "UPDATE",
      name: "n1",
      object: { metadata: { labels: { "kubernetes.io/os": "linux", mine: "1" } } },
      oldObject: {},
    },
    undefined,
  ],
  [
    "its own node loses a taint",
    { ...nodes, operation: "UPDATE", name: "n1", object: {}, oldObject: { spec: { taints: [{ key: "x" }] } } },
    'nodes "n1" is forbidden: node "n1" is not allowed to modify taints',
  ],
  [
    "a token is asked for without a pod",
    { ...token, object: { spec: {} } },
    'serviceaccounts "default" is forbidden: node requested token not bound to a pod',
  ],
  [
    "a token is asked for a pod of others",
    tokenFor({ name: "other", uid: "other-uid" }),
    'serviceaccounts "default" is forbidden: node requested token bound to a pod scheduled on a different node',
  ],
  ["a token is asked for its own pod", tokenFor({ name: "own", uid: "own-uid" }), undefined],
  [
    "a token is asked for a pod that was there before",
    tokenFor({ name: "own", uid: "old" }),
    'serviceaccounts "default" is forbidden: the UID in the bound object reference (old) does not match the UID in record. The object might have been deleted and then recreated',
  ],
  [
    "a lease of others is renewed",
    {
      group: "coordination.k8s.io",
      resource: "leases",
      operation: "UPDATE",
      namespace: "kube-node-lease",
      name: "n2",
      object: {},
    },
    'leases.coordination.k8s.io "n2" is forbidden: can only access node lease with the same name as the requesting node',
  ],
  [
    "a claim is made",
    { resource: "persistentvolumeclaims", object: { metadata: { name: "c" } } },
    'persistentvolumeclaims "c" is forbidden: may only update PVC status',
  ],
] as const satisfies readonly (readonly [string, TestWrite, string | undefined])[]) {
  test(`a kubelet is answered when ${name}`, async () => {
    assert.equal(await refusalOf(write), refusal);
  });
}

test("a claim may grow, and nothing else of it changes", async () => {
  const claim = { metadata: { name: "c", resourceVersion: "1" }, spec: {}, status: { capacity: { storage: "1" } } };
  const grown = { ...claim, metadata: { name: "c" }, status: { capacity: { storage: "2" } } };
  const write = { resource: "persistentvolumeclaims", subresource: "status", operation: "UPDATE", name: "c" } as const;
  assert.equal(await refusalOf({ ...write, oldObject: claim, object: grown }), undefined);
  const relabelled = { ...claim, metadata: { name: "c", labels: { a: "b" } } };
  assert.match(
    (await refusalOf({ ...write, oldObject: claim, object: relabelled })) ?? "",
    /^persistentvolumeclaims "c" is forbidden: node "n1" is not allowed to update fields other than status.capacity and status.conditions: /,
  );
});

test("who is no kubelet is not restricted, and one without a node does nothing", async () => {
  const write = { ...nodes, operation: "UPDATE", name: "n2", object: {}, oldObject: {} } as const;
  assert.equal(await refusalOf({ ...write, user: { username: "system:node:n1", groups: [] } }), undefined);
  assert.equal(
    await refusalOf({ ...write, user: { username: "system:node:", groups: ["system:nodes"] } }),
    'nodes "n2" is forbidden: could not determine node from user "system:node:"',
  );
});
