import type { JsonObject } from "@gatehouse/envelopes/json";

/** A service account, and the namespace of what it runs. */
export interface Account {
  readonly name: string;
  readonly namespace: string;
}

const group = "rbac.authorization.k8s.io";
const apiVersion = `${group}/v1`;

/** Returns a ServiceAccount. */
export function serviceAccount({ name, namespace }: Account): JsonObject {
  return { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace } };
}

/** Returns a ClusterRole of the name of an account, and its binding to the account. */
export function clusterRights(account: Account, rules: readonly JsonObject[]): JsonObject[] {
  const { name } = account;
  return [
    { apiVersion, kind: "ClusterRole", metadata: { name }, rules: [...rules] },
    clusterRoleBinding(name, { role: name, account }),
  ];
}

/** Returns a Role, and its binding to an account, which is that of the name and namespace of the Role when not given. */
export function namespacedRights(
  metadata: { readonly name: string; readonly namespace: string },
  rules: readonly JsonObject[],
  account: Account = metadata,
): JsonObject[] {
  return [
    { apiVersion, kind: "Role", metadata: { ...metadata }, rules: [...rules] },
    roleBinding(metadata, { role: metadata.name, account }),
  ];
}

/** Returns a ClusterRoleBinding that gives an account a ClusterRole. */
export function clusterRoleBinding(
  name: string,
  { role, account }: { readonly role: string; readonly account: Account },
): JsonObject {
  return {
    apiVersion,
    kind: "ClusterRoleBinding",
    metadata: { name },
    roleRef: { apiGroup: group, kind: "ClusterRole", name: role },
    subjects: [subject(account)],
  };
}

/** Returns a RoleBinding that gives an account a Role of the namespace of the binding. */
export function roleBinding(
  metadata: { readonly name: string; readonly namespace: string },
  { role, account }: { readonly role: string; readonly account: Account },
): JsonObject {
  return {
    apiVersion,
    kind: "RoleBinding",
    metadata: { ...metadata },
    roleRef: { apiGroup: group, kind: "Role", name: role },
    subjects: [subject(account)],
  };
}

function subject({ name, namespace }: Account): JsonObject {
  return { kind: "ServiceAccount", name, namespace };
}
