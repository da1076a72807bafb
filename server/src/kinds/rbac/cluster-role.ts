import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { guardRole } from "./escalation/role-guard.js";
import { clusterRoleRules } from "./rules/roles.js";

/**
 * The definition of ClusterRole, granted in a namespace or everywhere. Its name may have colons, as in `system:node`.
 */
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
