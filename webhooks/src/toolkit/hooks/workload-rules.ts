import type { HookRule } from "./hook-options.js";

const written = ["CREATE", "UPDATE"] as const;

/** Rules for pods and for every built-in resource with a pod template. Other workloads make one of these in the end. */
export const workloadRules: readonly HookRule[] = [
  {
    operations: written,
    apiGroups: [""],
    apiVersions: ["v1"],
    resources: ["pods", "podtemplates", "replicationcontrollers"],
    scope: "Namespaced",
  },
  {
    operations: written,
    apiGroups: ["apps"],
    apiVersions: ["v1"],
    resources: ["daemonsets", "deployments", "replicasets", "statefulsets"],
    scope: "Namespaced",
  },
  {
    operations: written,
    apiGroups: ["batch"],
    apiVersions: ["v1"],
    resources: ["cronjobs", "jobs"],
    scope: "Namespaced",
  },
];
