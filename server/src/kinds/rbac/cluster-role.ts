import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { guardRole } from "./escalation/role-guard.js";
import { clusterRoleRules } from "./rules/roles.js";

/** Rights that a binding gives in a namespace or everywhere. Colons are allowed in its name, as in `system:node`. */
export const clusterRoleRow: ResourceRow = {
  resource: "clusterroles",
  kind: "ClusterRole",
  namespaced: false,
  metadataRechecks: "inRules",
  storageVersionHash: "bYE5ZWDrJ44=",
  nameRule: "pathSegment",
  allowCreateOnUpdate: true,
  guard: guardRole,
  rules: clusterRoleRules,
};
