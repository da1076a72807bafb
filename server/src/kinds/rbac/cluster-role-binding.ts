import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { validatePathSegmentName } from "@gatehouse/envelopes/validation";
import { guardBinding } from "./escalation/binding-guard.js";
import { roleBindingColumns } from "./role-binding/columns.js";
import { clusterRoleBindingValidation } from "./validation/bindings.js";

/** The definition of ClusterRoleBinding, which grants a cluster role everywhere. */
export const clusterRoleBindingDefinition: KindDefinition = {
  resource: "clusterrolebindings",
  kind: "ClusterRoleBinding",
  namespaced: false,
  storageVersionHash: "48tpQ8gZHFc=",
  table: roleBindingColumns,
  strategy: {
    validation: clusterRoleBindingValidation,
    metadata: { rechecks: "inValidation", validateName: validatePathSegmentName },
    create: { authorize: guardBinding },
    update: { allowCreateOnUpdate: true, authorize: guardBinding },
  },
};
