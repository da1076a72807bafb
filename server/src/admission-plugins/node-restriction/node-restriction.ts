import { type AdmissionAttributes, type AdmissionPlugin, refusal } from "@gatehouse/apiserver/admission";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { UserInfo } from "@gatehouse/apiserver/request";
import { goQuote } from "@gatehouse/envelopes/go";
import type { GroupResource } from "@gatehouse/envelopes/status";
import type { PluginParts } from "../plugin-parts.js";
import { nodeOf, podsResource } from "../pods.js";
import { checkClaimStatus } from "./check-claim.js";
import { checkCsiNode, checkLease, checkNode } from "./check-node.js";
import { checkEviction, checkPod, checkPodStatus, checkTokenRequest, type Known } from "./check-pod.js";

const nodesGroup = "system:nodes";
const userPrefix = "system:node:";

type Check = (node: string, attributes: AdmissionAttributes) => void;

/**
 * NodeRestriction: kubelets, whatever the authorizer lets them do, write nothing but their own node and what belongs to
 * it and to the pods that run there.
 */
export function nodeRestriction({ objects, features }: Pick<PluginParts, "objects" | "features">): AdmissionPlugin {
  const known: Known = {
    pods: objects.view(podsResource, (pod) => ({ node: nodeOf(pod), uid: metaOf(pod).uid ?? "" })),
    nodeUids: objects.view({ group: "", resource: "nodes" }, (node) => metaOf(node).uid ?? ""),
  };
  const recoversExpansion = features.enabled("RecoverVolumeExpansionFailure");
  const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
    ["pods.", (node, attributes) => checkPods(node, attributes, known)],
    ["nodes.", checkNode],
    ["persistentvolumeclaims.", (node, attributes) => checkClaim(node, attributes, recoversExpansion)],
    ["serviceaccounts.", (node, attributes) => checkTokenRequest(node, attributes, known)],
    ["leases.coordination.k8s.io", checkLease],
    ["csinodes.storage.k8s.io", checkCsiNode],
  ]);
  return {
    name: "NodeRestriction",
    concerns: ({ operation }) => operation !== "CONNECT",
    admit(attributes) {
      const node = nodeNameOf(attributes.user);
      if (node === undefined) {
        return;
      }
      if (node === "") {
        throw refusal(attributes, `could not determine node from user ${goQuote(attributes.user.username)}`);
      }
      checks.get(keyOf(attributes.resource))?.(node, attributes);
    },
  };
}

/** Returns the node whose kubelet the user is; undefined for other users. */
function nodeNameOf({ username, groups }: UserInfo): string | undefined {
  const isNode = username.startsWith(userPrefix) && groups.includes(nodesGroup);
  return isNode ? username.slice(userPrefix.length) : undefined;
}

function keyOf({ group, resource }: GroupResource): string {
  return `${resource}.${group}`;
}

function checkPods(node: string, attributes: AdmissionAttributes, known: Known): void {
  switch (attributes.subresource) {
    case "":
      checkPod(node, attributes, known);
      break;
    case "status":
      checkPodStatus(node, attributes);
      break;
    case "eviction":
      checkEviction(node, attributes, known);
      break;
    default:
      throw refusal(
        attributes,
        `unexpected pod subresource ${goQuote(attributes.subresource)}, only 'status' and 'eviction' are allowed`,
      );
  }
}

function checkClaim(node: string, attributes: AdmissionAttributes, recoversExpansion: boolean): void {
  if (attributes.subresource !== "status") {
    throw refusal(attributes, "may only update PVC status");
  }
  checkClaimStatus(node, attributes, recoversExpansion);
}
