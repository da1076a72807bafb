// One small object of every kind that the areas about verbs use, and where it is served.

export const namespace = "neighbours";

const metadata = (name) => ({ name, labels: { sample: "yes" } });
const template = { metadata: { labels: { app: "s" } }, spec: { containers: [{ name: "c", image: "nginx" }] } };
const selector = { matchLabels: { app: "s" } };

/** `[[plural, group/version or version, object without type, cluster-scoped?]]` */
const samples = [
  ["configmaps", "v1", "ConfigMap", { data: { a: "1" } }],
  ["secrets", "v1", "Secret", { stringData: { a: "1" } }],
  [
    "pods",
    "v1",
    "Pod",
    { spec: { containers: [{ name: "c", image: "nginx", resources: { limits: { cpu: "0.5" } } }] } },
  ],
  ["services", "v1", "Service", { spec: { ports: [{ port: 80 }], selector: { app: "s" } } }],
  [
    "replicationcontrollers",
    "v1",
    "ReplicationController",
    { spec: { replicas: 1, selector: { app: "s" }, template } },
  ],
  [
    "persistentvolumeclaims",
    "v1",
    "PersistentVolumeClaim",
    { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
  ],
  ["serviceaccounts", "v1", "ServiceAccount", {}],
  ["endpoints", "v1", "Endpoints", { subsets: [{ addresses: [{ ip: "1.2.3.4" }], ports: [{ port: 1 }] }] }],
  ["limitranges", "v1", "LimitRange", { spec: { limits: [{ type: "Container", max: { cpu: "1000m" } }] } }],
  [
    "events",
    "v1",
    "Event",
    { involvedObject: { namespace, kind: "Pod", name: "p" }, reason: "r", message: "m", type: "Normal" },
  ],
  ["deployments", "apps/v1", "Deployment", { spec: { selector, template } }],
  ["replicasets", "apps/v1", "ReplicaSet", { spec: { selector, template } }],
  ["statefulsets", "apps/v1", "StatefulSet", { spec: { serviceName: "s", selector, template } }],
  ["daemonsets", "apps/v1", "DaemonSet", { spec: { selector, template } }],
  [
    "cronjobs",
    "batch/v1",
    "CronJob",
    {
      spec: {
        schedule: "* * * * *",
        jobTemplate: { spec: { template: { spec: { restartPolicy: "Never", ...template.spec } } } },
      },
    },
  ],
  [
    "horizontalpodautoscalers",
    "autoscaling/v2",
    "HorizontalPodAutoscaler",
    { spec: { maxReplicas: 3, scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" } } },
  ],
  [
    "ingresses",
    "networking.k8s.io/v1",
    "Ingress",
    { spec: { defaultBackend: { service: { name: "s", port: { number: 1 } } } } },
  ],
  ["networkpolicies", "networking.k8s.io/v1", "NetworkPolicy", { spec: { podSelector: {} } }],
  ["poddisruptionbudgets", "policy/v1", "PodDisruptionBudget", { spec: { minAvailable: 1, selector } }],
  [
    "leases",
    "coordination.k8s.io/v1",
    "Lease",
    { spec: { holderIdentity: "me", renewTime: "2020-01-01T00:00:00.000000Z" } },
  ],
  [
    "roles",
    "rbac.authorization.k8s.io/v1",
    "Role",
    { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] },
  ],
  [
    "endpointslices",
    "discovery.k8s.io/v1",
    "EndpointSlice",
    { addressType: "IPv4", endpoints: [{ addresses: ["1.2.3.4"] }], ports: [] },
  ],
  ["nodes", "v1", "Node", { spec: { podCIDR: "10.1.0.0/24" } }, true],
  [
    "persistentvolumes",
    "v1",
    "PersistentVolume",
    { spec: { capacity: { storage: "1024Mi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } } },
    true,
  ],
  ["priorityclasses", "scheduling.k8s.io/v1", "PriorityClass", { value: 5 }, true],
  ["storageclasses", "storage.k8s.io/v1", "StorageClass", { provisioner: "p" }, true],
  ["clusterroles", "rbac.authorization.k8s.io/v1", "ClusterRole", { rules: [] }, true],
  ["ingressclasses", "networking.k8s.io/v1", "IngressClass", { spec: { controller: "a.b/c" } }, true],
  ["runtimeclasses", "node.k8s.io/v1", "RuntimeClass", { handler: "h" }, true],
  [
    "validatingwebhookconfigurations",
    "admissionregistration.k8s.io/v1",
    "ValidatingWebhookConfiguration",
    { webhooks: [] },
    true,
  ],
  [
    "mutatingwebhookconfigurations",
    "admissionregistration.k8s.io/v1",
    "MutatingWebhookConfiguration",
    { webhooks: [] },
    true,
  ],
  [
    "prioritylevelconfigurations",
    "flowcontrol.apiserver.k8s.io/v1",
    "PriorityLevelConfiguration",
    { spec: { type: "Limited", limited: { nominalConcurrencyShares: 1, limitResponse: { type: "Reject" } } } },
    true,
  ],
  [
    "certificatesigningrequests",
    "certificates.k8s.io/v1",
    "CertificateSigningRequest",
    { spec: { signerName: "a.b/c", usages: ["client auth"], request: "" } },
    true,
  ],
];

/** `[{ plural, kind, apiVersion, collection, path, object }]`, each named `sample-` and its plural. */
export const sampleObjects = samples
  .map(([plural, apiVersion, kind, rest, isOfCluster]) => {
    const base = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const collection = isOfCluster ? `${base}/${plural}` : `${base}/namespaces/${namespace}/${plural}`;
    const name = `sample-${plural}`;
    return {
      plural,
      kind,
      apiVersion,
      collection,
      path: `${collection}/${name}`,
      object: { apiVersion, kind, metadata: metadata(name), ...rest },
    };
  })
  .filter(({ plural }) => plural !== "certificatesigningrequests");

/** Makes the namespace and one object of every kind. */
export async function setUp(side) {
  const post = (path, body) =>
    side.request({ method: "POST", path, body: JSON.stringify(body), headers: { "content-type": "application/json" } });
  await post("/api/v1/namespaces", { metadata: { name: namespace } });
  for (const { collection, object } of sampleObjects) {
    const { status, body } = await post(collection, object);
    if (status !== 201 && status !== 409) throw new Error(`${collection}: ${body}`);
  }
}
