import type { GroupResource } from "@gatehouse/envelopes/status";
import { bindingSpecOf, policyRulesOf, type RbacIndex } from "@gatehouse/policies/rbac";
import type { ObjectFollower } from "../object-source.js";

/** A resource of RBAC. */
export type RbacResource = "clusterroles" | "clusterrolebindings" | "roles" | "rolebindings";

/** Resources that hold for the whole cluster. */
export const clusterResources: readonly RbacResource[] = ["clusterroles", "clusterrolebindings"];

/** Resources that hold for the namespace that they are in. */
export const namespaceResources: readonly RbacResource[] = ["roles", "rolebindings"];

/** Returns the group and resource name under which the resource is served. */
export function groupResource(resource: RbacResource): GroupResource {
  return { group: "rbac.authorization.k8s.io", resource };
}

/** Keeps what an index knows of a resource as the objects are. */
export function tellIndex(index: RbacIndex, resource: RbacResource): ObjectFollower {
  return resource === "clusterroles" || resource === "roles"
    ? {
        present: (namespace, name, role) => index.setRole(namespace, name, policyRulesOf(role)),
        gone: (namespace, name) => index.deleteRole(namespace, name),
      }
    : {
        present: (namespace, name, binding) => index.setBinding(bindingSpecOf(binding, namespace, name)),
        gone: (namespace, name) => index.deleteBinding(namespace, name),
      };
}
