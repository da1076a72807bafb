import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { clusterRoleRow } from "./cluster-role.js";
import { clusterRoleBindingRow } from "./cluster-role-binding.js";
import { roleRow } from "./role.js";
import { roleBindingRow } from "./role-binding/definition.js";

/** The resources of rbac.authorization.k8s.io: roles and their bindings. */
export const rbacResources: readonly ResourceDefinition[] = defineResources("rbac.authorization.k8s.io", "v1", [
  clusterRoleBindingRow,
  clusterRoleRow,
  roleBindingRow,
  roleRow,
]);
