import type { JsonObject } from "@gatehouse/envelopes/json";

/** A resource that requests are about, with a valid object of it. */
export interface FuzzTarget {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespaced: boolean;
  readonly object: JsonObject;
}

const podTemplate: JsonObject = {
  metadata: { labels: { app: "a" } },
  spec: {
    containers: [
      {
        name: "c",
        image: "i:1",
        ports: [{ containerPort: 80, name: "http" }],
        env: [{ name: "A", value: "1" }],
        resources: { limits: { cpu: "100m", memory: "64Mi" } },
      },
    ],
  },
};

/** Kinds that between them have every sort of member: maps, keyed lists, sets, quantities, bytes, times, raw JSON. */
export const fuzzTargets: readonly FuzzTarget[] = [
  core("ConfigMap", "configmaps", { data: { k: "v" }, binaryData: { b: "AAEC" } }),
  core("Secret", "secrets", { type: "Opaque", data: { k: "dmFsdWU=" }, stringData: { s: "text" } }),
  core("Service", "services", {
    spec: { selector: { app: "a" }, ports: [{ name: "http", port: 80, targetPort: "http", protocol: "TCP" }] },
  }),
  core("Pod", "pods", { spec: podTemplate["spec"] as JsonObject }),
  core("ServiceAccount", "serviceaccounts", { secrets: [{ name: "s" }] }),
  core("LimitRange", "limitranges", { spec: { limits: [{ type: "Container", max: { cpu: "1" } }] } }),
  core("Event", "events", {
    involvedObject: { kind: "Pod", namespace: "fuzz-0", name: "a" },
    reason: "Tested",
    firstTimestamp: "2024-01-02T03:04:05Z",
    eventTime: "2024-01-02T03:04:05.000006Z",
    count: 1,
    action: "Test",
    reportingComponent: "test",
    reportingInstance: "test-1",
    type: "Normal",
  }),
  named("apps", "v1", "Deployment", "deployments", {
    spec: { replicas: 1, selector: { matchLabels: { app: "a" } }, template: podTemplate },
  }),
  named("batch", "v1", "Job", "jobs", {
    spec: {
      template: { ...podTemplate, spec: { ...(podTemplate["spec"] as JsonObject), restartPolicy: "Never" } },
      backoffLimit: 3,
    },
  }),
  named("networking.k8s.io", "v1", "Ingress", "ingresses", {
    spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } },
  }),
  named("rbac.authorization.k8s.io", "v1", "Role", "roles", {
    rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
  }),
  named("coordination.k8s.io", "v1", "Lease", "leases", {
    spec: { holderIdentity: "h", leaseDurationSeconds: 15, renewTime: "2024-01-02T03:04:05.000006Z" },
  }),
  named("autoscaling", "v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", {
    spec: { scaleTargetRef: { kind: "Deployment", name: "a", apiVersion: "apps/v1" }, minReplicas: 1, maxReplicas: 3 },
  }),
  cluster(
    named("rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles", {
      rules: [{ nonResourceURLs: ["/x"], verbs: ["get"] }],
    }),
  ),
  cluster(
    core("PersistentVolume", "persistentvolumes", {
      spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } },
    }),
  ),
  cluster(core("Node", "nodes", { spec: { taints: [{ key: "k", effect: "NoSchedule" }] } })),
  named("apps", "v1", "ControllerRevision", "controllerrevisions", { revision: 1, data: { spec: { any: [1, "x"] } } }),
  named("batch", "v1", "CronJob", "cronjobs", {
    spec: {
      schedule: "* * * * *",
      jobTemplate: {
        spec: { template: { spec: { containers: [{ name: "c", image: "i" }], restartPolicy: "Never" } } },
      },
    },
  }),
  named("discovery.k8s.io", "v1", "EndpointSlice", "endpointslices", {
    addressType: "IPv4",
    endpoints: [{ addresses: ["10.0.0.1"], conditions: { ready: true } }],
    ports: [{ name: "http", port: 80 }],
  }),
  named("policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets", {
    spec: { minAvailable: "50%", selector: { matchLabels: { app: "a" } } },
  }),
  cluster(
    named("apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions", {
      spec: {
        group: "example.com",
        names: { kind: "A", plural: "a" },
        scope: "Namespaced",
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: "object", properties: { spec: { type: "object", default: {} } } } },
          },
        ],
      },
    }),
  ),
  cluster(
    named("admissionregistration.k8s.io", "v1", "ValidatingWebhookConfiguration", "validatingwebhookconfigurations", {
      webhooks: [
        {
          name: "a.example.com",
          clientConfig: { url: "https://127.0.0.1:1/x", caBundle: "AAEC" },
          rules: [
            { apiGroups: ["none.example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["none"] },
          ],
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
        },
      ],
    }),
  ),
  cluster(
    named("flowcontrol.apiserver.k8s.io", "v1beta3", "FlowSchema", "flowschemas", {
      spec: { priorityLevelConfiguration: { name: "catch-all" }, matchingPrecedence: 100 },
    }),
  ),
];

function core(kind: string, resource: string, members: JsonObject): FuzzTarget {
  return named("", "v1", kind, resource, members);
}

function named(group: string, version: string, kind: string, resource: string, members: JsonObject): FuzzTarget {
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const object: JsonObject = { apiVersion, kind, metadata: { name: "a" }, ...members };
  return { group, version, kind, resource, namespaced: true, object };
}

function cluster(target: FuzzTarget): FuzzTarget {
  return { ...target, namespaced: false };
}
