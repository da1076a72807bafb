// The kinds whose objects live in drawn sequences: what an object is made of, and what writes change about it, valid or not.
import { requests } from "../certificate-requests.mjs";

const labels = { app: "s" };
const selector = { matchLabels: labels };
const container = { name: "c", image: "i" };
const template = { metadata: { labels }, spec: { containers: [container] } };
const once = { ...template, spec: { ...template.spec, restartPolicy: "Never" } };
const withImage = (r) => ({
  spec: { template: { spec: { containers: [{ name: "c", image: r.pick(["j", "k", ""]) }] } } },
});
const replicas = (r) => ({ spec: { replicas: r.pick([0, 1, 2, -1, null]) } });
const counted = (r) => ({ status: { replicas: r.int(3), observedGeneration: r.int(3), readyReplicas: r.int(2) } });
const condition = (r, type) => ({
  type,
  status: r.pick(["True", "False", "Unknown"]),
  reason: "R",
  message: r.pick(["m", "n"]),
  lastTransitionTime: "2024-01-01T00:00:00Z",
});
const otherSelector = () => ({ spec: { selector: { matchLabels: { app: "t" } } } });
const value =
  (member, ...values) =>
  (r) => ({ [member]: r.pick(values) });
const spec =
  (member, ...values) =>
  (r) => ({ spec: { [member]: r.pick(values) } });
const status =
  (member, ...values) =>
  (r) => ({ status: { [member]: r.pick(values) } });

const workload = (plural, kind, more = {}) => ({
  plural,
  kind,
  apiVersion: "apps/v1",
  hasScale: true,
  object: (r) => ({ spec: { replicas: r.int(3), selector, template, ...more } }),
  changes: [replicas, replicas, withImage, otherSelector, spec("minReadySeconds", 0, 1, -1)],
  statuses: [counted, (r) => ({ status: { conditions: [condition(r, "Available")] } })],
});

const service = [
  spec("type", "ClusterIP", "NodePort", "LoadBalancer", "ExternalName", "Wrong"),
  spec("externalName", "a.example.com", "", null),
  (r) => ({
    spec: {
      type: "ExternalName",
      externalName: "a.example.com",
      ...r.pick([{}, { clusterIP: "" }, { clusterIP: null }]),
    },
  }),
  (r) => ({ spec: { type: r.pick(["ClusterIP", "NodePort"]), externalName: null } }),
  spec("clusterIP", "None", "", null, "10.0.1.1", "x"),
  spec("sessionAffinity", "ClientIP", "None"),
  spec(
    "ports",
    [{ port: 80 }],
    [{ port: 81 }],
    [
      { name: "a", port: 80 },
      { name: "b", port: 443 },
    ],
    null,
  ),
  spec("externalTrafficPolicy", "Local", "Cluster", null),
  spec("healthCheckNodePort", 0, null),
  spec("selector", { app: "s" }, null),
  spec("ipFamilyPolicy", "SingleStack", "PreferDualStack", null),
  spec("loadBalancerClass", "a.b/c", "a.b/d", null),
  spec("allocateLoadBalancerNodePorts", false, true, null),
];

const policyRules = [
  { apiGroups: ["none.example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["nothings"] },
];

/**
 * Kinds: `object` draws the members beside metadata for a name of its own, `changes` are parts for merge patches, `statuses` such parts for the
 * subresource status. A kind `isOfCluster` has no namespace. Of a kind that `isReported` a controller of the server writes the
 * status, so that its versions are chance.
 */
export const kinds = [
  {
    plural: "configmaps",
    kind: "ConfigMap",
    apiVersion: "v1",
    object: (r) => ({ data: { a: "1" }, ...(r.chance(0.2) && { immutable: true }) }),
    changes: [
      value("data", { a: "2" }, { b: "1" }, { a: null }, null, {}),
      value("binaryData", { z: "AAE=" }, { a: "AA==" }, null),
      value("immutable", true, false, null),
    ],
  },
  {
    plural: "secrets",
    kind: "Secret",
    apiVersion: "v1",
    object: (r) => ({ stringData: { a: "1" }, ...(r.chance(0.2) && { immutable: true }) }),
    changes: [
      value("data", { a: "Mg==" }, { b: "MQ==" }, { a: null }, null),
      value("stringData", { a: "3" }, { c: "3" }),
      value("type", "Opaque", "example.com/x", "", null),
      value("immutable", true, false, null),
    ],
  },
  {
    plural: "pods",
    kind: "Pod",
    apiVersion: "v1",
    object: (r) => ({
      spec: {
        containers: [container],
        ...(r.chance(0.5) && { nodeName: "n1" }),
        ...(r.chance(0.5) && { terminationGracePeriodSeconds: r.pick([0, 1, 5, 600, -1]) }),
        ...(r.chance(0.3) && { restartPolicy: "Never" }),
        ...(r.chance(0.1) && { schedulingGates: [{ name: "a.b/c" }] }),
      },
    }),
    changes: [
      spec(
        "containers",
        [{ name: "c", image: "j" }],
        [{ name: "c", image: "i", command: ["x"] }],
        [{ name: "d", image: "i" }],
      ),
      spec("activeDeadlineSeconds", 5, 6, 0, null),
      spec("terminationGracePeriodSeconds", 1, -1, 10),
      spec("nodeName", "n1", "n2", null),
      spec("tolerations", [{ key: "a", operator: "Exists" }], []),
      spec("schedulingGates", [], [{ name: "a.b/d" }]),
    ],
    statuses: [
      status("phase", "Pending", "Running", "Running", "Succeeded", "Failed", "Wrong"),
      status("podIP", "10.1.1.1", null),
      status("nominatedNodeName", "n1", null),
      (r) => ({ status: { conditions: [condition(r, r.pick(["Ready", "PodScheduled", "DisruptionTarget"]))] } }),
    ],
  },
  workload("replicasets", "ReplicaSet"),
  workload("deployments", "Deployment"),
  workload("statefulsets", "StatefulSet", { serviceName: "x" }),
  {
    plural: "replicationcontrollers",
    kind: "ReplicationController",
    apiVersion: "v1",
    hasScale: true,
    object: (r) => ({ spec: { replicas: r.int(3), template } }),
    changes: [replicas, withImage, spec("selector", { app: "t" }, { app: "s" })],
    statuses: [counted],
  },
  {
    plural: "daemonsets",
    kind: "DaemonSet",
    apiVersion: "apps/v1",
    object: () => ({ spec: { selector, template } }),
    changes: [withImage, otherSelector, spec("revisionHistoryLimit", 1, 2)],
    statuses: [status("currentNumberScheduled", 0, 1), status("numberReady", 2, -1)],
  },
  {
    plural: "jobs",
    kind: "Job",
    apiVersion: "batch/v1",
    object: (r) => ({
      spec: {
        template: once,
        ...(r.chance(0.4) && { suspend: true }),
        ...(r.chance(0.3) && { completions: 2, completionMode: "Indexed" }),
      },
    }),
    changes: [
      spec("parallelism", 0, 2, -1),
      spec("completions", 1, 3),
      spec("suspend", true, false, null),
      spec("backoffLimit", 1, 2),
      spec("ttlSecondsAfterFinished", 5, null),
      (r) => ({
        spec: {
          template: {
            spec: { ...r.pick([{ nodeSelector: { a: "b" } }, { containers: [{ name: "c", image: "j" }] }]) },
          },
        },
      }),
      otherSelector,
      spec("completionMode", "Indexed", "NonIndexed"),
    ],
    statuses: [
      status("active", 0, 1, -1),
      status("succeeded", 0, 1),
      status("startTime", "2024-01-01T00:00:00Z", null),
      (r) => ({ status: { conditions: [condition(r, r.pick(["Complete", "Failed", "Suspended"]))] } }),
    ],
  },
  {
    plural: "cronjobs",
    kind: "CronJob",
    apiVersion: "batch/v1",
    object: () => ({ spec: { schedule: "* * * * *", jobTemplate: { spec: { template: once } } } }),
    changes: [spec("schedule", "1 * * * *", "x"), spec("suspend", true, false), spec("timeZone", "UTC", "", null)],
    statuses: [status("lastScheduleTime", "2024-01-01T00:00:00Z", null)],
  },
  {
    plural: "services",
    kind: "Service",
    apiVersion: "v1",
    object: (r) => ({
      spec: {
        ...r.pick([
          { type: "ClusterIP" },
          { clusterIP: "None" },
          { type: "NodePort" },
          { type: "LoadBalancer" },
          { type: "ExternalName", externalName: "a.example.com" },
        ]),
        ports: [{ port: 80 }],
        selector: labels,
      },
    }),
    changes: [...service, ...service.slice(0, 5)],
    statuses: [
      status("loadBalancer", { ingress: [{ ip: "1.2.3.4" }] }, {}),
      (r) => ({ status: { conditions: [condition(r, "X")] } }),
    ],
  },
  {
    plural: "persistentvolumeclaims",
    kind: "PersistentVolumeClaim",
    apiVersion: "v1",
    object: (r) => ({
      spec: {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
        ...(r.chance(0.4) && { volumeName: "v" }),
        ...(r.chance(0.4) && { storageClassName: "" }),
      },
    }),
    changes: [
      (r) => ({ spec: { resources: { requests: { storage: r.pick(["2Gi", "512Mi", "1024Mi"]) } } } }),
      spec("volumeName", "v", "w", null),
      spec("accessModes", ["ReadOnlyMany"]),
      spec("storageClassName", "a", "", null),
    ],
    statuses: [
      status("phase", "Bound", "Pending", "Lost"),
      status("capacity", { storage: "1Gi" }, null),
      (r) => ({ status: { conditions: [condition(r, "Resizing")] } }),
    ],
  },
  {
    plural: "persistentvolumes",
    kind: "PersistentVolume",
    apiVersion: "v1",
    isOfCluster: true,
    object: (r) => ({
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        hostPath: { path: "/x" },
        ...(r.chance(0.3) && { claimRef: { namespace: "x", name: "y" } }),
      },
    }),
    changes: [
      spec("capacity", { storage: "2Gi" }, { storage: "1024Mi" }),
      spec("claimRef", { namespace: "x", name: "y", uid: "u" }, null),
      spec("persistentVolumeReclaimPolicy", "Delete", "Retain", "Recycle", "Wrong"),
      spec("hostPath", { path: "/y" }),
      spec("storageClassName", "a", ""),
    ],
    statuses: [status("phase", "Available", "Bound", "Released", "Failed"), status("reason", "r", null)],
  },
  {
    plural: "leases",
    kind: "Lease",
    apiVersion: "coordination.k8s.io/v1",
    object: (r) => ({
      spec: { holderIdentity: "me", ...(r.chance(0.5) && { renewTime: "2024-01-01T00:00:00.000000Z" }) },
    }),
    changes: [
      spec("holderIdentity", "you", "", null),
      spec("leaseDurationSeconds", 5, 0, -1, null),
      spec("renewTime", "2024-01-01T00:00:00.000001Z", "2024-01-01T00:00:00Z", null),
      spec("leaseTransitions", 1, -1),
    ],
  },
  {
    plural: "events",
    kind: "Event",
    apiVersion: "v1",
    object: () => ({
      involvedObject: { kind: "Pod", name: "p", namespace: "$namespace" },
      reason: "r",
      message: "m",
      type: "Normal",
    }),
    changes: [
      value("message", "n", ""),
      value("count", 2, 3),
      value("reason", "s", ""),
      value("type", "Warning", "Odd"),
      value("involvedObject", { name: "q" }, { namespace: "other" }),
      value("series", { count: 2, lastObservedTime: "2024-01-01T00:00:00.000000Z" }, null),
    ],
  },
  {
    plural: "events",
    kind: "Event",
    apiVersion: "events.k8s.io/v1",
    object: () => ({
      regarding: { kind: "Pod", name: "p", namespace: "$namespace" },
      reason: "r",
      note: "m",
      type: "Normal",
      action: "a",
      eventTime: "2024-01-01T00:00:00.000000Z",
      reportingController: "a.b/c",
      reportingInstance: "i",
    }),
    changes: [
      value("note", "n", ""),
      value("reason", "s"),
      value("type", "Warning"),
      value("series", { count: 2, lastObservedTime: "2024-01-01T00:00:00.000000Z" }, null),
      value("deprecatedCount", 1, 2),
    ],
  },
  {
    plural: "poddisruptionbudgets",
    kind: "PodDisruptionBudget",
    apiVersion: "policy/v1",
    object: (r) => ({ spec: { selector, ...r.pick([{ minAvailable: 1 }, { maxUnavailable: "50%" }, {}]) } }),
    changes: [
      spec("minAvailable", 2, "10%", -1, null),
      spec("maxUnavailable", 1, "x", null),
      spec("unhealthyPodEvictionPolicy", "AlwaysAllow", "IfHealthyBudget", null),
      otherSelector,
    ],
    statuses: [
      (r) => ({
        status: {
          disruptionsAllowed: r.int(2),
          currentHealthy: r.int(2),
          desiredHealthy: 1,
          expectedPods: 1,
          observedGeneration: 1,
        },
      }),
      status("disruptionsAllowed", 0, 1, -1),
    ],
  },
  {
    plural: "certificatesigningrequests",
    kind: "CertificateSigningRequest",
    apiVersion: "certificates.k8s.io/v1",
    isOfCluster: true,
    object: () => ({ spec: { signerName: "example.com/x", usages: ["client auth"], request: requests.none } }),
    changes: [
      spec("usages", ["server auth"], []),
      spec("expirationSeconds", 600, 1, null),
      spec("username", "x"),
      spec("signerName", "example.com/y"),
    ],
    statuses: [
      (r) => ({ status: { conditions: [condition(r, r.pick(["Approved", "Denied", "Failed", "Odd"]))] } }),
      status("certificate", "AAAA", null),
    ],
  },
  {
    plural: "serviceaccounts",
    kind: "ServiceAccount",
    apiVersion: "v1",
    object: () => ({}),
    changes: [
      value("automountServiceAccountToken", false, true, null),
      value("secrets", [{ name: "a" }], [], null),
      value("imagePullSecrets", [{ name: "b" }], [{ name: "b" }, { name: "b" }], null),
    ],
  },
  {
    plural: "priorityclasses",
    kind: "PriorityClass",
    apiVersion: "scheduling.k8s.io/v1",
    isOfCluster: true,
    object: () => ({ value: 5 }),
    changes: [
      value("value", 6, 5),
      value("description", "x", "", null),
      value("preemptionPolicy", "Never", "PreemptLowerPriority", null),
    ],
  },
  {
    plural: "storageclasses",
    kind: "StorageClass",
    apiVersion: "storage.k8s.io/v1",
    isOfCluster: true,
    object: () => ({ provisioner: "example.com/x" }),
    changes: [
      value("allowVolumeExpansion", true, false, null),
      value("parameters", { a: "b" }, null),
      value("provisioner", "example.com/y"),
      value("reclaimPolicy", "Retain", "Delete", null),
      value("mountOptions", ["ro"], []),
    ],
  },
  {
    plural: "volumeattachments",
    kind: "VolumeAttachment",
    apiVersion: "storage.k8s.io/v1",
    isOfCluster: true,
    object: () => ({ spec: { attacher: "a.b", nodeName: "n", source: { persistentVolumeName: "v" } } }),
    changes: [spec("nodeName", "m"), spec("attacher", "a.c")],
    statuses: [
      status("attached", true, false),
      status("attachmentMetadata", { a: "b" }, null),
      status("attachError", { message: "x" }, null),
    ],
  },
  {
    plural: "flowschemas",
    isReported: true,
    kind: "FlowSchema",
    apiVersion: "flowcontrol.apiserver.k8s.io/v1",
    isOfCluster: true,
    object: () => ({ spec: { priorityLevelConfiguration: { name: "global-default" }, matchingPrecedence: 9000 } }),
    changes: [
      spec("matchingPrecedence", 9001, 0, 20000),
      spec("priorityLevelConfiguration", { name: "x" }, { name: "" }),
      spec("distinguisherMethod", { type: "ByUser" }, { type: "x" }, null),
    ],
  },
  {
    plural: "validatingadmissionpolicies",
    kind: "ValidatingAdmissionPolicy",
    apiVersion: "admissionregistration.k8s.io/v1beta1",
    isOfCluster: true,
    object: () => ({
      spec: { matchConstraints: { resourceRules: policyRules }, validations: [{ expression: "true" }] },
    }),
    changes: [
      spec("failurePolicy", "Ignore", "Fail", "x", null),
      spec("validations", [{ expression: "false", message: "m" }], [{ expression: "1" }], []),
      spec("paramKind", { apiVersion: "v1", kind: "ConfigMap" }, null),
    ],
    statuses: [status("observedGeneration", 1, 2), (r) => ({ status: { conditions: [condition(r, "X")] } })],
  },
  {
    plural: "validatingadmissionpolicybindings",
    kind: "ValidatingAdmissionPolicyBinding",
    apiVersion: "admissionregistration.k8s.io/v1beta1",
    isOfCluster: true,
    object: () => ({ spec: { policyName: "none", validationActions: ["Deny"] } }),
    changes: [
      spec("validationActions", ["Warn"], ["Deny", "Warn"], []),
      spec("policyName", "other", ""),
      spec("paramRef", { name: "x", parameterNotFoundAction: "Allow" }, null),
    ],
  },
  {
    plural: "resourcequotas",
    kind: "ResourceQuota",
    apiVersion: "v1",
    object: () => ({ spec: { hard: { "count/roles.rbac.authorization.k8s.io": "5" } } }),
    changes: [
      spec("hard", { pods: "100" }, { secrets: "x" }, { "requests.cpu": "100" }, null),
      spec("scopes", ["BestEffort"], []),
    ],
    statuses: [
      status("used", { "count/roles.rbac.authorization.k8s.io": "1" }, null),
      status("hard", { pods: "1" }, null),
    ],
  },
  {
    plural: "limitranges",
    kind: "LimitRange",
    apiVersion: "v1",
    object: () => ({ spec: { limits: [{ type: "PersistentVolumeClaim", max: { storage: "10Ti" } }] } }),
    changes: [spec("limits", [{ type: "PersistentVolumeClaim", min: { storage: "1" } }], [])],
  },
  {
    plural: "endpoints",
    kind: "Endpoints",
    apiVersion: "v1",
    object: () => ({ subsets: [{ addresses: [{ ip: "1.2.3.4" }], ports: [{ port: 1 }] }] }),
    changes: [value("subsets", [{ addresses: [{ ip: "1.2.3.5" }, { ip: "1.2.3.4" }] }], [], null)],
  },
  {
    plural: "endpointslices",
    kind: "EndpointSlice",
    apiVersion: "discovery.k8s.io/v1",
    object: () => ({ addressType: "IPv4", endpoints: [{ addresses: ["1.2.3.4"] }], ports: [] }),
    changes: [
      value("endpoints", [{ addresses: ["1.2.3.5"] }], null),
      value("addressType", "IPv6"),
      value("ports", [{ port: 1 }], [{ port: 1 }, { port: 2 }]),
    ],
  },
  {
    plural: "ingresses",
    kind: "Ingress",
    apiVersion: "networking.k8s.io/v1",
    object: () => ({ spec: { defaultBackend: { service: { name: "s", port: { number: 1 } } } } }),
    changes: [spec("ingressClassName", "a", "", null), spec("defaultBackend", { service: { name: "t" } }, null)],
    statuses: [status("loadBalancer", { ingress: [{ ip: "1.2.3.4" }] }, null)],
  },
  {
    plural: "networkpolicies",
    kind: "NetworkPolicy",
    apiVersion: "networking.k8s.io/v1",
    object: () => ({ spec: { podSelector: {} } }),
    changes: [spec("policyTypes", ["Egress"], ["Ingress", "Egress"], null), spec("ingress", [{}], null)],
  },
  {
    plural: "horizontalpodautoscalers",
    kind: "HorizontalPodAutoscaler",
    apiVersion: "autoscaling/v2",
    object: () => ({
      spec: { maxReplicas: 3, scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" } },
    }),
    changes: [
      spec("maxReplicas", 4, 0),
      spec("minReplicas", 2, 9, null),
      spec("behavior", { scaleDown: { selectPolicy: "Max" } }, null),
    ],
    statuses: [status("desiredReplicas", 1, 2), status("currentReplicas", 1, null)],
  },
  {
    plural: "controllerrevisions",
    kind: "ControllerRevision",
    apiVersion: "apps/v1",
    object: () => ({ data: { a: 1 }, revision: 1 }),
    changes: [value("revision", 2, -1), value("data", { a: 2 }, null)],
  },
  {
    plural: "rolebindings",
    kind: "RoleBinding",
    apiVersion: "rbac.authorization.k8s.io/v1",
    object: () => ({ roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" }, subjects: [] }),
    changes: [
      value("roleRef", { name: "q" }, { kind: "ClusterRole" }),
      value("subjects", [{ kind: "User", name: "u", apiGroup: "rbac.authorization.k8s.io" }], null),
    ],
  },
  {
    plural: "nodes",
    kind: "Node",
    apiVersion: "v1",
    isOfCluster: true,
    object: () => ({ spec: { podCIDR: "10.1.0.0/24" } }),
    changes: [
      spec("podCIDR", "10.2.0.0/24", null),
      spec("unschedulable", true, false, null),
      spec("taints", [{ key: "a", effect: "NoSchedule" }], [{ key: "a", effect: "x" }], null),
      spec("providerID", "p", "q"),
    ],
    statuses: [
      (r) => ({ status: { conditions: [condition(r, "Ready")] } }),
      status("capacity", { cpu: "1" }, { cpu: "-1" }),
      status("phase", "Running"),
    ],
  },
  {
    plural: "namespaces",
    kind: "Namespace",
    apiVersion: "v1",
    isOfCluster: true,
    object: (r) => ({ ...(r.chance(0.4) && { spec: { finalizers: r.some(["kubernetes", "example.com/x"], 0.4) } }) }),
    changes: [
      spec("finalizers", [], ["kubernetes"], ["example.com/x"], ["bad"], null),
      (r) => ({ metadata: { labels: { "kubernetes.io/metadata.name": r.pick(["x", null]) } } }),
    ],
    statuses: [status("phase", "Active", "Terminating", "x"), (r) => ({ status: { conditions: [condition(r, "X")] } })],
  },
  {
    plural: "apiservices",
    kind: "APIService",
    apiVersion: "apiregistration.k8s.io/v1",
    isOfCluster: true,
    isReported: true,
    named: (base) => `v1.${base}.example.com`,
    object: (r, base) => ({
      spec: {
        group: `${base}.example.com`,
        version: "v1",
        groupPriorityMinimum: 100,
        versionPriority: 100,
        ...(r.chance(0.3) && { service: { namespace: "default", name: "absent" }, insecureSkipTLSVerify: true }),
      },
    }),
    changes: [
      spec("versionPriority", 101, 0),
      spec("groupPriorityMinimum", 200, 30000),
      spec("version", "v2"),
      spec("service", { namespace: "default", name: "absent" }, null),
      spec("insecureSkipTLSVerify", true, false, null),
    ],
  },
  {
    plural: "widgets",
    kind: "Widget",
    apiVersion: "life.example.com/v1",
    hasScale: true,
    object: (r) => ({
      spec: { replicas: r.int(3), text: r.pick(["a", "b"]) },
      ...(r.chance(0.2) && { status: { replicas: 1 } }),
    }),
    changes: [
      replicas,
      spec("text", "a", "c", "long", null),
      spec("unknown", 1),
      status("replicas", 2, null),
      value("other", 1, null),
      value("apiVersion", "life.example.com/v1", "life.example.com/v2", "v1"),
    ],
    statuses: [status("replicas", 0, 1, "x"), status("selector", "app=s", null), spec("text", "b")],
  },
  {
    plural: "widgets",
    kind: "Widget",
    apiVersion: "life.example.com/v2",
    object: (r) => ({ spec: { replicas: r.int(3), size: r.int(3) } }),
    changes: [replicas, spec("size", 1, 2, null), spec("text", "a"), status("replicas", 2, null)],
  },
  {
    plural: "gadgets",
    kind: "Gadget",
    apiVersion: "life.example.com/v1",
    isOfCluster: true,
    object: (r) => ({ spec: { text: r.pick(["a", "b"]) }, ...(r.chance(0.3) && { status: { text: "a" } }) }),
    changes: [spec("text", "a", "b", 1, null), status("text", "a", "b", null), value("other", { a: 1 }, null)],
  },
  {
    plural: "ingressclasses",
    kind: "IngressClass",
    apiVersion: "networking.k8s.io/v1",
    isOfCluster: true,
    object: () => ({ spec: { controller: "a.b/c" } }),
    changes: [spec("controller", "a.b/d"), spec("parameters", { kind: "X", name: "y" }, null)],
  },
  {
    plural: "runtimeclasses",
    kind: "RuntimeClass",
    apiVersion: "node.k8s.io/v1",
    isOfCluster: true,
    object: () => ({ handler: "h" }),
    changes: [value("handler", "i", ""), value("overhead", { podFixed: { cpu: "1" } }, null)],
  },
];

/** The kind of that name. */
export const kindOf = (name) => kinds.find(({ kind }) => kind === name);
