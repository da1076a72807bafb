// Kinds that requests of the area `webhook-reviews` are about: their versions, a valid object of each, and what changes it.

const group = "reviews.example.com";
const pod = { containers: [{ name: "c", image: "i" }] };
const template = { metadata: { labels: { app: "x" } }, spec: pod };
const preserving = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

/**
 * A kind by its resource: `object(r, version)` is the rest of a valid object beside its metadata, `change(r)` a merge patch,
 * and `parts` are subresources: `merge` is a patch of one, `post` what is created there, `connect` a path to connect to.
 */
export const kinds = {
  configmaps: {
    kind: "ConfigMap",
    object: (r) => ({ data: { a: r.pick(["1", "2"]) } }),
    change: (r) => ({ data: { b: r.pick(["x", null]) } }),
  },
  secrets: { kind: "Secret", object: () => ({ stringData: { a: "1" } }), change: () => ({ stringData: { b: "2" } }) },
  pods: {
    kind: "Pod",
    object: () => ({ spec: pod }),
    change: (r) => ({ spec: { containers: [{ name: "c", image: r.pick(["i", "j", ""]) }] } }),
    parts: [
      { name: "status", merge: { status: { phase: "Running" } } },
      { name: "ephemeralcontainers", merge: { spec: { ephemeralContainers: [{ name: "e", image: "i" }] } } },
      { name: "binding", post: (name) => ({ metadata: { name }, target: { kind: "Node", name: "n1" } }) },
      {
        name: "eviction",
        post: (name) => ({ apiVersion: "policy/v1", kind: "Eviction", metadata: { name }, deleteOptions: {} }),
      },
      { name: "proxy", connect: "proxy/a?b=c" },
      { name: "exec", connect: "exec?command=ls&command=-l&stdout=true" },
    ],
  },
  services: {
    kind: "Service",
    object: () => ({ spec: { ports: [{ port: 80 }] } }),
    change: (r) => ({ spec: { ports: [{ port: r.pick([81, 0]) }] } }),
    parts: [{ name: "status", merge: { status: { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } } } }],
  },
  serviceaccounts: {
    kind: "ServiceAccount",
    object: () => ({}),
    change: (r) => ({ automountServiceAccountToken: r.chance(0.5) }),
    parts: [{ name: "token", post: () => ({ spec: { audiences: ["a"], expirationSeconds: 3600 } }) }],
  },
  replicationcontrollers: {
    kind: "ReplicationController",
    object: () => ({ spec: { replicas: 1, selector: { app: "x" }, template } }),
    change: (r) => ({ spec: { replicas: r.pick([2, -1]) } }),
    parts: [
      { name: "scale", merge: { spec: { replicas: 3 } } },
      { name: "status", merge: { status: { replicas: 1 } } },
    ],
  },
  deployments: {
    group: "apps",
    kind: "Deployment",
    object: () => ({ spec: { selector: { matchLabels: { app: "x" } }, template } }),
    change: (r) => ({ spec: { replicas: r.int(4), paused: true } }),
    parts: [
      { name: "scale", merge: { spec: { replicas: 3 } } },
      { name: "status", merge: { status: { replicas: 1 } } },
    ],
  },
  horizontalpodautoscalers: {
    group: "autoscaling",
    versions: ["v1", "v2"],
    kind: "HorizontalPodAutoscaler",
    object: (r, version) => ({
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
        maxReplicas: 3,
        ...(version === "v1"
          ? { targetCPUUtilizationPercentage: 50 }
          : {
              metrics: [
                {
                  type: "Resource",
                  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
                },
                ...(r.chance(0.5)
                  ? [
                      {
                        type: "Pods",
                        pods: { metric: { name: "m" }, target: { type: "AverageValue", averageValue: "1" } },
                      },
                    ]
                  : []),
              ],
            }),
      },
    }),
    change: (r) => ({ spec: { maxReplicas: r.pick([4, 0]) } }),
    parts: [{ name: "status", merge: { status: { currentReplicas: 1, desiredReplicas: 2 } } }],
  },
  widgets: {
    group,
    versions: ["v1", "v2", "v1beta1"],
    kind: "Widget",
    object: (r) => ({ spec: { replicas: r.int(3), more: { a: [1, "b"] } } }),
    change: (r) => ({ spec: { size: r.pick(["m", 7]) } }),
    parts: [
      { name: "scale", merge: { spec: { replicas: 3 } } },
      { name: "status", merge: { status: { replicas: 1 } } },
    ],
  },
  namespaces: {
    kind: "Namespace",
    isCluster: true,
    object: () => ({}),
    change: (r) => ({ metadata: { labels: { zone: r.pick(["a", "b"]) } } }),
    parts: [{ name: "status", merge: { metadata: { labels: { zone: "b" } } } }],
  },
  persistentvolumes: {
    kind: "PersistentVolume",
    isCluster: true,
    object: () => ({
      spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } },
    }),
    change: (r) => ({ spec: { capacity: { storage: r.pick(["2Gi", "0"]) } } }),
    parts: [{ name: "status", merge: { status: { phase: "Available" } } }],
  },
  clusterroles: {
    group: "rbac.authorization.k8s.io",
    kind: "ClusterRole",
    isCluster: true,
    object: () => ({ rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] }),
    change: () => ({ rules: [] }),
  },
  prioritylevelconfigurations: {
    group: "flowcontrol.apiserver.k8s.io",
    versions: ["v1", "v1beta3"],
    kind: "PriorityLevelConfiguration",
    isCluster: true,
    object: () => ({ spec: { type: "Limited", limited: { limitResponse: { type: "Reject" } } } }),
    change: () => ({ spec: { limited: { lendablePercent: 10 } } }),
    parts: [{ name: "status", merge: { status: { conditions: [{ type: "T", status: "True" }] } } }],
  },
  gadgets: {
    group,
    versions: ["v1", "v2"],
    kind: "Gadget",
    isCluster: true,
    object: () => ({ spec: { a: 1 } }),
    change: () => ({ spec: { b: 2 } }),
    parts: [{ name: "status", merge: { status: { a: 1 } } }],
  },
};

/** Returns the versions of a kind; the first of a custom kind is the stored one. */
export const versionsOf = ({ versions = ["v1"] }) => versions;

export const apiVersionOf = ({ group: name = "" }, version) => (name === "" ? version : `${name}/${version}`);

/** Returns the path of the collection of a resource. */
export function collectionOf(resource, version, namespace) {
  const kind = kinds[resource];
  const root = kind.group === undefined ? "/api" : "/apis";
  return `${root}/${apiVersionOf(kind, version)}${kind.isCluster ? "" : `/namespaces/${namespace}`}/${resource}`;
}

/** The definitions of the custom kinds. */
export const definitions = Object.entries(kinds)
  .filter(([, kind]) => kind.group === group)
  .map(([plural, { kind, versions, isCluster = false }]) => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: isCluster ? "Cluster" : "Namespaced",
      names: { plural, kind },
      versions: versions.map((name) => ({
        name,
        served: true,
        storage: name === versions[0],
        subresources: {
          status: {},
          ...(plural === "widgets" && {
            scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
          }),
        },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                ...preserving,
                properties: { replicas: { type: "integer" }, size: { type: "string", default: "s" } },
              },
              status: preserving,
            },
          },
        },
      })),
    },
  }));
