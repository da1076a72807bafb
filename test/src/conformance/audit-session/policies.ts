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
  parts: {
    rules: [
      { level: "RequestResponse", resources: [{ group: "", resources: ["*/status", "*/scale", "*/token"] }] },
      { level: "Request", resources: [{ group: "apps", resources: ["*/scale", "replicasets"] }] },
      { level: "Metadata", resources: [{ resources: ["pods/exec", "pods/proxy", "nodes/proxy", "services/*"] }] },
      { level: "None", resources: [{ resources: ["*"] }, { group: "none.example.com" }] },
      { level: "Request", nonResourceURLs: ["/"] },
    ],
  },
  callers: {
    rules: [
      { level: "None", users: ["jane"], verbs: ["get", "list"] },
      { level: "RequestResponse", users: ["bob", "jane"], userGroups: ["developers", "system:masters"] },
      { level: "Metadata", userGroups: ["system:unauthenticated", "g"] },
      { level: "Request", users: [""] },
      { level: "Metadata", users: ["kubernetes-admin"], resources: [{ resources: ["configmaps"] }] },
    ],
  },
};

/** A policy as a file, for the session of a tag. */
export function policyDocument(name: string, tag: string): string {
  const policy = { kind: "Policy", apiVersion: "audit.k8s.io/v1", ...sessionPolicies[name] };
  return JSON.stringify(policy).replaceAll("TAG", tag);
}
