import type { ResourceRow } from "@gatehouse/apiserver/registry";
import { guardBinding } from "./escalation/binding-guard.js";
import { roleBindingTable } from "./role-binding/columns.js";
import { clusterRoleBindingRules } from "./rules/bindings.js";

/** The definition of ClusterRoleBinding, which grants a cluster role everywhere. */
export const clusterRoleBindingRow: ResourceRow = {
  resource: "clusterrolebindings",
  kind: "ClusterRoleBinding",
  namespaced: false,
  metadataRechecks: "inRules",
  storageVersionHash: "48tpQ8gZHFc=",
  nameRule: "pathSegment",
  allowCreateOnUpdate: true,
  guard: guardBinding,
  table: roleBindingTable,
  rules: clusterRoleBindingRules,
};
