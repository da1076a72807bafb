import type { gatehouseauthorizationV1alpha1, rbacV1 } from "@gatehouse/envelopes/types";

/** A role or binding of rbac.authorization.k8s.io/v1. */
export type RbacObject =
  | Of<"Role", rbacV1.Role>
  | Of<"ClusterRole", rbacV1.ClusterRole>
  | Of<"RoleBinding", rbacV1.RoleBinding>
  | Of<"ClusterRoleBinding", rbacV1.ClusterRoleBinding>;

type Of<Kind, T> = T & { readonly kind: Kind };

/** A document of the kind AuthorizationRules in which the shape of all roles and bindings has been checked, too. */
export interface AuthorizationRules extends Omit<gatehouseauthorizationV1alpha1.AuthorizationRules, "rbac"> {
  readonly rbac?: readonly RbacObject[];
}
