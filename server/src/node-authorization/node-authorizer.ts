import type { Authorizer, ObjectSource } from "@gatehouse/apiserver/authorization";
import type { GroupResource } from "@gatehouse/envelopes/status";
import { decideForNode, NodeGraph, nodeNameOf } from "@gatehouse/policies/node-access";
import type { PolicyRule } from "@gatehouse/policies/rbac";
import type { NodeGraphMetrics } from "./node-graph-metrics.js";

const pods: GroupResource = { group: "", resource: "pods" };
const volumes: GroupResource = { group: "", resource: "persistentvolumes" };
const attachments: GroupResource = { group: "storage.k8s.io", resource: "volumeattachments" };

/**
 * Opens the authorizer of `--authorization-mode=Node`: kubelets may read what the pods on their nodes need. `rules`
 * hold for all nodes. Resolves when it knows all present objects.
 */
export async function nodeAuthorizer(
  source: ObjectSource,
  rules: readonly PolicyRule[],
  metrics: NodeGraphMetrics,
): Promise<Authorizer> {
  const graph = new NodeGraph();
  await Promise.all([
    source.follow(pods, {
      present: (namespace, name, pod) => metrics.time("AddPod", () => graph.setPod(namespace, name, pod)),
      gone: (namespace, name) => metrics.time("DeletePod", () => graph.deletePod(namespace, name)),
    }),
    source.follow(volumes, {
      present: (_namespace, name, volume) => metrics.time("AddPV", () => graph.setVolume(name, volume)),
      gone: (_namespace, name) => metrics.time("DeletePV", () => graph.deleteVolume(name)),
    }),
    source.follow(attachments, {
      present: (_namespace, name, attachment) =>
        metrics.time("AddVolumeAttachment", () => graph.setAttachment(name, attachment)),
      gone: (_namespace, name) => metrics.time("DeleteVolumeAttachment", () => graph.deleteAttachment(name)),
    }),
  ]);
  return {
    authorize({ user, info }) {
      const { allowed, reason } = decideForNode(graph, rules, user, info);
      return { decision: allowed ? "allow" : "noOpinion", reason };
    },
    rulesFor(user) {
      return nodeNameOf(user) === undefined
        ? { rules: [], incomplete: false }
        : {
            rules: [],
            incomplete: true,
            error: new Error("node authorizer does not support user rule resolution"),
          };
    },
  };
}
