import type { JsonObject } from "@gatehouse/envelopes/json";
import type { Hook } from "../hooks/hook.js";

/**
 * Returns the ClusterRole and ClusterRoleBinding that a service account needs for the lookups of hooks: to get, list
 * and watch the resources in their `reads`. Empty when they read nothing.
 */
export function rbacFor(
  hooks: readonly Hook[],
  {
    name,
    namespace,
    serviceAccount,
  }: { readonly name: string; readonly namespace: string; readonly serviceAccount: string },
): JsonObject[] {
  const byGroup = new Map<string, Set<string>>();
  for (const { apiVersion, resource } of hooks.flatMap(({ reads }) => reads)) {
    const slash = apiVersion.indexOf("/");
    const group = apiVersion.slice(0, Math.max(slash, 0));
    byGroup.set(group, (byGroup.get(group) ?? new Set()).add(resource));
  }
  if (byGroup.size === 0) {
    return [];
  }
  const rules = [...byGroup].sort().map(([group, resources]) => ({
    apiGroups: [group],
    resources: [...resources].sort(),
    verbs: ["get", "list", "watch"],
  }));
  const api = "rbac.authorization.k8s.io";
  return [
    { apiVersion: `${api}/v1`, kind: "ClusterRole", metadata: { name }, rules },
    {
      apiVersion: `${api}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name },
      roleRef: { apiGroup: api, kind: "ClusterRole", name },
      subjects: [{ kind: "ServiceAccount", name: serviceAccount, namespace }],
    },
  ];
}
