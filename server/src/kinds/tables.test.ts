import assert from "node:assert/strict";
import { test } from "node:test";
import type { ResourceDefinition } from "@gatehouse/apiserver/registry";
import { scaleTable, statusTable, type TableDefinition } from "@gatehouse/apiserver/tables";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { builtinResources } from "./builtin-resources.js";
import { factsMissing, readFactTable } from "./fact-tables.test.support.js";

const now = Date.parse("2024-03-01T12:00:00Z");
const created = "2024-03-01T11:00:00Z";

/** Tables of kinds that are not resources. */
const ofMechanisms: Readonly<Record<string, TableDefinition>> = { Scale: scaleTable, Status: statusTable };

function definitionOf(group: string, kind: string, version?: string): ResourceDefinition | undefined {
  return builtinResources.find(
    (item) => item.group === group && item.kind === kind && (version === undefined || item.version === version),
  );
}

function tableOf(group: string, kind: string): TableDefinition {
  const table = definitionOf(group, kind)?.table ?? ofMechanisms[kind];
  assert.ok(table !== undefined, `${group}/${kind}`);
  return table;
}

interface Row {
  readonly group?: string;
  /** The version of the object; any when absent. */
  readonly version?: string;
  readonly kind: string;
  readonly is?: string;
  readonly object: JsonObject;
  readonly cells: readonly JsonValue[];
}

const template: JsonObject = {
  metadata: { labels: { app: "shop" } },
  spec: {
    nodeSelector: { disk: "ssd" },
    containers: [
      { name: "web", image: "web:1" },
      { name: "log", image: "log:2" },
    ],
  },
};
const selector: JsonObject = { matchLabels: { app: "shop" } };

const rows: readonly Row[] = [
  {
    kind: "ComponentStatus",
    object: { conditions: [{ type: "Healthy", status: "True", message: "ok" }] },
    cells: ["x", "Healthy", "ok", ""],
  },
  {
    kind: "ComponentStatus",
    is: "that fails",
    object: { conditions: [{ type: "Healthy", status: "False", message: "no", error: "dial" }] },
    cells: ["x", "Unhealthy", "no", "dial"],
  },
  { kind: "ComponentStatus", is: "without a condition", object: {}, cells: ["x", "Unknown", "", ""] },
  { kind: "ConfigMap", object: { data: { a: "1", b: "2" }, binaryData: { c: "" } }, cells: ["x", 3, "60m"] },
  { kind: "ConfigMap", is: "without data", object: {}, cells: ["x", 0, "60m"] },
  { kind: "Endpoints", is: "without subsets", object: {}, cells: ["x", "<none>", "60m"] },
  {
    kind: "Endpoints",
    object: {
      subsets: [
        { addresses: [{ ip: "10.0.0.1" }, { ip: "fd00::1" }], ports: [{ port: 80 }, { port: 443 }] },
        { addresses: [{ ip: "10.0.0.9" }] },
      ],
    },
    cells: ["x", "10.0.0.1:80,[fd00::1]:80,10.0.0.1:443 + 2 more...", "60m"],
  },
  {
    kind: "Event",
    object: {
      type: "Warning",
      reason: "BackOff",
      message: " restarting \n",
      involvedObject: { kind: "Pod", name: "web", fieldPath: "spec.containers{a}" },
      source: { component: "kubelet", host: "n1" },
      firstTimestamp: "2024-03-01T11:00:00Z",
      lastTimestamp: "2024-03-01T11:59:00Z",
      count: 7,
    },
    cells: ["60s", "Warning", "BackOff", "pod/web", "spec.containers{a}", "kubelet, n1", "restarting", "60m", 7, "x"],
  },
  {
    kind: "Event",
    is: "of a kind and with a message that Go reads in its own way",
    object: { message: "\u0085\ufeffdone\ufeff\u3000", involvedObject: { kind: "\u0130\u0391\u03a3", name: "o" } },
    cells: [...["<unknown>", "", "", "i\u03b1\u03c3/o", "", "", "\ufeffdone\ufeff"], ...["<unknown>", 1, "x"]],
  },
  {
    kind: "Event",
    is: "of the newer form, seen once",
    object: {
      eventTime: "2024-03-01T11:58:00.000000Z",
      involvedObject: { kind: "Node" },
      reportingComponent: "scheduler",
    },
    cells: ["2m", "", "", "node", "", "scheduler", "", "2m", 1, "x"],
  },
  {
    kind: "Event",
    is: "of a series",
    object: {
      eventTime: "2024-03-01T11:00:00.000000Z",
      series: { count: 3, lastObservedTime: "2024-03-01T11:59:30.500000Z" },
      involvedObject: { kind: "Node", name: "n" },
    },
    cells: ["29s", "", "", "node/n", "", "", "", "60m", 3, "x"],
  },
  {
    group: "events.k8s.io",
    kind: "Event",
    object: {
      type: "Normal",
      reason: "Started",
      note: "started",
      regarding: { kind: "Pod", name: "web" },
      reportingController: "kubelet",
      reportingInstance: "n1",
      deprecatedFirstTimestamp: "2024-03-01T11:00:00Z",
      deprecatedLastTimestamp: "2024-03-01T11:59:00Z",
      deprecatedCount: 2,
    },
    cells: ["60s", "Normal", "Started", "pod/web", "", "kubelet, n1", "started", "60m", 2, "x"],
  },
  { kind: "Namespace", object: { status: { phase: "Active" } }, cells: ["x", "Active", "60m"] },
  {
    kind: "Node",
    object: {
      metadata: {
        name: "x",
        creationTimestamp: created,
        labels: { "node-role.kubernetes.io/worker": "", "node-role.kubernetes.io/": "", "kubernetes.io/role": "edge" },
      },
      spec: { unschedulable: true },
      status: {
        conditions: [{ type: "Ready", status: "True" }],
        addresses: [
          { type: "ExternalIP", address: "1.2.3.4" },
          { type: "InternalIP", address: "10.0.0.1" },
          { type: "InternalIP", address: "10.0.0.2" },
        ],
        nodeInfo: {
          kubeletVersion: "v1.29.2",
          osImage: "Linux",
          kernelVersion: "6.1",
          containerRuntimeVersion: "c://1",
        },
      },
    },
    cells: [
      "x",
      "Ready,SchedulingDisabled",
      "edge,worker",
      "60m",
      "v1.29.2",
      "10.0.0.1",
      "1.2.3.4",
      "Linux",
      "6.1",
      "c://1",
    ],
  },
  {
    kind: "Node",
    is: "that is not ready",
    object: { status: { conditions: [{ type: "Ready", status: "Unknown" }] } },
    cells: ["x", "NotReady", "<none>", "60m", "", "<none>", "<none>", "<unknown>", "<unknown>", "<unknown>"],
  },
  {
    kind: "Node",
    is: "without a status",
    object: {},
    cells: ["x", "Unknown", "<none>", "60m", "", "<none>", "<none>", "<unknown>", "<unknown>", "<unknown>"],
  },
  {
    kind: "PersistentVolume",
    object: {
      spec: {
        capacity: { storage: "5Gi" },
        accessModes: ["ReadWriteMany", "ReadWriteOnce"],
        persistentVolumeReclaimPolicy: "Retain",
        claimRef: { namespace: "ns", name: "c" },
        storageClassName: "fast",
        volumeMode: "Block",
      },
      status: { phase: "Bound", reason: "because" },
    },
    cells: ["x", "5Gi", "RWO,RWX", "Retain", "Bound", "ns/c", "fast", "<unset>", "because", "60m", "Block"],
  },
  {
    kind: "PersistentVolume",
    is: "that is being deleted, with the old class annotation",
    object: {
      metadata: {
        name: "x",
        deletionTimestamp: created,
        annotations: { "volume.beta.kubernetes.io/storage-class": "old" },
      },
      spec: { storageClassName: "fast", volumeAttributesClassName: "gold" },
    },
    cells: ["x", "0", "", "", "Terminating", "", "old", "gold", "", "<unknown>", "<unset>"],
  },
  {
    kind: "PersistentVolumeClaim",
    object: {
      spec: { volumeName: "pv", storageClassName: "fast", volumeMode: "Filesystem" },
      status: { phase: "Bound", capacity: { storage: "5Gi" }, accessModes: ["ReadWriteOncePod", "ReadOnlyMany"] },
    },
    cells: ["x", "Bound", "pv", "5Gi", "ROX,RWOP", "fast", "<unset>", "60m", "Filesystem"],
  },
  {
    kind: "PersistentVolumeClaim",
    is: "that is not bound",
    object: { spec: {}, status: { phase: "Pending", capacity: { storage: "5Gi" } } },
    cells: ["x", "Pending", "", "", "", "", "<unset>", "60m", "<unset>"],
  },
  {
    kind: "Pod",
    object: {
      spec: {
        nodeName: "n1",
        containers: [{ name: "a" }],
        readinessGates: [{ conditionType: "a/b" }, { conditionType: "c/d" }],
      },
      status: {
        phase: "Running",
        podIPs: [{ ip: "10.1.1.1" }, { ip: "fd00::1" }],
        conditions: [
          { type: "a/b", status: "True" },
          { type: "c/d", status: "False" },
        ],
        containerStatuses: [{ name: "a", ready: true, restartCount: 0, state: { running: {} } }],
      },
    },
    cells: ["x", "1/1", "Running", "0", "60m", "10.1.1.1", "n1", "<none>", "1/2"],
  },
  {
    kind: "Pod",
    is: "without a status",
    object: { spec: { containers: [{ name: "a" }] } },
    cells: ["x", "0/1", "", "0", "60m", "<none>", "<none>", "<none>", "<none>"],
  },
  { kind: "PodTemplate", object: { template }, cells: ["x", "web,log", "web:1,log:2", "app=shop"] },
  {
    kind: "ReplicationController",
    object: { spec: { replicas: 3, selector: { app: "shop" }, template }, status: { replicas: 2, readyReplicas: 1 } },
    cells: ["x", 3, 2, 1, "60m", "web,log", "web:1,log:2", "app=shop"],
  },
  {
    kind: "ResourceQuota",
    object: {
      status: {
        hard: { "requests.cpu": "2", pods: "10", "limits.memory": "4Gi", "limits.cpu": "3" },
        used: { pods: "1", "limits.cpu": "500m" },
      },
    },
    cells: ["x", "60m", "pods: 1/10, requests.cpu: 0/2", "limits.cpu: 500m/3, limits.memory: 0/4Gi"],
  },
  { kind: "Secret", object: { type: "Opaque", data: { a: "" } }, cells: ["x", "Opaque", 1, "60m"] },
  {
    kind: "Service",
    object: {
      spec: {
        type: "NodePort",
        clusterIPs: ["10.0.0.1", "fd00::1"],
        ports: [
          { port: 80, nodePort: 30080, protocol: "TCP" },
          { port: 53, protocol: "UDP" },
        ],
        selector: { app: "shop" },
      },
    },
    cells: ["x", "NodePort", "10.0.0.1", "<none>", "80:30080/TCP,53/UDP", "60m", "app=shop"],
  },
  {
    kind: "Service",
    is: "with external addresses",
    object: { spec: { type: "ClusterIP", clusterIPs: ["None"], externalIPs: ["1.1.1.1", "2.2.2.2"] } },
    cells: ["x", "ClusterIP", "None", "1.1.1.1,2.2.2.2", "<none>", "60m", "<none>"],
  },
  {
    kind: "Service",
    is: "with a load balancer",
    object: {
      spec: { type: "LoadBalancer", externalIPs: ["1.1.1.1"] },
      status: { loadBalancer: { ingress: [{ hostname: "lb.example" }, { ip: "9.9.9.9" }, { ip: "9.9.9.9" }] } },
    },
    cells: ["x", "LoadBalancer", "<none>", "9.9.9.9,lb.example,1.1.1.1", "<none>", "60m", "<none>"],
  },
  {
    kind: "Service",
    is: "that waits for its load balancer",
    object: { spec: { type: "LoadBalancer" } },
    cells: ["x", "LoadBalancer", "<none>", "<pending>", "<none>", "60m", "<none>"],
  },
  {
    kind: "Service",
    is: "that is a name",
    object: { spec: { type: "ExternalName", externalName: "db.example" } },
    cells: ["x", "ExternalName", "<none>", "db.example", "<none>", "60m", "<none>"],
  },
  { kind: "ServiceAccount", object: { secrets: [{ name: "s" }] }, cells: ["x", 1, "60m"] },
  { kind: "LimitRange", object: {}, cells: ["x", "2024-03-01T11:00:00Z"] },
  {
    group: "rbac.authorization.k8s.io",
    kind: "Role",
    is: "that was never stored",
    object: { metadata: { name: "x" } },
    cells: ["x", "0001-01-01T00:00:00Z"],
  },
  {
    group: "admissionregistration.k8s.io",
    kind: "MutatingWebhookConfiguration",
    object: { webhooks: [{}, {}] },
    cells: ["x", 2, "60m"],
  },
  {
    group: "admissionregistration.k8s.io",
    kind: "ValidatingWebhookConfiguration",
    object: {},
    cells: ["x", 0, "60m"],
  },
  {
    group: "admissionregistration.k8s.io",
    kind: "ValidatingAdmissionPolicy",
    object: { spec: { validations: [{}], paramKind: { apiVersion: "v1", kind: "ConfigMap" } } },
    cells: ["x", 1, "v1/ConfigMap", "60m"],
  },
  {
    group: "admissionregistration.k8s.io",
    kind: "ValidatingAdmissionPolicy",
    is: "without parameters",
    object: { spec: {} },
    cells: ["x", 0, "<unset>", "60m"],
  },
  {
    group: "admissionregistration.k8s.io",
    kind: "ValidatingAdmissionPolicyBinding",
    object: { spec: { policyName: "p", paramRef: { name: "c", namespace: "ns" } } },
    cells: ["x", "p", "ns/c", "60m"],
  },
  {
    group: "admissionregistration.k8s.io",
    kind: "ValidatingAdmissionPolicyBinding",
    is: "whose parameter has no namespace",
    object: { spec: { policyName: "p", paramRef: { name: "c" } } },
    cells: ["x", "p", "*/c", "60m"],
  },
  {
    group: "admissionregistration.k8s.io",
    kind: "ValidatingAdmissionPolicyBinding",
    is: "that selects its parameters",
    object: { spec: { policyName: "p", paramRef: { selector: { matchLabels: { a: "b" } } } } },
    cells: [
      "x",
      "p",
      "&LabelSelector{MatchLabels:map[string]string{a: b,},MatchExpressions:[]LabelSelectorRequirement{},}",
      "60m",
    ],
  },
  {
    group: "apiregistration.k8s.io",
    kind: "APIService",
    object: { status: { conditions: [{ type: "Available", status: "True", reason: "Local" }] } },
    cells: ["x", "Local", "True", "60m"],
  },
  {
    group: "apiregistration.k8s.io",
    kind: "APIService",
    is: "that is not available",
    object: {
      spec: { service: { namespace: "ns", name: "s" } },
      status: { conditions: [{ type: "Available", status: "False", reason: "MissingEndpoints" }] },
    },
    cells: ["x", "ns/s", "False (MissingEndpoints)", "60m"],
  },
  {
    group: "apps",
    kind: "ControllerRevision",
    object: {
      metadata: {
        name: "x",
        creationTimestamp: created,
        ownerReferences: [
          { apiVersion: "v1", kind: "Pod", name: "no" },
          { apiVersion: "apps/v1", kind: "DaemonSet", name: "agent", controller: true },
        ],
      },
      revision: 9007199254740993n,
    },
    cells: ["x", "daemonset.apps/agent", 9007199254740993n, "60m"],
  },
  {
    group: "apps",
    kind: "ControllerRevision",
    is: "of an owner whose apiVersion has an empty group",
    object: {
      metadata: {
        name: "x",
        creationTimestamp: created,
        ownerReferences: [{ apiVersion: "/v1", kind: "\u0130D", name: "O", controller: true }],
      },
      revision: 1,
    },
    cells: ["x", "id/O", 1, "60m"],
  },
  {
    group: "apps",
    kind: "ControllerRevision",
    is: "without an owner",
    object: { revision: 1 },
    cells: ["x", "<none>", 1, "60m"],
  },
  {
    group: "apps",
    kind: "DaemonSet",
    object: {
      spec: { template, selector },
      status: {
        desiredNumberScheduled: 5,
        currentNumberScheduled: 4,
        numberReady: 3,
        updatedNumberScheduled: 2,
        numberAvailable: 1,
      },
    },
    cells: ["x", 5, 4, 3, 2, 1, "disk=ssd", "60m", "web,log", "web:1,log:2", "app=shop"],
  },
  {
    group: "apps",
    kind: "Deployment",
    object: {
      spec: { replicas: 3, template, selector },
      status: { readyReplicas: 2, updatedReplicas: 1, availableReplicas: 2 },
    },
    cells: ["x", "2/3", 1, 2, "60m", "web,log", "web:1,log:2", "app=shop"],
  },
  {
    group: "apps",
    kind: "Deployment",
    is: "without a status",
    object: { spec: { replicas: 1 } },
    cells: ["x", "0/1", 0, 0, "60m", "", "", ""],
  },
  {
    group: "apps",
    kind: "ReplicaSet",
    object: { spec: { replicas: 3, template, selector }, status: { replicas: 3, readyReplicas: 1 } },
    cells: ["x", 3, 3, 1, "60m", "web,log", "web:1,log:2", "app=shop"],
  },
  {
    group: "apps",
    kind: "StatefulSet",
    object: { spec: { replicas: 3, template }, status: { readyReplicas: 1 } },
    cells: ["x", "1/3", "60m", "web,log", "web:1,log:2"],
  },
  {
    group: "autoscaling",
    kind: "HorizontalPodAutoscaler",
    object: {
      spec: {
        scaleTargetRef: { kind: "Deployment", name: "web" },
        minReplicas: 1,
        maxReplicas: 5,
        metrics: [
          { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
          { type: "External", external: { target: { type: "AverageValue", averageValue: "10" } } },
          { type: "Pods", pods: { target: { type: "AverageValue", averageValue: "10" } } },
        ],
      },
      status: {
        currentReplicas: 2,
        currentMetrics: [{ type: "Resource", resource: { current: { averageUtilization: 55 } } }],
      },
    },
    cells: ["x", "Deployment/web", "55%/80%, <unknown>/10 (avg) + 1 more...", "1", 5, 2, "60m"],
  },
  {
    group: "autoscaling",
    kind: "HorizontalPodAutoscaler",
    is: "without metrics",
    object: { spec: { maxReplicas: 5 } },
    cells: ["x", "/", "<none>", "<unset>", 5, 0, "60m"],
  },
  {
    group: "autoscaling",
    kind: "HorizontalPodAutoscaler",
    version: "v1",
    is: "of v1",
    object: {
      spec: { maxReplicas: 5, targetCPUUtilizationPercentage: 60 },
      status: { currentReplicas: 1, currentCPUUtilizationPercentage: 50 },
    },
    cells: ["x", "/", "50%/60%", "<unset>", 5, 1, "60m"],
  },
  {
    group: "autoscaling",
    kind: "HorizontalPodAutoscaler",
    is: "on values of objects and averages of containers",
    object: {
      spec: {
        metrics: [
          { type: "Object", object: { target: { type: "Value", value: "2k" } } },
          { type: "ContainerResource", containerResource: { target: { averageValue: "100Mi" } } },
        ],
      },
      status: {
        currentMetrics: [
          { type: "Object", object: { current: { value: "1k" } } },
          { type: "ContainerResource", containerResource: { current: { averageValue: "50Mi" } } },
        ],
      },
    },
    cells: ["x", "/", "1k/2k, 50Mi/100Mi", "<unset>", 0, 0, "60m"],
  },
  {
    group: "autoscaling",
    kind: "Scale",
    object: { spec: { replicas: 3 }, status: { replicas: 2 } },
    cells: ["x", 3, 2, "60m"],
  },
  {
    group: "batch",
    kind: "CronJob",
    object: {
      spec: { schedule: "* * * * *", suspend: false, jobTemplate: { spec: { template } } },
      status: { active: [{}], lastScheduleTime: "2024-03-01T11:59:00Z" },
    },
    cells: ["x", "* * * * *", "False", 1, "60s", "60m", "web,log", "web:1,log:2", "<none>"],
  },
  {
    group: "batch",
    kind: "CronJob",
    is: "that never ran",
    object: { spec: { schedule: "@daily" } },
    cells: ["x", "@daily", "<unset>", 0, "<none>", "60m", "", "", "<none>"],
  },
  {
    group: "batch",
    kind: "Job",
    object: {
      spec: { completions: 3, parallelism: 2, template, selector },
      status: { succeeded: 1, startTime: "2024-03-01T11:30:00Z" },
    },
    cells: ["x", "1/3", "30m", "60m", "web,log", "web:1,log:2", "app=shop"],
  },
  {
    group: "batch",
    kind: "Job",
    is: "with a work queue, done",
    object: {
      spec: { parallelism: 4 },
      status: { succeeded: 4, startTime: "2024-03-01T11:30:00Z", completionTime: "2024-03-01T11:30:05Z" },
    },
    cells: ["x", "4/1 of 4", "5s", "60m", "", "", "<none>"],
  },
  {
    group: "batch",
    kind: "Job",
    is: "that has not started",
    object: { spec: { parallelism: 1 } },
    cells: ["x", "0/1", "", "60m", "", "", "<none>"],
  },
  {
    group: "certificates.k8s.io",
    kind: "CertificateSigningRequest",
    object: {
      spec: { signerName: "a/b", username: "me", expirationSeconds: 86400 },
      status: { conditions: [{ type: "Approved" }], certificate: "eA==" },
    },
    cells: ["x", "60m", "a/b", "me", "24h", "Approved,Issued"],
  },
  {
    group: "certificates.k8s.io",
    kind: "CertificateSigningRequest",
    is: "that was denied and failed",
    object: { spec: { username: "me" }, status: { conditions: [{ type: "Failed" }, { type: "Denied" }] } },
    cells: ["x", "60m", "<none>", "me", "<none>", "Denied,Failed"],
  },
  {
    group: "certificates.k8s.io",
    kind: "ClusterTrustBundle",
    object: { spec: {} },
    cells: ["x", "<none>"],
  },
  {
    group: "coordination.k8s.io",
    kind: "Lease",
    object: { spec: { holderIdentity: "me" } },
    cells: ["x", "me", "60m"],
  },
  {
    group: "discovery.k8s.io",
    kind: "EndpointSlice",
    object: {
      addressType: "IPv4",
      ports: [{ port: 80 }, { name: "named" }, {}, { port: 1 }],
      endpoints: [{ addresses: ["10.0.0.1", "10.0.0.2"] }, { addresses: ["10.0.0.3"] }],
    },
    cells: ["x", "IPv4", "80,named,* + 1 more...", "10.0.0.1,10.0.0.2,10.0.0.3", "60m"],
  },
  {
    group: "discovery.k8s.io",
    kind: "EndpointSlice",
    is: "that is empty",
    object: { addressType: "IPv6" },
    cells: ["x", "IPv6", "<unset>", "<unset>", "60m"],
  },
  {
    group: "flowcontrol.apiserver.k8s.io",
    kind: "FlowSchema",
    object: {
      spec: {
        priorityLevelConfiguration: { name: "pl" },
        matchingPrecedence: 100,
        distinguisherMethod: { type: "ByUser" },
      },
      status: { conditions: [{ type: "Dangling", status: "False" }] },
    },
    cells: ["x", "pl", 100, "ByUser", "60m", "False"],
  },
  {
    group: "flowcontrol.apiserver.k8s.io",
    kind: "PriorityLevelConfiguration",
    object: {
      spec: {
        type: "Limited",
        limited: {
          nominalConcurrencyShares: 30,
          limitResponse: { queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 } },
        },
      },
    },
    cells: ["x", "Limited", 30, 64, 8, 50, "60m"],
  },
  {
    group: "flowcontrol.apiserver.k8s.io",
    kind: "PriorityLevelConfiguration",
    is: "without limits",
    object: { spec: { type: "Exempt", exempt: {} } },
    cells: ["x", "Exempt", "<none>", "<none>", "<none>", "<none>", "60m"],
  },
  {
    group: "internal.apiserver.k8s.io",
    kind: "StorageVersion",
    object: { status: { storageVersions: [{ apiServerID: "a", encodingVersion: "v1" }] } },
    cells: ["x", "<unset>", "a=v1", "60m"],
  },
  {
    group: "meta.k8s.io",
    kind: "Status",
    object: { status: "Failure", reason: "NotFound", message: "no" },
    cells: ["Failure", "NotFound", "no"],
  },
  {
    group: "networking.k8s.io",
    kind: "IPAddress",
    object: { spec: { parentRef: { resource: "services", namespace: "ns", name: "s" } } },
    cells: ["x", "services/ns/s", "60m"],
  },
  {
    group: "networking.k8s.io",
    kind: "IPAddress",
    is: "of an object of a group",
    object: { spec: { parentRef: { group: "Example.com", resource: "\u0391\u03a3", name: "S" } } },
    cells: ["x", "\u03b1\u03c3.example.com/S", "60m"],
  },
  {
    group: "networking.k8s.io",
    kind: "Ingress",
    object: {
      spec: {
        ingressClassName: "nginx",
        tls: [{}],
        rules: [{ host: "a" }, {}, { host: "b" }, { host: "c" }, { host: "d" }],
      },
      status: { loadBalancer: { ingress: [{ ip: "1.1.1.1" }] } },
    },
    cells: ["x", "nginx", "a,b,c + 2 more...", "1.1.1.1", "80, 443", "60m"],
  },
  {
    group: "networking.k8s.io",
    kind: "Ingress",
    is: "without hosts",
    object: { spec: { rules: [{}] } },
    cells: ["x", "<none>", "*", "", "80", "60m"],
  },
  {
    group: "networking.k8s.io",
    kind: "IngressClass",
    object: { spec: { controller: "c/d", parameters: { apiGroup: "g.io", kind: "Conf", name: "p" } } },
    cells: ["x", "c/d", "Conf.g.io/p", "60m"],
  },
  {
    group: "networking.k8s.io",
    kind: "IngressClass",
    is: "without parameters",
    object: { spec: { controller: "c/d" } },
    cells: ["x", "c/d", "<none>", "60m"],
  },
  {
    group: "networking.k8s.io",
    kind: "NetworkPolicy",
    object: { spec: { podSelector: selector } },
    cells: ["x", "app=shop", "60m"],
  },
  {
    group: "networking.k8s.io",
    kind: "ServiceCIDR",
    object: { spec: { cidrs: ["10.0.0.0/16", "fd00::/64"] } },
    cells: ["x", "10.0.0.0/16,fd00::/64", "60m"],
  },
  { group: "node.k8s.io", kind: "RuntimeClass", object: { handler: "runc" }, cells: ["x", "runc", "60m"] },
  {
    group: "policy",
    kind: "PodDisruptionBudget",
    object: { spec: { minAvailable: "50%" }, status: { disruptionsAllowed: 1 } },
    cells: ["x", "50%", "N/A", 1, "60m"],
  },
  {
    group: "policy",
    kind: "PodDisruptionBudget",
    is: "with a number",
    object: { spec: { maxUnavailable: 0 } },
    cells: ["x", "N/A", "0", 0, "60m"],
  },
  ...["RoleBinding", "ClusterRoleBinding"].map((kind) => ({
    group: "rbac.authorization.k8s.io",
    kind,
    object: {
      roleRef: { kind: "ClusterRole", name: "admin" },
      subjects: [
        { kind: "User", name: "a" },
        { kind: "Group", name: "g" },
        { kind: "User", name: "b" },
        { kind: "ServiceAccount", namespace: "ns", name: "s" },
      ],
    },
    cells: ["x", "ClusterRole/admin", "60m", "a, b", "g", "ns/s"],
  })),
  {
    group: "resource.k8s.io",
    kind: "PodSchedulingContext",
    object: { spec: { selectedNode: "n" } },
    cells: ["x", "n", "60m"],
  },
  {
    group: "resource.k8s.io",
    kind: "ResourceClaim",
    object: {
      spec: { resourceClassName: "gpu", allocationMode: "Immediate" },
      status: { allocation: {}, reservedFor: [{}] },
    },
    cells: ["x", "gpu", "Immediate", "allocated,reserved", "60m"],
  },
  {
    group: "resource.k8s.io",
    kind: "ResourceClaim",
    is: "that nobody has looked at yet",
    object: {},
    cells: ["x", "", "", "pending", "60m"],
  },
  {
    group: "resource.k8s.io",
    kind: "ResourceClaimTemplate",
    object: { spec: { spec: { resourceClassName: "gpu", allocationMode: "Immediate" } } },
    cells: ["x", "gpu", "Immediate", "60m"],
  },
  { group: "resource.k8s.io", kind: "ResourceClass", object: { driverName: "d" }, cells: ["x", "d", "60m"] },
  {
    group: "scheduling.k8s.io",
    kind: "PriorityClass",
    object: { value: 1000, globalDefault: true },
    cells: ["x", 1000, true, "60m"],
  },
  {
    group: "storage.k8s.io",
    kind: "CSIDriver",
    object: { spec: { attachRequired: false, tokenRequests: [{ audience: "a" }, { audience: "b" }] } },
    cells: ["x", false, false, false, "a,b", false, "<none>", "60m"],
  },
  {
    group: "storage.k8s.io",
    kind: "CSIDriver",
    is: "with nothing set",
    object: { spec: { volumeLifecycleModes: ["Persistent", "Ephemeral"] } },
    cells: ["x", true, false, false, "<unset>", false, "Persistent,Ephemeral", "60m"],
  },
  { group: "storage.k8s.io", kind: "CSINode", object: { spec: { drivers: [{}] } }, cells: ["x", 1, "60m"] },
  {
    group: "storage.k8s.io",
    kind: "CSIStorageCapacity",
    object: { storageClassName: "fast", capacity: "1Gi" },
    cells: ["x", created],
  },
  {
    group: "storage.k8s.io",
    kind: "StorageClass",
    object: {
      metadata: {
        name: "x",
        creationTimestamp: created,
        annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
      },
      provisioner: "p",
      allowVolumeExpansion: true,
    },
    cells: ["x (default)", "p", "Delete", "Immediate", true, "60m"],
  },
  {
    group: "storage.k8s.io",
    kind: "VolumeAttachment",
    object: {
      spec: { attacher: "a", source: { persistentVolumeName: "pv" }, nodeName: "n" },
      status: { attached: true },
    },
    cells: ["x", "a", "pv", "n", true, "60m"],
  },
  {
    group: "storage.k8s.io",
    kind: "VolumeAttributesClass",
    object: { driverName: "d" },
    cells: ["x", "d", "60m"],
  },
];

for (const row of rows) {
  const is = row.is === undefined ? "" : ` ${row.is}`;
  test(`${row.group ?? "core"} ${row.kind}${is} shows as ${row.cells.join(" | ")}`, () => {
    const definition = tableOf(row.group ?? "", row.kind);
    const object = { metadata: { name: "x", creationTimestamp: created }, ...row.object };
    const conversion = definitionOf(row.group ?? "", row.kind, row.version)?.conversion;
    assert.deepEqual(definition.cells(conversion?.toStored(object) ?? object, { now }), row.cells);
    const extraCells = row.kind === "IPAddress" ? 1 : 0;
    assert.equal(row.cells.length, definition.columns.length + extraCells);
  });
}

test("a pod that is done says so in its row conditions", () => {
  const pods = tableOf("", "Pod");
  assert.deepEqual(pods.conditions?.({ status: { phase: "Succeeded" } }), [
    { type: "Completed", status: "True", reason: "Succeeded", message: "The pod has completed successfully." },
  ]);
  assert.deepEqual(pods.conditions?.({ status: { phase: "Failed" } }), [
    { type: "Completed", status: "True", reason: "Failed", message: "The pod failed." },
  ]);
  assert.equal(pods.conditions?.({ status: { phase: "Running" } }), undefined);
});

test("a kind without columns of its own gets the default columns", () => {
  assert.deepEqual(
    tableOf("rbac.authorization.k8s.io", "Role").columns.map((column) => column.name),
    ["Name", "Created At"],
  );
});

test("every kind has the columns of v1.29", { skip: factsMissing }, () => {
  const table = readFactTable<{
    readonly kinds: readonly {
      readonly group: string;
      readonly kind: string;
      readonly columns: readonly { name: string; type: string; format: string; priority: number }[];
    }[];
  }>("columns.json");
  const tested = new Set(rows.map((row) => `${row.group ?? ""}/${row.kind}`));
  for (const { group, kind, columns } of table.kinds) {
    // v1.29 knows columns for it, but does not use them.
    if (kind === "CSIStorageCapacity") {
      continue;
    }
    const actual = tableOf(group, kind).columns.map(({ name, type, format, priority }) => ({
      name,
      type,
      format,
      priority,
    }));
    const expected = columns.map(({ name, type, format, priority }) => ({ name, type, format, priority }));
    assert.deepEqual(actual, expected, `${group}/${kind}`);
    assert.ok(tested.has(`${group}/${kind}`), `${group}/${kind} has no row test`);
  }
});
