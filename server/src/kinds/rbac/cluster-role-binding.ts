import type { KindDefinition } from "@gatehouse/apiserver/registry";
import { guardBinding } from "./escalation/binding-guard.js";
import { roleBindingColumns } from "./role-binding/columns.js";
import { clusterRoleBindingValidation } from "./validation/bindings.js";

/** The definition of ClusterRoleBinding, which grants a cluster role everywhere. */
export const clusterRoleBindingDefinition: KindDefinition = {
  resource: "clusterrolebindings",
  kind: "ClusterRoleBinding",
  namespaced: false,
  metadataRechecks: "inValidation",
  storageVersionHash: "48tpQ8gZHFc=",
  nameFormat: "pathSegment",
  allowCreateOnUpdate: true,
  guard: guardBinding,
  table: roleBindingColumns,
  validation: clusterRoleBindingValidation,
};
