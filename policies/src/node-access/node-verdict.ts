import { goQuote } from "@gatehouse/envelopes/go";
import type { AccessUser, RequestedAccess } from "../access/requested-access.js";
import type { PolicyRule } from "../rbac/policy-rule.js";
import { ruleAllows } from "../rbac/rule-match.js";
import type { GraphKind, NodeGraph } from "./node-graph.js";

/** The verdict about a node's request. A request that is not allowed here is left to other authorizers. */
export interface NodeVerdict {
  readonly allowed: boolean;
  /** The reason; empty for none. */
  readonly reason: string;
}

const nodeUserPrefix = "system:node:";
const nodesGroup = "system:nodes";
const nodeLeases = "kube-node-lease";

const allowed: NodeVerdict = Object.freeze({ allowed: true, reason: "" });
const noOpinion: NodeVerdict = Object.freeze({ allowed: false, reason: "" });

/** Returns the name of the node that a user is; undefined for any other user, empty if the user name does not tell. */
export function nodeNameOf({ username, groups }: AccessUser): string | undefined {
  return username.startsWith(nodeUserPrefix) && groups.includes(nodesGroup)
    ? username.slice(nodeUserPrefix.length)
    : undefined;
}

/**
 * Decides about a node's request (v1.29): a node may read what its pods need, keep its own objects, and do what the
 * rules for all nodes allow.
 */
export function decideForNode(
  graph: NodeGraph,
  rules: readonly PolicyRule[],
  user: AccessUser,
  access: RequestedAccess,
): NodeVerdict {
  const node = nodeNameOf(user);
  if (node === undefined) {
    return noOpinion;
  }
  if (node === "") {
    return no(`unknown node for user ${goQuote(user.username)}`);
  }
  const decide = access.isResourceRequest ? decisions.get(`${access.group}/${access.resource}`) : undefined;
  if (decide !== undefined) {
    return decide({ graph, node, access });
  }
  return rules.some((rule) => ruleAllows(rule, access)) ? allowed : noOpinion;
}

interface Question {
  readonly graph: NodeGraph;
  readonly node: string;
  readonly access: RequestedAccess;
}

type Decide = (question: Question) => NodeVerdict;

function no(reason: string): NodeVerdict {
  return { allowed: false, reason };
}

function related({ graph, node, access: { namespace, name } }: Question, kind: GraphKind): NodeVerdict {
  return graph.leadsTo(node, kind, namespace, name)
    ? allowed
    : no(`no relationship found between node '${node}' and this object`);
}

function named(question: Question, kind: GraphKind): NodeVerdict {
  return question.access.name === "" ? no("No Object name found") : related(question, kind);
}

function readNamespaced(kind: GraphKind): Decide {
  return (question) => {
    const { verb, subresource, namespace } = question.access;
    if (verb !== "get" && verb !== "list" && verb !== "watch") {
      return no("can only read resources of this type");
    }
    if (subresource !== "") {
      return no("cannot read subresource");
    }
    return namespace === "" ? no("can only read namespaced object of this type") : named(question, kind);
  };
}

function get(kind: GraphKind): Decide {
  return (question) => {
    if (question.access.verb !== "get") {
      return no("can only get individual resources of this type");
    }
    return question.access.subresource === "" ? named(question, kind) : no("cannot get subresource");
  };
}

/** Decides about a claim, of which a node may write the status. */
function claim(question: Question): NodeVerdict {
  const { subresource, verb } = question.access;
  if (subresource !== "status") {
    return get("persistentvolumeclaims")(question);
  }
  return verb === "update" || verb === "patch"
    ? named(question, "persistentvolumeclaims")
    : no("can only get/update/patch this type");
}

function token(question: Question): NodeVerdict {
  const { verb, name, subresource } = question.access;
  if (verb !== "create" || name === "") {
    return no("can only create tokens for individual service accounts");
  }
  return subresource === "token"
    ? related(question, "serviceaccounts")
    : no("can only create token subresource of serviceaccount");
}

const ownVerbs: ReadonlySet<string> = new Set(["get", "create", "update", "patch", "delete"]);

/** Decides about a lease. The name of a new object is not known yet: admission checks it. */
function lease({ node, access: { verb, namespace, name } }: Question): NodeVerdict {
  if (!ownVerbs.has(verb)) {
    return no("can only get, create, update, patch, or delete a node lease");
  }
  if (namespace !== nodeLeases) {
    return no(`can only access leases in the ${goQuote(nodeLeases)} system namespace`);
  }
  return verb === "create" || name === node
    ? allowed
    : no("can only access node lease with the same name as the requesting node");
}

function csiNode({ node, access: { verb, subresource, name } }: Question): NodeVerdict {
  if (!ownVerbs.has(verb)) {
    return no("can only get, create, update, patch, or delete a CSINode");
  }
  if (subresource !== "") {
    return no("cannot authorize CSINode subresources");
  }
  return verb === "create" || name === node
    ? allowed
    : no("can only access CSINode with the same name as the requesting node");
}

/** Decisions by group and resource that the rules for all nodes do not make. */
const decisions: ReadonlyMap<string, Decide> = new Map<string, Decide>([
  ["/secrets", readNamespaced("secrets")],
  ["/configmaps", readNamespaced("configmaps")],
  ["/persistentvolumeclaims", claim],
  ["/persistentvolumes", get("persistentvolumes")],
  ["resource.k8s.io/resourceclaims", get("resourceclaims")],
  ["storage.k8s.io/volumeattachments", get("volumeattachments")],
  ["/serviceaccounts", token],
  ["coordination.k8s.io/leases", lease],
  ["storage.k8s.io/csinodes", csiNode],
]);
