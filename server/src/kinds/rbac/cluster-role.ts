import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { guardRole } from "./escalation/role-guard.js";
import { clusterRoleValidation } from "./validation/roles.js";

/**
 * The definition of ClusterRole, granted in a namespace or everywhere. Its name may have colons, as in `system:node`.
 */
export const clusterRoleDefinition: KindDefinition = {
  resource: "clusterroles",
  kind: "ClusterRole",
  namespaced: false,
  metadataRechecks: "inValidation",
  storageVersionHash: "bYE5ZWDrJ44=",
  nameFormat: "pathSegment",
  allowCreateOnUpdate: true,
  guard: guardRole,
  validation: clusterRoleValidation,
};
