/** The policies under which the session was recorded, by name. */
export const sessionPolicies: Readonly<Record<string, object>> = {
  everything: { rules: [{ level: "RequestResponse" }] },
  metadata: { omitStages: ["RequestReceived"], rules: [{ level: "Metadata" }] },
  writes: {
    rules: [
      { level: "Metadata", resources: [{ resources: ["secrets", "configmaps", "serviceaccounts/token"] }] },
      { level: "None", verbs: ["get", "list", "watch"] },
      { level: "Request", omitStages: ["RequestReceived"] },
    ],
  },
  resources: {
    rules: [
      { level: "None", resources: [{ resources: ["pods/log", "*/status"] }] },
      { level: "RequestResponse", resources: [{ group: "apps", resources: ["deployments/*"] }] },
      { level: "Request", resources: [{ group: "rbac.authorization.k8s.io" }, { group: "batch" }] },
      { level: "Metadata", resources: [{ resources: ["configmaps"], resourceNames: ["a"] }] },
      { level: "Request", namespaces: [""], resources: [{ group: "storage.k8s.io" }] },
      { level: "Metadata", nonResourceURLs: ["/healthz*", "/version"] },
    ],
  },
  users: {
    rules: [
      { level: "RequestResponse", users: ["jane"] },
      { level: "Request", userGroups: ["system:unauthenticated"] },
      { level: "Metadata", userGroups: ["system:masters"], verbs: ["create", "delete", "deletecollection"] },
      { level: "Request", nonResourceURLs: ["*"] },
    ],
  },
  bare: {
    omitManagedFields: true,
    omitStages: ["ResponseStarted"],
    rules: [
      { level: "RequestResponse", verbs: ["patch"], omitManagedFields: false },
      { level: "RequestResponse", verbs: ["get", "list", "create"], omitStages: ["RequestReceived"] },
      { level: "Request", omitStages: ["ResponseComplete"], verbs: ["watch", "delete"] },
    ],
  },
};

/** A policy as a file. */
export function policyDocument(name: string): string {
  return JSON.stringify({ kind: "Policy", apiVersion: "audit.k8s.io/v1", ...sessionPolicies[name] });
}
