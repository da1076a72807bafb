import assert from "node:assert/strict";
import { test } from "node:test";
import { parseFeatureGates } from "@gatehouse/apiserver/options";
import { decodeJson } from "@gatehouse/envelopes/codec";
import { createDefaulting } from "@gatehouse/envelopes/defaults";
import { amountAsSent } from "@gatehouse/envelopes/go";
import { type JsonObject, type JsonValue, listAt, objectAt, valueAt } from "@gatehouse/envelopes/json";
import { builtinDefaultingFunctions } from "@gatehouse/envelopes/kind-defaults";
import { kindSchema, messageSchema } from "@gatehouse/envelopes/schema";
import { factsMissing, readFactTable } from "./fact-tables.test.support.js";

interface Row {
  readonly is: string;
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly object: JsonObject;
  /** The path of the value to compare; the whole object when absent. */
  readonly at?: readonly string[];
  readonly becomes: JsonValue | undefined;
  readonly gates?: string;
}

const podSpec = {
  dnsPolicy: "ClusterFirst",
  restartPolicy: "Always",
  securityContext: {},
  terminationGracePeriodSeconds: 30,
  schedulerName: "default-scheduler",
};
const container = {
  terminationMessagePath: "/dev/termination-log",
  terminationMessagePolicy: "File",
};

function podWith(more: JsonObject): JsonObject {
  return { spec: { containers: [{ name: "c", image: "a:1", ...more }] } };
}

const rows: readonly Row[] = [
  {
    is: "a runtime class, whose amounts nobody rounds, unlike those of pods",
    group: "node.k8s.io",
    kind: "RuntimeClass",
    object: { handler: "h", overhead: { podFixed: { cpu: "1n" } } },
    at: ["overhead", "podFixed"],
    becomes: { cpu: "1n" },
  },
  {
    is: "a pod template, wherever it is",
    group: "batch",
    kind: "CronJob",
    object: { spec: { jobTemplate: { spec: { template: { spec: { containers: [{ name: "c", image: "a" }] } } } } } },
    at: ["spec", "jobTemplate", "spec", "template", "spec"],
    becomes: { containers: [{ name: "c", image: "a", ...container, imagePullPolicy: "Always" }], ...podSpec },
  },
  {
    is: "a pod template that is not there at all",
    group: "apps",
    kind: "ReplicaSet",
    object: {},
    becomes: { spec: { replicas: 1, template: { spec: podSpec } } },
  },
  {
    is: "a pod, which unlike a template enables service links",
    kind: "Pod",
    object: { spec: { containers: [] } },
    becomes: { spec: { containers: [], enableServiceLinks: true, ...podSpec } },
  },
  {
    is: "a container with a fixed image",
    kind: "Pod",
    object: podWith({}),
    at: ["spec", "containers"],
    becomes: [{ name: "c", image: "a:1", ...container, imagePullPolicy: "IfNotPresent" }],
  },
  {
    is: "an ephemeral container",
    kind: "Pod",
    object: { spec: { ephemeralContainers: [{ name: "e", image: "a:latest", ports: [{ containerPort: 1 }] }] } },
    at: ["spec", "ephemeralContainers"],
    becomes: [
      {
        name: "e",
        image: "a:latest",
        ports: [{ containerPort: 1, protocol: "TCP" }],
        ...container,
        imagePullPolicy: "Always",
      },
    ],
  },
  {
    is: "a container that is limited",
    kind: "Pod",
    object: podWith({ resources: { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "500m" } } }),
    at: ["spec", "containers"],
    becomes: [
      {
        name: "c",
        image: "a:1",
        resources: { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "500m", memory: "1Gi" } },
        ...container,
        imagePullPolicy: "IfNotPresent",
      },
    ],
  },
  {
    is: "a container of a template, which requests nothing by itself",
    kind: "PodTemplate",
    object: { template: { spec: { containers: [{ image: "a:1", resources: { limits: { cpu: "1" } } }] } } },
    at: ["template", "spec", "containers"],
    becomes: [{ image: "a:1", resources: { limits: { cpu: "1" } }, ...container, imagePullPolicy: "IfNotPresent" }],
  },
  {
    is: "an amount finer than a thousandth",
    kind: "ResourceQuota",
    object: { spec: { hard: { cpu: "1u", memory: "100n", pods: "3", x: "1500m" } } },
    at: ["spec", "hard"],
    becomes: { cpu: "1m", memory: "1m", pods: "3", x: "1500m" },
  },
  {
    is: "a probe and its action",
    kind: "Pod",
    object: podWith({ livenessProbe: { httpGet: { port: 80 } } }),
    at: ["spec", "containers"],
    becomes: [
      {
        name: "c",
        image: "a:1",
        livenessProbe: {
          httpGet: { port: 80, path: "/", scheme: "HTTP" },
          timeoutSeconds: 1,
          periodSeconds: 10,
          successThreshold: 1,
          failureThreshold: 3,
        },
        ...container,
        imagePullPolicy: "IfNotPresent",
      },
    ],
  },
  {
    is: "a pod on the network of the host",
    kind: "Pod",
    object: { spec: { hostNetwork: true, initContainers: [{ image: "a:1", ports: [{ containerPort: 80 }] }] } },
    at: ["spec", "initContainers"],
    becomes: [
      {
        image: "a:1",
        ports: [{ containerPort: 80, hostPort: 80, protocol: "TCP" }],
        ...container,
        imagePullPolicy: "IfNotPresent",
      },
    ],
  },
  {
    is: "a template on the network of the host, with the feature that is off",
    gates: "DefaultHostNetworkHostPortsInPodTemplates=true",
    kind: "PodTemplate",
    object: {
      template: { spec: { hostNetwork: true, containers: [{ image: "a:1", ports: [{ containerPort: 80 }] }] } },
    },
    at: ["template", "spec", "containers"],
    becomes: [
      {
        image: "a:1",
        ports: [{ containerPort: 80, hostPort: 80, protocol: "TCP" }],
        ...container,
        imagePullPolicy: "IfNotPresent",
      },
    ],
  },
  {
    is: "a container whose resources can be changed in place",
    gates: "InPlacePodVerticalScaling=true",
    kind: "Pod",
    object: podWith({ resources: { requests: { memory: "1Gi" } } }),
    at: ["spec", "containers"],
    becomes: [
      {
        name: "c",
        image: "a:1",
        resources: { requests: { memory: "1Gi" } },
        resizePolicy: [{ resourceName: "memory", restartPolicy: "NotRequired" }],
        ...container,
        imagePullPolicy: "IfNotPresent",
      },
    ],
  },
  {
    is: "volumes",
    kind: "Pod",
    object: {
      spec: {
        volumes: [
          { name: "none" },
          { name: "path", hostPath: { path: "/x" } },
          { name: "map", configMap: { name: "m", defaultMode: 256 } },
          { name: "sum", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } },
          { name: "claim", ephemeral: { volumeClaimTemplate: { spec: {} } } },
          { name: "down", downwardAPI: { items: [{ path: "p", fieldRef: { fieldPath: "metadata.name" } }] } },
          { name: "disk", azureDisk: { diskName: "d", diskURI: "u" } },
          { name: "rbd", rbd: { monitors: ["m"], image: "i" } },
          { name: "io", scaleIO: { gateway: "g" } },
          { name: "scsi", iscsi: { iqn: "q" } },
          { name: "secret", secret: { secretName: "s" } },
        ],
      },
    },
    at: ["spec", "volumes"],
    becomes: [
      { name: "none", emptyDir: {} },
      { name: "path", hostPath: { path: "/x", type: "" } },
      { name: "map", configMap: { name: "m", defaultMode: 256 } },
      {
        name: "sum",
        projected: { sources: [{ serviceAccountToken: { path: "t", expirationSeconds: 3600 } }], defaultMode: 420 },
      },
      { name: "claim", ephemeral: { volumeClaimTemplate: { spec: { volumeMode: "Filesystem" } } } },
      {
        name: "down",
        downwardAPI: {
          items: [{ path: "p", fieldRef: { fieldPath: "metadata.name", apiVersion: "v1" } }],
          defaultMode: 420,
        },
      },
      {
        name: "disk",
        azureDisk: {
          diskName: "d",
          diskURI: "u",
          cachingMode: "ReadWrite",
          kind: "Shared",
          fsType: "ext4",
          readOnly: false,
        },
      },
      {
        name: "rbd",
        rbd: { monitors: ["m"], image: "i", pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" },
      },
      { name: "io", scaleIO: { gateway: "g", storageMode: "ThinProvisioned", fsType: "xfs" } },
      { name: "scsi", iscsi: { iqn: "q", iscsiInterface: "default" } },
      { name: "secret", secret: { secretName: "s", defaultMode: 420 } },
    ],
  },
  {
    is: "a persistent volume",
    kind: "PersistentVolume",
    object: { spec: { iscsi: { iqn: "q" } } },
    becomes: {
      spec: {
        iscsi: { iqn: "q", iscsiInterface: "default" },
        persistentVolumeReclaimPolicy: "Retain",
        volumeMode: "Filesystem",
      },
      status: { phase: "Pending" },
    },
  },
  {
    is: "a claim, in a template of a stateful set, too",
    group: "apps",
    kind: "StatefulSet",
    object: { spec: { volumeClaimTemplates: [{ metadata: { name: "c" } }] } },
    at: ["spec", "volumeClaimTemplates"],
    becomes: [
      {
        kind: "PersistentVolumeClaim",
        apiVersion: "v1",
        metadata: { name: "c" },
        spec: { volumeMode: "Filesystem" },
        status: { phase: "Pending" },
      },
    ],
  },
  {
    is: "a service with nothing but a port",
    kind: "Service",
    object: { spec: { ports: [{ port: 80 }, { port: 81, targetPort: "web" }] } },
    becomes: {
      spec: {
        ports: [
          { port: 80, protocol: "TCP", targetPort: 80 },
          { port: 81, protocol: "TCP", targetPort: "web" },
        ],
        type: "ClusterIP",
        sessionAffinity: "None",
        internalTrafficPolicy: "Cluster",
      },
    },
  },
  {
    is: "a pod with one address",
    kind: "Pod",
    object: { status: { podIP: "10.0.0.1" } },
    at: ["status"],
    becomes: { podIP: "10.0.0.1", podIPs: [{ ip: "10.0.0.1" }] },
  },
  {
    is: "a pod with several addresses",
    kind: "Pod",
    object: { status: { podIPs: [{ ip: "10.0.0.1" }, { ip: "fd00::1" }] } },
    at: ["status"],
    becomes: { podIP: "10.0.0.1", podIPs: [{ ip: "10.0.0.1" }, { ip: "fd00::1" }] },
  },
  {
    is: "a pod whose one address has changed",
    kind: "Pod",
    object: { status: { podIP: "10.0.0.2", podIPs: [{ ip: "10.0.0.1" }, { ip: "fd00::1" }] } },
    at: ["status"],
    becomes: { podIP: "10.0.0.2", podIPs: [{ ip: "10.0.0.2" }] },
  },
  {
    is: "a node with one range of addresses for pods",
    kind: "Node",
    object: { spec: { podCIDR: "10.0.0.0/24" } },
    at: ["spec"],
    becomes: { podCIDR: "10.0.0.0/24", podCIDRs: ["10.0.0.0/24"] },
  },
  {
    is: "a node whose one range has changed",
    kind: "Node",
    object: { spec: { podCIDR: "10.0.1.0/24", podCIDRs: ["10.0.0.0/24", "fd00::/64"] } },
    at: ["spec"],
    becomes: { podCIDR: "10.0.1.0/24", podCIDRs: ["10.0.1.0/24"] },
  },
  {
    is: "a node with several ranges",
    kind: "Node",
    object: { spec: { podCIDRs: ["10.0.0.0/24", "fd00::/64"] } },
    at: ["spec"],
    becomes: { podCIDR: "10.0.0.0/24", podCIDRs: ["10.0.0.0/24", "fd00::/64"] },
  },
  {
    is: "a service with a load balancer and session affinity",
    gates: "LoadBalancerIPMode=true",
    kind: "Service",
    object: {
      spec: { type: "LoadBalancer", sessionAffinity: "ClientIP" },
      status: { loadBalancer: { ingress: [{ ip: "1.1.1.1" }, { hostname: "h" }] } },
    },
    becomes: {
      spec: {
        type: "LoadBalancer",
        sessionAffinity: "ClientIP",
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } },
        externalTrafficPolicy: "Cluster",
        internalTrafficPolicy: "Cluster",
        allocateLoadBalancerNodePorts: true,
      },
      status: { loadBalancer: { ingress: [{ ip: "1.1.1.1", ipMode: "VIP" }, { hostname: "h" }] } },
    },
  },
  {
    is: "a service that is a name",
    kind: "Service",
    object: { spec: { type: "ExternalName", sessionAffinityConfig: { clientIP: {} } } },
    at: ["spec"],
    becomes: { type: "ExternalName", sessionAffinity: "None" },
  },
  {
    is: "a service with external addresses",
    kind: "Service",
    object: { spec: { externalIPs: ["1.1.1.1"] } },
    at: ["spec", "externalTrafficPolicy"],
    becomes: "Cluster",
  },
  {
    is: "a replication controller",
    kind: "ReplicationController",
    object: { spec: { template: { metadata: { labels: { a: "1" } }, spec: { containers: [] } } } },
    becomes: {
      metadata: { labels: { a: "1" } },
      spec: {
        replicas: 1,
        selector: { a: "1" },
        template: { metadata: { labels: { a: "1" } }, spec: { containers: [], ...podSpec } },
      },
    },
  },
  {
    is: "a namespace",
    kind: "Namespace",
    object: { metadata: { name: "a", labels: { "kubernetes.io/metadata.name": "wrong" } } },
    becomes: {
      metadata: { name: "a", labels: { "kubernetes.io/metadata.name": "a" } },
      status: { phase: "Active" },
    },
  },
  {
    is: "a node",
    kind: "Node",
    object: { status: { capacity: { cpu: "4" } } },
    at: ["status"],
    becomes: { capacity: { cpu: "4" }, allocatable: { cpu: "4" } },
  },
  {
    is: "limits for containers",
    kind: "LimitRange",
    object: {
      spec: {
        limits: [
          { type: "Container", max: { cpu: "2" }, min: { memory: "1Mi" } },
          { type: "Pod", max: { cpu: "2" } },
        ],
      },
    },
    at: ["spec", "limits"],
    becomes: [
      {
        type: "Container",
        max: { cpu: "2" },
        min: { memory: "1Mi" },
        default: { cpu: "2" },
        defaultRequest: { cpu: "2", memory: "1Mi" },
      },
      { type: "Pod", max: { cpu: "2" } },
    ],
  },
  { is: "a secret", kind: "Secret", object: {}, becomes: { type: "Opaque" } },
  {
    is: "a secret in plain text",
    kind: "Secret",
    object: { data: { a: "b2xk", b: "b2xk" }, stringData: { a: "new", c: "" } },
    becomes: { type: "Opaque", data: { a: "bmV3", b: "b2xk", c: "" } },
  },
  { is: "a config map, which needs nothing", kind: "ConfigMap", object: {}, becomes: {} },
  {
    is: "endpoints",
    kind: "Endpoints",
    object: { subsets: [{ ports: [{ port: 1 }] }] },
    becomes: { subsets: [{ ports: [{ port: 1, protocol: "TCP" }] }] },
  },
  {
    is: "a deployment",
    group: "apps",
    kind: "Deployment",
    object: { spec: { template: { spec: podSpec } } },
    at: ["spec"],
    becomes: {
      template: { spec: podSpec },
      replicas: 1,
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    },
  },
  {
    is: "a deployment that replaces all its pods at once",
    group: "apps",
    kind: "Deployment",
    object: { spec: { replicas: 0, strategy: { type: "Recreate" } } },
    at: ["spec", "strategy"],
    becomes: { type: "Recreate" },
  },
  {
    is: "a daemon set",
    group: "apps",
    kind: "DaemonSet",
    object: { spec: { template: { spec: podSpec }, updateStrategy: { rollingUpdate: { maxUnavailable: "10%" } } } },
    at: ["spec"],
    becomes: {
      template: { spec: podSpec },
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "10%", maxSurge: 0 } },
      revisionHistoryLimit: 10,
    },
  },
  {
    is: "a stateful set",
    group: "apps",
    kind: "StatefulSet",
    object: { spec: { template: { spec: podSpec } } },
    at: ["spec"],
    becomes: {
      template: { spec: podSpec },
      podManagementPolicy: "OrderedReady",
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Retain" },
      replicas: 1,
      revisionHistoryLimit: 10,
    },
  },
  {
    is: "a stateful set that names its strategy only",
    group: "apps",
    kind: "StatefulSet",
    gates: "MaxUnavailableStatefulSet=true,StatefulSetAutoDeletePVC=false",
    object: { spec: { template: { spec: podSpec }, updateStrategy: { type: "RollingUpdate" } } },
    at: ["spec"],
    becomes: {
      template: { spec: podSpec },
      podManagementPolicy: "OrderedReady",
      updateStrategy: { type: "RollingUpdate" },
      replicas: 1,
      revisionHistoryLimit: 10,
    },
  },
  {
    is: "a stateful set that may lose several pods at once",
    group: "apps",
    kind: "StatefulSet",
    gates: "MaxUnavailableStatefulSet=true",
    object: {},
    at: ["spec", "updateStrategy"],
    becomes: { type: "RollingUpdate", rollingUpdate: { partition: 0, maxUnavailable: 1 } },
  },
  {
    is: "a job",
    group: "batch",
    kind: "Job",
    object: {
      spec: {
        template: { metadata: { labels: { a: "1" } }, spec: podSpec },
        podFailurePolicy: { rules: [{ onPodConditions: [{ type: "T" }] }] },
      },
    },
    becomes: {
      metadata: { labels: { a: "1" } },
      spec: {
        template: { metadata: { labels: { a: "1" } }, spec: podSpec },
        podFailurePolicy: { rules: [{ onPodConditions: [{ type: "T", status: "True" }] }] },
        completions: 1,
        parallelism: 1,
        backoffLimit: 6,
        completionMode: "NonIndexed",
        suspend: false,
        podReplacementPolicy: "Failed",
        manualSelector: false,
      },
    },
  },
  {
    is: "a job that works on a queue",
    group: "batch",
    kind: "Job",
    object: { spec: { template: { spec: podSpec }, parallelism: 3, backoffLimitPerIndex: 1 } },
    at: ["spec"],
    becomes: {
      template: { spec: podSpec },
      parallelism: 3,
      backoffLimitPerIndex: 1,
      backoffLimit: 2147483647,
      completionMode: "NonIndexed",
      suspend: false,
      podReplacementPolicy: "TerminatingOrFailed",
      manualSelector: false,
    },
  },
  {
    is: "a cron job",
    group: "batch",
    kind: "CronJob",
    object: { spec: { jobTemplate: { spec: { template: { spec: podSpec } } } } },
    at: ["spec"],
    becomes: {
      jobTemplate: { spec: { template: { spec: podSpec } } },
      concurrencyPolicy: "Allow",
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    },
  },
  {
    is: "an autoscaler of v1",
    group: "autoscaling",
    kind: "HorizontalPodAutoscaler",
    object: {},
    becomes: { spec: { minReplicas: 1 } },
  },
  {
    is: "an autoscaler of v2",
    group: "autoscaling",
    version: "v2",
    kind: "HorizontalPodAutoscaler",
    object: { spec: { behavior: { scaleDown: { selectPolicy: "Disabled" } } } },
    becomes: {
      spec: {
        minReplicas: 1,
        metrics: [
          { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
        ],
        behavior: {
          scaleUp: {
            stabilizationWindowSeconds: 0,
            selectPolicy: "Max",
            policies: [
              { type: "Pods", value: 4, periodSeconds: 15 },
              { type: "Percent", value: 100, periodSeconds: 15 },
            ],
          },
          scaleDown: { selectPolicy: "Disabled", policies: [{ type: "Percent", value: 100, periodSeconds: 15 }] },
        },
      },
    },
  },
  {
    is: "a mutating webhook",
    group: "admissionregistration.k8s.io",
    kind: "MutatingWebhookConfiguration",
    object: { webhooks: [{ name: "w", clientConfig: { service: { name: "s" } }, rules: [{ apiGroups: ["*"] }] }] },
    at: ["webhooks"],
    becomes: [
      {
        name: "w",
        clientConfig: { service: { name: "s", port: 443 } },
        rules: [{ apiGroups: ["*"], scope: "*" }],
        failurePolicy: "Fail",
        matchPolicy: "Equivalent",
        namespaceSelector: {},
        objectSelector: {},
        timeoutSeconds: 10,
        reinvocationPolicy: "Never",
      },
    ],
  },
  {
    is: "a validating webhook",
    group: "admissionregistration.k8s.io",
    kind: "ValidatingWebhookConfiguration",
    object: { webhooks: [{ name: "w", failurePolicy: "Ignore", timeoutSeconds: 0 }] },
    at: ["webhooks"],
    becomes: [
      {
        name: "w",
        failurePolicy: "Ignore",
        timeoutSeconds: 0,
        matchPolicy: "Equivalent",
        namespaceSelector: {},
        objectSelector: {},
      },
    ],
  },
  ...["v1alpha1", "v1beta1"].map((version) => ({
    is: `an admission policy of ${version}`,
    group: "admissionregistration.k8s.io",
    version,
    kind: "ValidatingAdmissionPolicy",
    object: { spec: { matchConstraints: { resourceRules: [{ apiGroups: ["*"] }] } } },
    becomes: {
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: ["*"], scope: "*" }],
          matchPolicy: "Equivalent",
          namespaceSelector: {},
          objectSelector: {},
        },
        failurePolicy: "Fail",
      },
    },
  })),
  {
    is: "a binding of an admission policy of v1alpha1",
    group: "admissionregistration.k8s.io",
    version: "v1alpha1",
    kind: "ValidatingAdmissionPolicyBinding",
    object: { spec: { paramRef: { name: "p" } } },
    becomes: { spec: { paramRef: { name: "p", parameterNotFoundAction: "Deny" } } },
  },
  {
    is: "an endpoint slice",
    group: "discovery.k8s.io",
    kind: "EndpointSlice",
    object: { ports: [{ port: 1 }] },
    becomes: { ports: [{ port: 1, name: "", protocol: "TCP" }] },
  },
  ...["v1", "v1beta3"].map((version) => ({
    is: `a flow schema of ${version}`,
    group: "flowcontrol.apiserver.k8s.io",
    version,
    kind: "FlowSchema",
    object: {},
    becomes: { spec: { matchingPrecedence: 1000 } },
  })),
  ...["v1", "v1beta3"].map((version) => ({
    is: `a limited priority level of ${version}`,
    group: "flowcontrol.apiserver.k8s.io",
    version,
    kind: "PriorityLevelConfiguration",
    object: { spec: { limited: { limitResponse: { queuing: { queues: 5 } } } } },
    becomes: {
      spec: {
        limited: {
          limitResponse: { queuing: { queues: 5, handSize: 8, queueLengthLimit: 50 } },
          nominalConcurrencyShares: 30,
          lendablePercent: 0,
        },
      },
    },
  })),
  {
    is: "a priority level with a share of zero in v1, which is meant",
    group: "flowcontrol.apiserver.k8s.io",
    kind: "PriorityLevelConfiguration",
    object: { spec: { limited: { nominalConcurrencyShares: 0 } } },
    at: ["spec", "limited", "nominalConcurrencyShares"],
    becomes: 0,
  },
  {
    is: "a priority level with a share of zero in v1beta3, marked as meant",
    group: "flowcontrol.apiserver.k8s.io",
    version: "v1beta3",
    kind: "PriorityLevelConfiguration",
    object: {
      metadata: { annotations: { "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares": "" } },
      spec: { limited: { nominalConcurrencyShares: 0 } },
    },
    at: ["spec", "limited", "nominalConcurrencyShares"],
    becomes: 0,
  },
  {
    is: "an exempt priority level",
    group: "flowcontrol.apiserver.k8s.io",
    kind: "PriorityLevelConfiguration",
    object: { spec: { exempt: {} } },
    at: ["spec"],
    becomes: { exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
  },
  {
    is: "a network policy",
    group: "networking.k8s.io",
    kind: "NetworkPolicy",
    object: { spec: { egress: [{ ports: [{ port: 1 }] }] } },
    at: ["spec"],
    becomes: { egress: [{ ports: [{ port: 1, protocol: "TCP" }] }], policyTypes: ["Ingress", "Egress"] },
  },
  {
    is: "a network policy without egress",
    group: "networking.k8s.io",
    kind: "NetworkPolicy",
    object: {},
    at: ["spec"],
    becomes: { policyTypes: ["Ingress"] },
  },
  {
    is: "an ingress class with parameters",
    group: "networking.k8s.io",
    kind: "IngressClass",
    object: { spec: { parameters: { kind: "K", name: "n" } } },
    at: ["spec", "parameters", "scope"],
    becomes: "Cluster",
  },
  {
    is: "an ingress class without parameters",
    group: "networking.k8s.io",
    kind: "IngressClass",
    object: { spec: {} },
    becomes: { spec: {} },
  },
  ...["RoleBinding", "ClusterRoleBinding"].map((kind) => ({
    is: `a ${kind}`,
    group: "rbac.authorization.k8s.io",
    kind,
    object: { roleRef: { kind: "Role" }, subjects: [{ kind: "User" }, { kind: "Group" }, { kind: "ServiceAccount" }] },
    becomes: {
      roleRef: { kind: "Role", apiGroup: "rbac.authorization.k8s.io" },
      subjects: [
        { kind: "User", apiGroup: "rbac.authorization.k8s.io" },
        { kind: "Group", apiGroup: "rbac.authorization.k8s.io" },
        { kind: "ServiceAccount" },
      ],
    },
  })),
  {
    is: "a storage class",
    group: "storage.k8s.io",
    kind: "StorageClass",
    object: {},
    becomes: { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" },
  },
  {
    is: "a storage driver",
    group: "storage.k8s.io",
    kind: "CSIDriver",
    object: { spec: { attachRequired: false } },
    at: ["spec"],
    becomes: {
      attachRequired: false,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: "ReadWriteOnceWithFSType",
      volumeLifecycleModes: ["Persistent"],
      requiresRepublish: false,
      seLinuxMount: false,
    },
  },
  {
    is: "a priority class",
    group: "scheduling.k8s.io",
    kind: "PriorityClass",
    object: {},
    becomes: { preemptionPolicy: "PreemptLowerPriority" },
  },
  {
    is: "a template of resource claims",
    group: "resource.k8s.io",
    version: "v1alpha2",
    kind: "ResourceClaimTemplate",
    object: {},
    becomes: { spec: { spec: { allocationMode: "WaitForFirstConsumer" } } },
  },
  {
    is: "a request for a token",
    group: "authentication.k8s.io",
    kind: "TokenRequest",
    object: { spec: {} },
    at: ["spec"],
    becomes: { expirationSeconds: 3600 },
  },
  {
    is: "a definition of custom resources",
    group: "apiextensions.k8s.io",
    kind: "CustomResourceDefinition",
    object: { spec: { names: { kind: "Widget" }, versions: [{ name: "v1" }, { name: "v2", storage: true }] } },
    becomes: {
      spec: {
        names: { kind: "Widget", singular: "widget", listKind: "WidgetList" },
        versions: [{ name: "v1" }, { name: "v2", storage: true }],
        conversion: { strategy: "None" },
      },
      status: { storedVersions: ["v2"] },
    },
  },
  {
    is: "a conversion webhook",
    group: "apiextensions.k8s.io",
    kind: "CustomResourceDefinition",
    object: { spec: { conversion: { strategy: "Webhook", webhook: { clientConfig: { service: { name: "s" } } } } } },
    at: ["spec", "conversion", "webhook", "clientConfig", "service", "port"],
    becomes: 443,
  },
  {
    is: "an API service",
    group: "apiregistration.k8s.io",
    kind: "APIService",
    object: { spec: { service: { name: "s" } } },
    becomes: { spec: { service: { name: "s", port: 443 } } },
  },
];

const applyDefaults = createDefaulting(builtinDefaultingFunctions);

for (const row of rows) {
  test(`defaults complete ${row.is}, and do so once`, () => {
    const { group = "", version = "v1", kind } = row;
    const object = structuredClone(row.object);
    const features = parseFeatureGates(row.gates ?? "").gates;
    const schema = kindSchema(group, version, kind)?.schema;
    assert.ok(schema !== undefined);
    applyDefaults(schema, object, features);
    assert.deepEqual(row.at === undefined ? object : valueAt(object, ...row.at), row.becomes);
    const once = structuredClone(object);
    applyDefaults(schema, object, features);
    assert.deepEqual(object, once);
  });
}

/** Messages whose rule is tested elsewhere, or is invisible: an empty map is not written. */
const elsewhere: Readonly<Record<string, string>> = {
  "k8s.io.api.core.v1.ConfigMap": "",
  "k8s.io.api.core.v1.ResourceList": "",
  "k8s.io.api.core.v1.EphemeralContainer": "k8s.io.api.core.v1.EphemeralContainerCommon",
  "k8s.io.api.core.v1.Endpoints": "k8s.io.api.core.v1.EndpointPort",
};

test("a rounded amount is known in the notation in which it was sent, in requests that are those of the limits, too", () => {
  const schema = kindSchema("", "v1", "Pod")?.schema;
  assert.ok(schema !== undefined);
  const limits = { cpu: "0.0000005", memory: "1n", storage: "500m" };
  const { object } = decodeJson(schema, podWith({ resources: { limits } }));
  applyDefaults(schema, object, parseFeatureGates("").gates);
  const [container] = listAt(object, "spec", "containers");
  for (const member of ["limits", "requests"]) {
    const amounts = objectAt(container, "resources", member);
    assert.deepEqual(amounts, { cpu: "1m", memory: "1m", storage: "500m" });
    assert.deepEqual(
      Object.keys(amounts).map((name) => amountAsSent(amounts, name)),
      ["0.0000005", "1n", "500m"],
    );
  }
});

test("every message of v1.29 with a defaulting rule has one", { skip: factsMissing }, () => {
  const { rules } = readFactTable<{
    readonly rules: Readonly<Record<string, readonly { readonly field: string; readonly value?: JsonValue }[]>>;
  }>("defaults.json");
  for (const [message, facts] of Object.entries(rules)) {
    const name = elsewhere[message] ?? message;
    if (name === "") {
      continue;
    }
    for (const { field, value } of facts) {
      const stated = messageSchema(name).properties.get(field)?.default;
      if (stated !== undefined) {
        assert.deepEqual(stated, value, `${name}.${field}`);
      } else if (builtinDefaultingFunctions[name] === undefined) {
        assert.ok(message in elsewhere, `${name}.${field}`);
      }
    }
  }
});
