// The kinds that sequences are generated over: for each what an object needs, and what it may have besides. An option is
// a function of a Random that returns a part of an object; every combination of parts should be valid.

const maybe = (r, probability, members) => (r.chance(probability) ? members(r) : {});
const map = (r, names, values = ["1", "2"]) => Object.fromEntries(r.some(names).map((name) => [name, r.pick(values)]));

const metadata = [
  (r) => ({ metadata: { labels: map(r, ["l1", "l2", "example.com/l3"]) } }),
  (r) => ({ metadata: { annotations: map(r, ["a1", "a2", "example.com/a3"], ["x", "y", "", "<&>"]) } }),
  (r) => ({ metadata: { finalizers: r.some(["example.com/one", "example.com/two"], 0.6) } }),
  (r) => ({
    metadata: {
      ownerReferences: r
        .some(["u-1", "u-2"], 0.6)
        .map((uid) => ({ apiVersion: "example.com/v1", kind: "Unknown", name: r.pick(["o", "p"]), uid })),
    },
  }),
];

const env = (r) =>
  r.some(["A", "B", "C"]).map((name) => ({
    name,
    ...r.pick([
      { value: r.pick(["1", "2"]) },
      {},
      { valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
      { valueFrom: { configMapKeyRef: { name: "m", key: r.pick(["k", "j"]) } } },
    ]),
  }));
const ports = (r) =>
  r.some([80, 443, 8080], 0.4).map((containerPort) => ({
    containerPort,
    ...maybe(r, 0.4, () => ({ protocol: r.pick(["TCP", "UDP"]) })),
    ...maybe(r, 0.3, () => ({ name: `p${containerPort}` })),
  }));
const amounts = (r) =>
  Object.fromEntries(
    r
      .some(["cpu", "memory"])
      .map((name) => [name, name === "cpu" ? r.pick(["100m", "0.2", "1"]) : r.pick(["64Mi", "1Gi", "1024Mi"])]),
  );
const probe = (r) => ({
  ...r.pick([
    { httpGet: { path: "/", port: r.pick([80, "p80"]) } },
    { exec: { command: r.some(["a", "b", "c"], 0.8).concat("z") } },
    { tcpSocket: { port: 80 } },
  ]),
  ...maybe(r, 0.4, () => ({ periodSeconds: r.pick([5, 6]) })),
});

function container(r, name, mounts) {
  const image = r.pick([
    "nginx",
    "redis:7",
    "busybox@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  ]);
  return {
    name,
    image,
    ...maybe(r, 0.3, () => ({ env: env(r) })),
    ...maybe(r, 0.3, () => ({ ports: ports(r) })),
    ...maybe(r, 0.2, () => ({ command: r.some(["sh", "-c", "true"], 0.7) })),
    ...maybe(r, 0.2, () => ({ args: r.some(["1", "2", "3"], 0.7) })),
    ...maybe(r, 0.3, () => ({ resources: { requests: amounts(r), ...maybe(r, 0.3, () => ({ claims: [] })) } })),
    ...maybe(r, 0.3, () => ({
      volumeMounts: r.some(mounts).map((volume) => ({
        name: volume,
        mountPath: `/${volume}`,
        ...maybe(r, 0.3, () => ({ readOnly: r.chance(0.5) })),
      })),
    })),
    ...maybe(r, 0.2, () => ({ livenessProbe: probe(r) })),
    ...maybe(r, 0.2, () => ({
      securityContext: {
        ...maybe(r, 0.5, () => ({ runAsUser: r.pick([1000, 0]) })),
        ...maybe(r, 0.5, () => ({ capabilities: { add: r.some(["NET_ADMIN", "SYS_TIME"]) } })),
      },
    })),
    ...maybe(r, 0.15, () => ({ imagePullPolicy: r.pick(["Always", "IfNotPresent"]) })),
    ...maybe(r, 0.1, () => ({ terminationMessagePath: "/t" })),
    ...maybe(r, 0.1, () => ({ lifecycle: { preStop: { exec: { command: ["x"] } } } })),
    ...maybe(r, 0.1, () => ({ envFrom: [{ configMapRef: { name: "m" } }] })),
  };
}

const volumeSources = [
  { emptyDir: {} },
  { configMap: { name: "m" } },
  { configMap: { name: "m", items: [{ key: "a", path: "b" }] } },
  { secret: { secretName: "s" } },
  { emptyDir: { sizeLimit: "1Gi" } },
  { hostPath: { path: "/h" } },
];

/** `kept` are volumes that are always there, so that whatever is mounted can be. */
function podSpec(r, restartPolicy) {
  const volumes = ["v1", "v2", "v3"];
  return {
    containers: r
      .some(["c1", "c2", "c3"], 0.4)
      .concat(r.chance(0.3) ? ["c4"] : ["c1"])
      .filter((name, i, all) => all.indexOf(name) === i)
      .map((name) => container(r, name, volumes)),
    ...maybe(r, 0.2, () => ({ initContainers: r.some(["i1", "i2"], 0.7).map((name) => container(r, name, volumes)) })),
    volumes: volumes.map((name) => ({ name, ...r.pick(r.chance(0.7) ? volumeSources.slice(0, 1) : volumeSources) })),
    ...maybe(r, 0.2, () => ({
      tolerations: r
        .some(["t1", "t2"], 0.7)
        .map((key) => ({ key, operator: "Exists", ...maybe(r, 0.3, () => ({ effect: "NoSchedule" })) })),
    })),
    ...maybe(r, 0.2, () => ({ nodeSelector: map(r, ["n1", "n2"]) })),
    ...maybe(r, 0.2, () => ({ imagePullSecrets: r.some(["s1", "s2"], 0.7).map((name) => ({ name })) })),
    ...maybe(r, 0.15, () => ({
      hostAliases: r.some(["10.1.1.1", "10.1.1.2"], 0.7).map((ip) => ({ ip, hostnames: r.some(["h", "i"], 0.8) })),
    })),
    ...maybe(r, 0.15, () => ({
      topologySpreadConstraints: r.some(["zone", "host"], 0.7).map((topologyKey) => ({
        topologyKey,
        whenUnsatisfiable: r.pick(["DoNotSchedule", "ScheduleAnyway"]),
        maxSkew: r.pick([1, 2]),
        labelSelector: { matchLabels: { app: "web" } },
      })),
    })),
    ...maybe(r, 0.15, () => ({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: "k", operator: r.pick(["Exists", "DoesNotExist"]) }] }],
          },
        },
      },
    })),
    ...maybe(r, 0.15, () => ({
      securityContext: {
        ...maybe(r, 0.5, () => ({ fsGroup: r.pick([1, 2]) })),
        ...maybe(r, 0.5, () => ({ sysctls: [{ name: "kernel.shm_rmid_forced", value: r.pick(["0", "1"]) }] })),
      },
    })),
    ...maybe(r, 0.1, () => ({
      dnsConfig: {
        nameservers: r.some(["1.1.1.1", "8.8.8.8"], 0.7),
        options: [{ name: "ndots", value: r.pick(["1", "2"]) }],
      },
    })),
    ...maybe(r, 0.1, () => ({ terminationGracePeriodSeconds: r.pick([10, 30]) })),
    ...(restartPolicy === undefined ? {} : { restartPolicy }),
  };
}

const template = (r, restartPolicy) => ({
  metadata: { labels: { app: "web", ...map(r, ["tier", "track"]) } },
  spec: podSpec(r, restartPolicy),
});
const selector = { matchLabels: { app: "web" } };
const workload = (kind, more) => ({ apiVersion: "apps/v1", kind, spec: { selector, ...more } });
const conditions = (r, types) =>
  r.some(types, 0.6).map((type) => ({
    type,
    status: r.pick(["True", "False"]),
    ...maybe(r, 0.5, () => ({ reason: r.pick(["Because", "Why"]) })),
  }));
const fullConditions = (r, types) =>
  r.some(types, 0.6).map((type) => ({
    type,
    status: r.pick(["True", "False"]),
    reason: r.pick(["Because", "Why"]),
    message: "m",
    lastTransitionTime: r.pick(["2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z"]),
  }));

/** `scope` is the path between the group version and the plural; `base` what every object has; `options` what it may have. */
export const kinds = [
  {
    kind: "Deployment",
    root: "/apis/apps/v1",
    plural: "deployments",
    scaled: true,
    base: (r) => workload("Deployment", { template: template(r) }),
    options: [
      (r) => ({ spec: { replicas: r.int(4) } }),
      (r) => ({
        spec: { strategy: r.pick([{ type: "RollingUpdate" }, { rollingUpdate: { maxSurge: r.pick([1, "30%"]) } }]) },
      }),
      (r) => ({ spec: { minReadySeconds: r.int(3) } }),
      (r) => ({ spec: { paused: r.chance(0.5) } }),
      (r) => ({ spec: { revisionHistoryLimit: r.int(3) } }),
    ],
    status: (r) => ({
      status: { observedGeneration: r.int(3), conditions: conditions(r, ["Available", "Progressing"]) },
    }),
  },
  {
    kind: "StatefulSet",
    root: "/apis/apps/v1",
    plural: "statefulsets",
    scaled: true,
    base: (r) => workload("StatefulSet", { serviceName: "web", template: template(r) }),
    options: [
      (r) => ({ spec: { replicas: r.int(4) } }),
      (r) => ({ spec: { updateStrategy: { rollingUpdate: { partition: r.int(3) } } } }),
      (r) => ({ spec: { persistentVolumeClaimRetentionPolicy: { whenDeleted: r.pick(["Retain", "Delete"]) } } }),
    ],
    status: (r) => ({ status: { replicas: r.int(3), conditions: conditions(r, ["X", "Y"]) } }),
  },
  {
    kind: "DaemonSet",
    root: "/apis/apps/v1",
    plural: "daemonsets",
    base: (r) => workload("DaemonSet", { template: template(r) }),
    options: [
      (r) => ({
        spec: {
          updateStrategy: r.pick([
            { type: "OnDelete" },
            { type: "RollingUpdate", rollingUpdate: { maxUnavailable: r.pick([1, "10%"]) } },
          ]),
        },
      }),
    ],
  },
  {
    kind: "ReplicaSet",
    root: "/apis/apps/v1",
    plural: "replicasets",
    scaled: true,
    base: (r) => workload("ReplicaSet", { template: template(r) }),
    options: [(r) => ({ spec: { replicas: r.int(4) } })],
  },
  {
    kind: "ReplicationController",
    root: "/api/v1",
    plural: "replicationcontrollers",
    scaled: true,
    base: (r) => ({
      apiVersion: "v1",
      kind: "ReplicationController",
      spec: { selector: { app: "web" }, template: template(r) },
    }),
    options: [(r) => ({ spec: { replicas: r.int(4) } })],
  },
  {
    kind: "PodTemplate",
    root: "/api/v1",
    plural: "podtemplates",
    base: (r) => ({ apiVersion: "v1", kind: "PodTemplate", template: template(r) }),
    options: [],
  },
  {
    kind: "CronJob",
    root: "/apis/batch/v1",
    plural: "cronjobs",
    base: (r) => ({
      apiVersion: "batch/v1",
      kind: "CronJob",
      spec: { schedule: "* * * * *", jobTemplate: { spec: { template: template(r, "Never") } } },
    }),
    options: [
      (r) => ({ spec: { suspend: r.chance(0.5) } }),
      (r) => ({ spec: { concurrencyPolicy: r.pick(["Allow", "Forbid"]) } }),
      (r) => ({ spec: { jobTemplate: { spec: { parallelism: r.int(3) } } } }),
    ],
    status: (r) => ({ status: { active: r.some(["j1", "j2"]).map((name) => ({ kind: "Job", name })) } }),
  },
  {
    kind: "Pod",
    root: "/api/v1",
    plural: "pods",
    immutable: true,
    base: () => ({
      apiVersion: "v1",
      kind: "Pod",
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [{ name: "c1", image: "nginx", ports: [{ containerPort: 80 }] }],
      },
    }),
    options: [
      (r) => ({ spec: { activeDeadlineSeconds: r.pick([100, 99]) } }),
      (r) => ({ spec: { containers: [{ name: "c1", image: r.pick(["nginx", "redis"]) }] } }),
    ],
    status: (r) => ({
      status: {
        conditions: conditions(r, ["Ready", "PodScheduled", "Initialized"]),
        podIP: "10.9.0.1",
        podIPs: [{ ip: "10.9.0.1" }],
        phase: r.pick(["Pending", "Running"]),
      },
    }),
  },
  {
    kind: "Service",
    root: "/api/v1",
    plural: "services",
    base: (r) => ({
      apiVersion: "v1",
      kind: "Service",
      spec: {
        ports: [{ port: 80, name: "p80" }].concat(
          r.some([81, 82], 0.5).map((port) => ({
            port,
            name: `p${port}`,
            ...maybe(r, 0.5, () => ({ protocol: r.pick(["TCP", "UDP"]) })),
            ...maybe(r, 0.5, () => ({ targetPort: r.pick([8080, "web"]) })),
          })),
        ),
      },
    }),
    options: [
      (r) => ({ spec: { selector: map(r, ["app", "tier"]) } }),
      (r) => ({ spec: { sessionAffinity: r.pick(["None", "ClientIP"]) } }),
      (r) => ({ spec: { externalIPs: r.some(["1.2.3.4", "1.2.3.5"], 0.7) } }),
      (r) => ({ spec: { publishNotReadyAddresses: r.chance(0.5) } }),
    ],
    status: (r) => ({ status: { conditions: fullConditions(r, ["A", "B"]) } }),
  },
  {
    kind: "ConfigMap",
    root: "/api/v1",
    plural: "configmaps",
    base: () => ({ apiVersion: "v1", kind: "ConfigMap" }),
    options: [
      (r) => ({ data: map(r, ["k1", "k2", "k3", "10", "9"]) }),
      (r) => ({ data: map(r, ["k1", "constructor"]) }),
      (r) => ({ binaryData: map(r, ["b1", "b2"], ["YQ==", "Yg=="]) }),
      () => ({ data: {} }),
    ],
  },
  {
    kind: "Secret",
    root: "/api/v1",
    plural: "secrets",
    base: () => ({ apiVersion: "v1", kind: "Secret" }),
    options: [
      (r) => ({ data: map(r, ["k1", "k2", "k3"], ["YQ==", "Yg=="]) }),
      (r) => ({ stringData: map(r, ["k1", "k4"]) }),
    ],
  },
  {
    kind: "ServiceAccount",
    root: "/api/v1",
    plural: "serviceaccounts",
    base: () => ({ apiVersion: "v1", kind: "ServiceAccount" }),
    options: [
      (r) => ({ secrets: r.some(["s1", "s2"], 0.7).map((name) => ({ name })) }),
      (r) => ({ imagePullSecrets: r.some(["s1", "s2"], 0.7).map((name) => ({ name })) }),
      (r) => ({ automountServiceAccountToken: r.chance(0.5) }),
    ],
  },
  {
    kind: "ResourceQuota",
    root: "/api/v1",
    plural: "resourcequotas",
    base: () => ({ apiVersion: "v1", kind: "ResourceQuota", spec: {} }),
    options: [(r) => ({ spec: { hard: map(r, ["pods", "services", "secrets"]) } })],
    status: (r) => ({ status: { used: map(r, ["pods", "services"]) } }),
  },
  {
    kind: "LimitRange",
    root: "/api/v1",
    plural: "limitranges",
    base: (r) => ({
      apiVersion: "v1",
      kind: "LimitRange",
      spec: { limits: [{ type: "Container", default: amounts(r) }] },
    }),
    options: [],
  },
  {
    kind: "PersistentVolumeClaim",
    root: "/api/v1",
    plural: "persistentvolumeclaims",
    immutable: true,
    base: () => ({
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    }),
    options: [],
    status: (r) => ({
      status: { conditions: conditions(r, ["Resizing", "X"]), capacity: { storage: r.pick(["1Gi", "2Gi"]) } },
    }),
  },
  {
    kind: "PersistentVolume",
    root: "/api/v1",
    plural: "persistentvolumes",
    cluster: true,
    base: () => ({
      apiVersion: "v1",
      kind: "PersistentVolume",
      spec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, hostPath: { path: "/p" } },
    }),
    options: [
      (r) => ({ spec: { mountOptions: r.some(["a", "b"], 0.7) } }),
      (r) => ({ spec: { claimRef: { name: "c", namespace: "default", ...maybe(r, 0.5, () => ({ uid: "u1" })) } } }),
      (r) => ({ spec: { persistentVolumeReclaimPolicy: r.pick(["Retain", "Delete"]) } }),
    ],
  },
  {
    kind: "Node",
    root: "/api/v1",
    plural: "nodes",
    cluster: true,
    base: () => ({ apiVersion: "v1", kind: "Node" }),
    options: [
      (r) => ({
        spec: {
          taints: r.some(["t1", "t2"], 0.7).map((key) => ({ key, effect: r.pick(["NoSchedule", "NoExecute"]) })),
        },
      }),
      (r) => ({ spec: { unschedulable: r.chance(0.5) } }),
    ],
    status: (r) => ({
      status: {
        conditions: conditions(r, ["Ready", "DiskPressure"]),
        addresses: r
          .some(["InternalIP", "Hostname", "InternalIP"], 0.6)
          .map((type) => ({ type, address: r.pick(["10.8.0.1", "10.8.0.2"]) })),
        capacity: amounts(r),
        images: [{ names: ["x"], sizeBytes: 5 }],
      },
    }),
  },
  {
    kind: "Namespace",
    root: "/api/v1",
    plural: "namespaces",
    cluster: true,
    base: () => ({ apiVersion: "v1", kind: "Namespace" }),
    options: [],
    status: (r) => ({ status: { conditions: conditions(r, ["A", "B"]) } }),
    noDelete: true,
  },
  {
    kind: "HorizontalPodAutoscaler",
    root: "/apis/autoscaling/v2",
    plural: "horizontalpodautoscalers",
    others: [
      {
        root: "/apis/autoscaling/v1",
        base: () => ({
          apiVersion: "autoscaling/v1",
          kind: "HorizontalPodAutoscaler",
          spec: { maxReplicas: 5, scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" } },
        }),
        options: [
          (r) => ({ spec: { minReplicas: r.pick([1, 2]) } }),
          (r) => ({ spec: { targetCPUUtilizationPercentage: r.pick([50, 60]) } }),
        ],
      },
    ],
    base: () => ({
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      spec: { maxReplicas: 5, scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" } },
    }),
    options: [
      (r) => ({ spec: { minReplicas: r.pick([1, 2]) } }),
      (r) => ({
        spec: {
          metrics: [
            {
              type: "Resource",
              resource: {
                name: r.pick(["cpu", "memory"]),
                target: { type: "Utilization", averageUtilization: r.pick([50, 60]) },
              },
            },
          ],
        },
      }),
      (r) => ({
        spec: {
          behavior: {
            scaleDown: {
              stabilizationWindowSeconds: r.pick([5, 6]),
              policies: [{ type: "Pods", value: 4, periodSeconds: 60 }],
            },
          },
        },
      }),
    ],
    status: (r) => ({
      status: {
        currentReplicas: r.int(3),
        desiredReplicas: r.int(3),
        conditions: conditions(r, ["AbleToScale", "ScalingActive"]),
      },
    }),
  },
  {
    kind: "PodDisruptionBudget",
    root: "/apis/policy/v1",
    plural: "poddisruptionbudgets",
    base: (r) => ({
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      spec: { selector: r.pick([selector, { matchLabels: { a: "b" } }]) },
    }),
    options: [(r) => ({ spec: { minAvailable: r.pick([1, "50%"]) } })],
    status: (r) => ({
      status: {
        conditions: fullConditions(r, ["A", "B"]),
        currentHealthy: 1,
        desiredHealthy: 1,
        disruptionsAllowed: r.int(2),
        expectedPods: 1,
        disruptedPods: Object.fromEntries(r.some(["p1", "p2"]).map((name) => [name, "2024-01-01T00:00:00Z"])),
      },
    }),
  },
  {
    kind: "NetworkPolicy",
    root: "/apis/networking.k8s.io/v1",
    plural: "networkpolicies",
    base: (r) => ({
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      spec: { podSelector: r.pick([{}, selector]) },
    }),
    options: [
      (r) => ({ spec: { ingress: [{ ports: [{ port: r.pick([80, "web"]) }] }] } }),
      (r) => ({ spec: { policyTypes: r.some(["Ingress", "Egress"], 0.7) } }),
    ],
  },
  {
    kind: "Ingress",
    root: "/apis/networking.k8s.io/v1",
    plural: "ingresses",
    base: () => ({
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } },
    }),
    options: [
      (r) => ({
        spec: {
          rules: [
            {
              host: r.pick(["a.example", "b.example"]),
              http: {
                paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "s", port: { number: 80 } } } }],
              },
            },
          ],
        },
      }),
      (r) => ({ spec: { tls: [{ hosts: r.some(["a.example", "b.example"], 0.7) }] } }),
      (r) => ({ spec: { ingressClassName: r.pick(["x", "y"]) } }),
    ],
    status: (r) => ({ status: { loadBalancer: { ingress: r.some(["1.1.1.1", "2.2.2.2"]).map((ip) => ({ ip })) } } }),
  },
  {
    kind: "Role",
    root: "/apis/rbac.authorization.k8s.io/v1",
    plural: "roles",
    base: (r) => ({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      rules: r.some(["get", "list"], 0.7).map((verb) => ({ apiGroups: [""], resources: ["pods"], verbs: [verb] })),
    }),
    options: [],
  },
  {
    kind: "ClusterRole",
    root: "/apis/rbac.authorization.k8s.io/v1",
    plural: "clusterroles",
    cluster: true,
    base: (r) => ({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      rules: r.some(["get", "list"], 0.7).map((verb) => ({ apiGroups: [""], resources: ["pods"], verbs: [verb] })),
    }),
    options: [(r) => ({ aggregationRule: { clusterRoleSelectors: [{ matchLabels: map(r, ["x", "y"]) }] } })],
  },
  {
    kind: "RoleBinding",
    root: "/apis/rbac.authorization.k8s.io/v1",
    plural: "rolebindings",
    base: () => ({
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" },
    }),
    options: [
      (r) => ({
        subjects: r
          .some(["u1", "u2"], 0.7)
          .map((name) => ({ kind: "User", name, ...maybe(r, 0.5, () => ({ apiGroup: "rbac.authorization.k8s.io" })) })),
      }),
    ],
  },
  {
    kind: "Lease",
    root: "/apis/coordination.k8s.io/v1",
    plural: "leases",
    base: () => ({ apiVersion: "coordination.k8s.io/v1", kind: "Lease", spec: {} }),
    options: [
      (r) => ({ spec: { holderIdentity: r.pick(["a", "b"]) } }),
      (r) => ({ spec: { renewTime: r.pick(["2024-01-01T00:00:00.000001Z", "2024-01-01T00:00:00Z"]) } }),
      (r) => ({ spec: { leaseDurationSeconds: r.pick([1, 2]) } }),
    ],
  },
  {
    kind: "EndpointSlice",
    root: "/apis/discovery.k8s.io/v1",
    plural: "endpointslices",
    base: () => ({ apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", addressType: "IPv4", endpoints: [] }),
    options: [
      (r) => ({
        endpoints: r
          .some(["10.1.1.1", "10.1.1.2"], 0.7)
          .map((address) => ({ addresses: [address], conditions: { ready: r.chance(0.5) } })),
      }),
      (r) => ({ ports: r.some([80, 81], 0.7).map((port) => ({ port, name: `p${port}`, protocol: "TCP" })) }),
    ],
  },
  {
    kind: "Endpoints",
    root: "/api/v1",
    plural: "endpoints",
    base: () => ({ apiVersion: "v1", kind: "Endpoints" }),
    options: [
      (r) => ({
        subsets: [
          {
            addresses: r
              .some(["10.1.1.1", "10.1.1.2"], 0.6)
              .concat("10.1.1.3")
              .map((ip) => ({ ip })),
            ports: [{ port: 80 }],
          },
        ],
      }),
    ],
  },
  {
    kind: "StorageClass",
    root: "/apis/storage.k8s.io/v1",
    plural: "storageclasses",
    cluster: true,
    base: () => ({ apiVersion: "storage.k8s.io/v1", kind: "StorageClass", provisioner: "p" }),
    options: [(r) => ({ allowVolumeExpansion: r.chance(0.5) }), () => ({ mountOptions: ["a"] })],
  },
  {
    kind: "PriorityClass",
    root: "/apis/scheduling.k8s.io/v1",
    plural: "priorityclasses",
    cluster: true,
    base: () => ({ apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", value: 5 }),
    options: [(r) => ({ description: r.pick(["a", "b"]) })],
  },
  {
    kind: "IngressClass",
    root: "/apis/networking.k8s.io/v1",
    plural: "ingressclasses",
    cluster: true,
    base: () => ({ apiVersion: "networking.k8s.io/v1", kind: "IngressClass", spec: { controller: "example.com/c" } }),
    options: [(r) => ({ spec: { parameters: { kind: "X", name: r.pick(["a", "b"]), scope: "Cluster" } } })],
  },
  {
    kind: "CSIDriver",
    root: "/apis/storage.k8s.io/v1",
    plural: "csidrivers",
    cluster: true,
    base: () => ({ apiVersion: "storage.k8s.io/v1", kind: "CSIDriver", spec: {} }),
    options: [
      (r) => ({ spec: { tokenRequests: [{ audience: r.pick(["a", "b"]) }] } }),
      (r) => ({ spec: { storageCapacity: r.chance(0.5) } }),
    ],
  },
  {
    kind: "ValidatingWebhookConfiguration",
    root: "/apis/admissionregistration.k8s.io/v1",
    plural: "validatingwebhookconfigurations",
    cluster: true,
    base: () => ({ apiVersion: "admissionregistration.k8s.io/v1", kind: "ValidatingWebhookConfiguration" }),
    options: [
      (r) => ({
        webhooks: r.some(["a.example.com", "b.example.com"], 0.7).map((name) => ({
          name,
          admissionReviewVersions: ["v1"],
          sideEffects: "None",
          clientConfig: { url: "https://a.example.com/x" },
          failurePolicy: "Ignore",
          ...maybe(r, 0.5, () => ({ timeoutSeconds: r.pick([5, 6]) })),
          matchConditions: r.some(["m1", "m2"]).map((condition) => ({ name: condition, expression: "true" })),
        })),
      }),
    ],
  },
  {
    kind: "FlowSchema",
    controlled: true,
    root: "/apis/flowcontrol.apiserver.k8s.io/v1",
    plural: "flowschemas",
    cluster: true,
    others: [
      {
        root: "/apis/flowcontrol.apiserver.k8s.io/v1beta3",
        base: () => ({
          apiVersion: "flowcontrol.apiserver.k8s.io/v1beta3",
          kind: "FlowSchema",
          spec: { priorityLevelConfiguration: { name: "global-default" } },
        }),
        options: [(r) => ({ spec: { matchingPrecedence: r.pick([500, 600]) } })],
      },
    ],
    base: () => ({
      apiVersion: "flowcontrol.apiserver.k8s.io/v1",
      kind: "FlowSchema",
      spec: { priorityLevelConfiguration: { name: "global-default" } },
    }),
    options: [
      (r) => ({ spec: { matchingPrecedence: r.pick([500, 600]) } }),
      (r) => ({ spec: { distinguisherMethod: { type: r.pick(["ByUser", "ByNamespace"]) } } }),
    ],
  },
  {
    kind: "CustomResourceDefinition",
    root: "/apis/apiextensions.k8s.io/v1",
    plural: "customresourcedefinitions",
    cluster: true,
    named: (name) => ({ name: `${name.replaceAll("-", "")}s.example.com` }),
    base: (r, name) => ({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: {
          plural: `${name.replaceAll("-", "")}s`,
          kind: `K${name.replaceAll("-", "")}`,
          singular: `${name.replaceAll("-", "")}`,
          listKind: `K${name.replaceAll("-", "")}List`,
        },
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: "object",
                properties: {
                  spec: {
                    type: "object",
                    "x-kubernetes-preserve-unknown-fields": true,
                    ...maybe(r, 0.5, () => ({ properties: { a: { type: "string", default: r.pick(["x", "y"]) } } })),
                  },
                },
              },
            },
          },
        ],
      },
    }),
    options: [
      (r) => ({ spec: { names: { categories: r.some(["all", "mine"], 0.7) } } }),
      (r) => ({ spec: { names: { shortNames: r.some(["xa", "xb"], 0.7) } } }),
    ],
  },
];

const freeValue = (r, depth = 0) =>
  r.pick([
    () => r.pick(["a", "b", 1, 2.5, true]),
    () => (depth > 2 ? "deep" : [freeValue(r, depth + 1)]),
    () =>
      depth > 2 ? {} : Object.fromEntries(r.some(["m", "n", "10", "9"]).map((name) => [name, freeValue(r, depth + 1)])),
  ])();

/** Kinds of definitions that a sequence needs first: with a schema that has every marker, and with none to speak of. */
export const customKinds = [
  {
    kind: "Widget",
    root: "/apis/apply.example.com/v1",
    plural: "widgets",
    custom: true,
    scaled: true,
    others: [
      {
        root: "/apis/apply.example.com/v2",
        base: () => ({ apiVersion: "apply.example.com/v2", kind: "Widget" }),
        options: [(r) => ({ spec: { replicas: r.int(4) } })],
      },
    ],
    base: () => ({ apiVersion: "apply.example.com/v1", kind: "Widget" }),
    options: [
      (r) => ({ spec: { replicas: r.int(4) } }),
      (r) => ({
        spec: {
          ports: r.some([80, 443, 9000]).map((port) => ({
            port,
            ...maybe(r, 0.4, () => ({ protocol: r.pick(["TCP", "UDP"]) })),
            ...maybe(r, 0.5, () => ({ note: r.pick(["x", "y"]) })),
          })),
        },
      }),
      (r) => ({ spec: { tags: r.some(["a", "b", "c"]) } }),
      (r) => ({ spec: { numbers: r.some([9, 10, 80]) } }),
      (r) => ({ spec: { whole: r.some([{ a: "1" }, { a: "2" }], 0.7) } }),
      (r) => ({ spec: { wholeMap: map(r, ["a", "b"]) } }),
      (r) => ({ spec: { map: map(r, ["a", "b", "10", "9"]) } }),
      (r) => ({ spec: { free: { known: r.pick(["1", "2"]), other: freeValue(r) } } }),
      (r) => ({ spec: { either: r.pick([1, "1"]) } }),
      (r) => ({ spec: { plain: r.some(["a", "b"], 0.7) } }),
    ],
    status: (r) => ({ status: { phase: r.pick(["A", "B"]), conditions: conditions(r, ["X", "Y"]) } }),
  },
  {
    kind: "Blob",
    root: "/apis/apply.example.com/v1",
    plural: "blobs",
    custom: true,
    base: () => ({ apiVersion: "apply.example.com/v1", kind: "Blob" }),
    options: [
      (r) => ({ spec: { a: freeValue(r) } }),
      (r) => ({ spec: { b: freeValue(r) } }),
      (r) => ({ data: { c: freeValue(r) } }),
      (r) => ({ data: map(r, ["x", "y"]) }),
    ],
  },
];

const text = { type: "string" };
const widgetSchema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        replicas: { type: "integer" },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["protocol", "port"],
          items: {
            type: "object",
            required: ["port"],
            properties: { port: { type: "integer" }, protocol: { ...text, default: "TCP" }, note: text },
          },
        },
        tags: { type: "array", "x-kubernetes-list-type": "set", items: text },
        numbers: { type: "array", "x-kubernetes-list-type": "set", items: { type: "integer" } },
        whole: {
          type: "array",
          "x-kubernetes-list-type": "atomic",
          items: { type: "object", properties: { a: text } },
        },
        wholeMap: { type: "object", "x-kubernetes-map-type": "atomic", additionalProperties: text },
        map: { type: "object", additionalProperties: text },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { known: text } },
        either: { "x-kubernetes-int-or-string": true },
        plain: { type: "array", items: text },
      },
    },
    status: {
      type: "object",
      properties: {
        phase: text,
        replicas: { type: "integer" },
        conditions: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["type"],
          items: { type: "object", required: ["type"], properties: { type: text, status: text, reason: text } },
        },
      },
    },
  },
};
const definition = (plural, kind, versions) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${plural}.apply.example.com` },
  spec: { group: "apply.example.com", scope: "Namespaced", names: { plural, kind }, versions },
});
const widgetVersion = {
  served: true,
  schema: { openAPIV3Schema: widgetSchema },
  subresources: { status: {}, scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" } },
};

export const definitions = [
  definition("widgets", "Widget", [
    { name: "v1", storage: true, ...widgetVersion },
    { name: "v2", storage: false, ...widgetVersion },
  ]),
  definition("blobs", "Blob", [
    {
      name: "v1",
      storage: true,
      served: true,
      schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    },
  ]),
];

export { metadata };
