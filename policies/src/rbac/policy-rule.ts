import { listOf, memberOf, textOf, textsOf } from "../access/stored-members.js";

/** A rule of a role (rbac/v1 PolicyRule), with no member left out. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  /** Resources: `pods`, `pods/log`, a star and `/log` for the logs of any resource, or `*` for all of them. */
  readonly resources: readonly string[];
  /** The names of objects; empty for any. */
  readonly resourceNames: readonly string[];
  /** Paths; a star at the end stands for anything. */
  readonly nonResourceURLs: readonly string[];
}

/** A reference from a binding to its role. */
export interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

/** A subject to which a role is bound. */
export interface Subject {
  readonly kind: string;
  readonly name: string;
  /** The namespace of a service account; that of the binding when empty. */
  readonly namespace: string;
}

/** A RoleBinding, or a ClusterRoleBinding where the namespace is empty. */
export interface BindingSpec {
  readonly namespace: string;
  readonly name: string;
  readonly roleRef: RoleRef;
  readonly subjects: readonly Subject[];
}

/** Returns the rules of a stored role; invalid members count as left out. */
export function policyRulesOf(role: unknown): readonly PolicyRule[] {
  return listOf(role, "rules").map((rule) => ({
    verbs: textsOf(rule, "verbs"),
    apiGroups: textsOf(rule, "apiGroups"),
    resources: textsOf(rule, "resources"),
    resourceNames: textsOf(rule, "resourceNames"),
    nonResourceURLs: textsOf(rule, "nonResourceURLs"),
  }));
}

/** Returns the members of a stored binding. `namespace` and `name` are those under which it is stored. */
export function bindingSpecOf(binding: unknown, namespace: string, name: string): BindingSpec {
  const roleRef = memberOf(binding, "roleRef");
  return {
    namespace,
    name,
    roleRef: { kind: textOf(roleRef, "kind"), name: textOf(roleRef, "name") },
    subjects: listOf(binding, "subjects").map((subject) => ({
      kind: textOf(subject, "kind"),
      name: textOf(subject, "name"),
      namespace: textOf(subject, "namespace"),
    })),
  };
}
