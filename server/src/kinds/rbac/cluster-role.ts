import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { validatePathSegmentName } from "@gatehouse/envelopes/validation";
import { guardRole } from "./escalation/role-guard.js";
import { clusterRoleValidation } from "./validation/roles.js";

/**
 * The definition of ClusterRole, granted in a namespace or everywhere. Its name may have colons, as in `system:node`.
 */
export const clusterRoleDefinition: KindDefinition = {
  resource: "clusterroles",
  kind: "ClusterRole",
  namespaced: false,
  storageVersionHash: "bYE5ZWDrJ44=",
  strategy: {
    validation: clusterRoleValidation,
    metadata: { rechecks: "inValidation", validateName: validatePathSegmentName },
    create: { authorize: guardRole },
    update: { allowCreateOnUpdate: true, authorize: guardRole },
  },
};
