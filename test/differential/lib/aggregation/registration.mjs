// The objects by which a sample-apiserver is registered with the server in front of it.

export const apiServiceNames = ["v1alpha1.wardle.example.com", "v1beta1.wardle.example.com"];

const meta = (name, more) => ({ name, ...more });

/** Returns the objects for a sample-apiserver on a port of this machine. */
export function objectsOf({ port, caBundle }) {
  const role = (name, verbs) => ({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: meta(name),
    rules: [{ apiGroups: ["wardle.example.com"], resources: ["flunders", "fischers"], verbs }],
  });
  const binding = (name, subject) => ({
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: meta(name),
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", ...subject }],
  });
  const apiService = (name, versionPriority) => ({
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: meta(name),
    spec: {
      group: "wardle.example.com",
      version: name.split(".")[0],
      groupPriorityMinimum: 1000,
      versionPriority,
      caBundle,
      service: { namespace: "wardle", name: "api", port },
    },
  });
  return [
    { apiVersion: "v1", kind: "Namespace", metadata: meta("wardle") },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: meta("api", { namespace: "wardle" }),
      spec: { type: "ExternalName", externalName: "localhost" },
    },
    role("flunder-reader", ["get", "list", "watch"]),
    binding("flunder-reader", { kind: "User", name: "jane" }),
    apiService("v1alpha1.wardle.example.com", 15),
    apiService("v1beta1.wardle.example.com", 10),
  ];
}
