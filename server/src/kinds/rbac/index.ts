import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { clusterRoleDefinition } from "./cluster-role.js";
import { clusterRoleBindingDefinition } from "./cluster-role-binding.js";
import { roleDefinition } from "./role.js";
import { roleBindingDefinition } from "./role-binding/definition.js";

/** The resources of rbac.authorization.k8s.io: roles and their bindings. */
export const rbacResources: readonly ResourceDefinition[] = defineResources("rbac.authorization.k8s.io", "v1", [
  clusterRoleBindingDefinition,
  clusterRoleDefinition,
  roleBindingDefinition,
  roleDefinition,
]);
