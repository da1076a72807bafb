import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { RequestedAccess } from "../access/requested-access.js";
import { policyRulesOf } from "../rbac/policy-rule.js";
import { NodeGraph } from "./node-graph.js";
import { decideForNode } from "./node-verdict.js";

const rules = policyRulesOf({ rules: [{ verbs: ["get"], apiGroups: [""], resources: ["services"] }] });
const node = (name: string) => ({ username: `system:node:${name}`, groups: ["system:nodes"] });

function access(verb: string, path: string, name = "x", namespace = "n"): RequestedAccess {
  const [group = "", resource = "", subresource = ""] = path.split("/");
  return { isResourceRequest: true, verb, group, resource, subresource, namespace, name, path: "" };
}

function graphOf(pods: Record<string, object>, volumes: Record<string, object> = {}): NodeGraph {
  const graph = new NodeGraph();
  for (const [key, pod] of Object.entries(pods)) {
    graph.setPod("n", key, { metadata: { name: key }, ...pod });
  }
  for (const [name, spec] of Object.entries(volumes)) {
    graph.setVolume(name, { spec });
  }
  return graph;
}

const container = (member: object) => ({ spec: { nodeName: "a", containers: [member] } });
const volume = (member: object) => ({ spec: { nodeName: "a", volumes: [{ name: "v", ...member }] } });
const unrelated = (name: string) => `no relationship found between node '${name}' and this object`;

describe("A pod gives its node, and no other, a reason to read", () => {
  const rows: readonly [string, object, string, string][] = [
    ["its service account", { spec: { nodeName: "a", serviceAccountName: "x" } }, "create", "/serviceaccounts/token"],
    ["secrets to pull images", { spec: { nodeName: "a", imagePullSecrets: [{ name: "x" }] } }, "get", "/secrets"],
    ["a secret in its environment", container({ envFrom: [{ secretRef: { name: "x" } }] }), "list", "/secrets"],
    ["a key of a secret", container({ env: [{ valueFrom: { secretKeyRef: { name: "x" } } }] }), "watch", "/secrets"],
    [
      "a config map in its environment",
      container({ envFrom: [{ configMapRef: { name: "x" } }] }),
      "get",
      "/configmaps",
    ],
    [
      "a key of a config map",
      container({ env: [{ valueFrom: { configMapKeyRef: { name: "x" } } }] }),
      "get",
      "/configmaps",
    ],
    ["a secret that is a volume", volume({ secret: { secretName: "x" } }), "get", "/secrets"],
    ["a secret of a file share", volume({ azureFile: { secretName: "x" } }), "get", "/secrets"],
    ["a secret of a driver", volume({ csi: { nodePublishSecretRef: { name: "x" } } }), "get", "/secrets"],
    ["a secret of a block device", volume({ rbd: { secretRef: { name: "x" } } }), "get", "/secrets"],
    ["a projected secret", volume({ projected: { sources: [{ secret: { name: "x" } }] } }), "get", "/secrets"],
    [
      "a projected config map",
      volume({ projected: { sources: [{ configMap: { name: "x" } }] } }),
      "get",
      "/configmaps",
    ],
    ["a claim", volume({ persistentVolumeClaim: { claimName: "x" } }), "get", "/persistentvolumeclaims"],
    [
      "the status of a claim",
      volume({ persistentVolumeClaim: { claimName: "x" } }),
      "patch",
      "/persistentvolumeclaims/status",
    ],
  ];
  for (const [name, pod, verb, path] of rows) {
    test(name, () => {
      const graph = graphOf({ p: pod });
      assert.deepEqual(decideForNode(graph, rules, node("a"), access(verb, path)), { allowed: true, reason: "" });
      assert.deepEqual(decideForNode(graph, rules, node("b"), access(verb, path)), {
        allowed: false,
        reason: unrelated("b"),
      });
      assert.deepEqual(decideForNode(graph, rules, node("a"), access(verb, path, "x", "m")).allowed, false);
      graph.deletePod("n", "p");
      assert.equal(decideForNode(graph, rules, node("a"), access(verb, path)).allowed, false);
    });
  }
});

test("a claim that a pod makes for itself has the name of both", () => {
  const graph = graphOf({ p: volume({ ephemeral: {} }) });
  assert.equal(decideForNode(graph, rules, node("a"), access("get", "/persistentvolumeclaims", "p-v")).allowed, true);
});

test("a mirror pod gives no reason to read anything", () => {
  const metadata = { annotations: { "kubernetes.io/config.mirror": "1" } };
  const graph = graphOf({ p: { ...volume({ secret: { secretName: "x" } }), metadata } });
  assert.equal(decideForNode(graph, rules, node("a"), access("get", "/secrets")).allowed, false);
});

test("an object of the cluster leads to no node when a review asks about it in a namespace", () => {
  const graph = graphOf(
    { p: volume({ persistentVolumeClaim: { claimName: "c" } }) },
    { v: { claimRef: { namespace: "n", name: "c" } } },
  );
  graph.setAttachment("w", { spec: { nodeName: "a" } });
  for (const [path, name] of [
    ["/persistentvolumes", "v"],
    ["storage.k8s.io/volumeattachments", "w"],
  ] as const) {
    assert.equal(decideForNode(graph, rules, node("a"), access("get", path, name, "")).allowed, true);
    assert.deepEqual(decideForNode(graph, rules, node("a"), access("get", path, name, "n")), {
      allowed: false,
      reason: unrelated("a"),
    });
  }
});

test("a volume and its secrets are for the nodes where its claim is used, what only controllers need is not", () => {
  const secretRef = (name: string) => ({ namespace: "s", name });
  const graph = graphOf(
    { p: volume({ persistentVolumeClaim: { claimName: "c" } }) },
    {
      v: {
        claimRef: { namespace: "n", name: "c" },
        csi: { nodeStageSecretRef: secretRef("x"), controllerPublishSecretRef: secretRef("y") },
      },
      w: { csi: { nodeStageSecretRef: secretRef("z") } },
    },
  );
  const may = (name: string, verb: string, path: string, object: string, namespace: string): boolean =>
    decideForNode(graph, rules, node(name), access(verb, path, object, namespace)).allowed;
  assert.deepEqual(
    [
      may("a", "get", "/persistentvolumes", "v", ""),
      may("b", "get", "/persistentvolumes", "v", ""),
      may("a", "get", "/persistentvolumes", "w", ""),
      may("a", "get", "/secrets", "x", "s"),
      may("b", "get", "/secrets", "x", "s"),
      may("a", "get", "/secrets", "y", "s"),
      may("a", "get", "/secrets", "z", "s"),
    ],
    [true, false, false, true, false, false, false],
  );
  graph.deleteVolume("v");
  assert.equal(may("a", "get", "/secrets", "x", "s"), false);
});

test("a secret that two pods of a node use stays readable when one of them goes", () => {
  const graph = graphOf({ p: volume({ secret: { secretName: "x" } }), q: volume({ secret: { secretName: "x" } }) });
  graph.deletePod("n", "p");
  assert.equal(decideForNode(graph, rules, node("a"), access("get", "/secrets")).allowed, true);
  graph.setPod("n", "q", { spec: { nodeName: "a" } });
  assert.equal(decideForNode(graph, rules, node("a"), access("get", "/secrets")).allowed, false);
});

describe("A node is told why it may not", () => {
  const graph = new NodeGraph();
  graph.setAttachment("x", { spec: { nodeName: "a" } });
  const rows: readonly [RequestedAccess, string | true][] = [
    [access("update", "/secrets"), "can only read resources of this type"],
    [access("get", "/secrets/y"), "cannot read subresource"],
    [access("list", "/secrets", "", ""), "can only read namespaced object of this type"],
    [access("list", "/secrets", ""), "No Object name found"],
    [access("list", "/persistentvolumeclaims"), "can only get individual resources of this type"],
    [access("get", "/persistentvolumes/status"), "cannot get subresource"],
    [access("get", "/persistentvolumeclaims/status"), "can only get/update/patch this type"],
    [access("get", "/serviceaccounts"), "can only create tokens for individual service accounts"],
    [access("create", "/serviceaccounts"), "can only create token subresource of serviceaccount"],
    [
      access("list", "coordination.k8s.io/leases", "", "kube-node-lease"),
      "can only get, create, update, patch, or delete a node lease",
    ],
    [
      access("get", "coordination.k8s.io/leases", "a"),
      'can only access leases in the "kube-node-lease" system namespace',
    ],
    [
      access("get", "coordination.k8s.io/leases", "b", "kube-node-lease"),
      "can only access node lease with the same name as the requesting node",
    ],
    [access("get", "coordination.k8s.io/leases", "a", "kube-node-lease"), true],
    [access("create", "coordination.k8s.io/leases", "", "kube-node-lease"), true],
    [access("watch", "storage.k8s.io/csinodes", "a", ""), "can only get, create, update, patch, or delete a CSINode"],
    [access("get", "storage.k8s.io/csinodes/y", "a", ""), "cannot authorize CSINode subresources"],
    [
      access("get", "storage.k8s.io/csinodes", "b", ""),
      "can only access CSINode with the same name as the requesting node",
    ],
    [access("delete", "storage.k8s.io/csinodes", "a", ""), true],
    [access("get", "storage.k8s.io/volumeattachments", "x", ""), true],
    [access("get", "storage.k8s.io/volumeattachments", "y", ""), unrelated("a")],
    [access("get", "/services"), true],
    [access("delete", "/services"), ""],
  ];
  for (const [wanted, expected] of rows) {
    test(`${wanted.verb} ${wanted.group}/${wanted.resource}/${wanted.subresource} ${wanted.name}`, () => {
      const verdict = decideForNode(graph, rules, node("a"), wanted);
      assert.deepEqual(
        verdict,
        expected === true ? { allowed: true, reason: "" } : { allowed: false, reason: expected },
      );
    });
  }

  test("nobody else is a node", () => {
    for (const user of [
      { username: "system:node:a", groups: [] },
      { username: "a", groups: ["system:nodes"] },
    ]) {
      assert.deepEqual(decideForNode(graph, rules, user, access("get", "/services")), { allowed: false, reason: "" });
    }
    const nameless = { username: "system:node:", groups: ["system:nodes"] };
    const reason = 'unknown node for user "system:node:"';
    assert.deepEqual(decideForNode(graph, rules, nameless, access("get", "/services")), { allowed: false, reason });
  });
});
