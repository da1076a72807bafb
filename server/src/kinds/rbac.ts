import type { ResourceDefinition } from "../catalogue/resource-definition.js";
import { defineResources } from "./define-resource.js";

/** Roles and their bindings. */
export const rbacResources: readonly ResourceDefinition[] = defineResources("rbac.authorization.k8s.io", "v1", [
  {
    resource: "clusterrolebindings",
    kind: "ClusterRoleBinding",
    namespaced: false,
    storageVersionHash: "48tpQ8gZHFc=",
    nameRule: "pathSegment",
    allowCreateOnUpdate: true,
  },
  {
    resource: "clusterroles",
    kind: "ClusterRole",
    namespaced: false,
    storageVersionHash: "bYE5ZWDrJ44=",
    nameRule: "pathSegment",
    allowCreateOnUpdate: true,
  },
  {
    resource: "rolebindings",
    kind: "RoleBinding",
    namespaced: true,
    storageVersionHash: "eGsCzGH6b1g=",
    nameRule: "pathSegment",
    allowCreateOnUpdate: true,
  },
  {
    resource: "roles",
    kind: "Role",
    namespaced: true,
    storageVersionHash: "7FuwZcIIItM=",
    nameRule: "pathSegment",
    allowCreateOnUpdate: true,
  },
]);
