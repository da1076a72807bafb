import type { Sample } from "./sample.js";

const flowCondition = {
  type: "Dangling",
  status: "False",
  lastTransitionTime: "2024-01-02T03:04:05Z",
  reason: "Found",
  message: "found",
};

/** Networks, storage, nodes, scheduling, flow control, dynamic resources. */
export const clusterSamples: readonly Sample[] = [
  {
    yaml: `
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata:
  name: nginx-$n
spec:
  controller: example.com/nginx
  parameters:
    apiGroup: example.com
    kind: NginxParameters
    name: default
`,
    defaults: { spec: { parameters: { scope: "Cluster" } } },
    change: { spec: { parameters: { name: "other" } } },
    generation: "counted",
  },
  {
    yaml: `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: shop-$n
spec:
  rules:
  - host: shop.example.com
    http:
      paths:
      - path: /
        pathType: Prefix
        backend:
          service:
            name: shop
            port:
              number: 80
`,
    defaults: { status: {} },
    change: { spec: { ingressClassName: "nginx" } },
    generation: "counted",
    status: { loadBalancer: { ingress: [{ ip: "192.0.2.80", ports: [{ port: 80, protocol: "TCP" }] }] } },
  },
  {
    yaml: `
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: only-frontend-$n
spec:
  podSelector: {}
  ingress:
  - from:
    - podSelector:
        matchLabels:
          app: frontend
    ports:
    - port: http
    - port: 8080
      endPort: 8090
  egress:
  - to:
    - ipBlock:
        cidr: 10.0.0.0/8
        except: [10.1.0.0/16]
`,
    defaults: {
      spec: { ingress: [{ ports: [{ protocol: "TCP" }, { protocol: "TCP" }] }], policyTypes: ["Ingress", "Egress"] },
    },
    change: { spec: { ingress: [{ ports: [{ port: "https" }] }] } },
    generation: "counted",
  },
  {
    yaml: `
apiVersion: networking.k8s.io/v1alpha1
kind: IPAddress
metadata:
  name: 192.0.2.$n
spec:
  parentRef:
    resource: services
    namespace: default
    name: web
`,
    change: { metadata: { annotations: { seen: "yes" } } },
  },
  {
    yaml: `
apiVersion: networking.k8s.io/v1alpha1
kind: ServiceCIDR
metadata:
  name: more-$n
spec:
  cidrs: [10.96.0.0/16]
`,
    defaults: { status: {} },
    change: { metadata: { annotations: { seen: "yes" } } },
    statusIsPartOfObject: true,
    status: {
      conditions: [
        { type: "Ready", status: "True", lastTransitionTime: "2024-01-02T03:04:05Z", reason: "", message: "ready" },
      ],
    },
  },
  {
    yaml: `
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata:
  name: web-$n
  labels:
    kubernetes.io/service-name: web
addressType: IPv4
ports:
- port: 80
endpoints:
- addresses: [10.1.2.3]
  conditions:
    ready: true
  nodeName: node-1
  zone: zone-a
  hints:
    forZones:
    - name: zone-a
`,
    defaults: { ports: [{ name: "", protocol: "TCP" }] },
    change: { endpoints: [{ conditions: { ready: false } }] },
    generation: "counted",
    countsMetadata: "labels",
  },
  {
    yaml: `
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata:
  name: driver-$n.example.com
spec:
  podInfoOnMount: true
  tokenRequests:
  - audience: vault
`,
    defaults: {
      spec: {
        attachRequired: true,
        fsGroupPolicy: "ReadWriteOnceWithFSType",
        requiresRepublish: false,
        seLinuxMount: false,
        storageCapacity: false,
        volumeLifecycleModes: ["Persistent"],
      },
    },
    change: { spec: { requiresRepublish: true } },
    generation: "counted from nothing",
    needsResourceVersion: true,
    deleteReturnsObject: true,
  },
  {
    yaml: `
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata:
  name: node-$n
spec:
  drivers:
  - name: driver.example.com
    nodeID: storage-node-1
    topologyKeys: [topology.example.com/zone]
    allocatable:
      count: 16
`,
    change: { metadata: { annotations: { seen: "yes" } } },
    needsResourceVersion: true,
    deleteReturnsObject: true,
  },
  {
    yaml: `
apiVersion: storage.k8s.io/v1
kind: CSIStorageCapacity
metadata:
  name: capacity-$n
storageClassName: fast
nodeTopology:
  matchLabels:
    topology.example.com/zone: a
capacity: 1048576Ki
maximumVolumeSize: 512Mi
`,
    defaults: { capacity: "1Gi" },
    change: { capacity: "2Gi" },
    needsResourceVersion: true,
  },
  {
    yaml: `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: fast-$n
provisioner: driver.example.com
parameters:
  type: ssd
`,
    defaults: { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" },
    change: { allowVolumeExpansion: true },
    deleteReturnsObject: true,
  },
  {
    yaml: `
apiVersion: storage.k8s.io/v1
kind: VolumeAttachment
metadata:
  name: attachment-$n
spec:
  attacher: driver.example.com
  nodeName: node-1
  source:
    persistentVolumeName: disk-1
`,
    defaults: { status: { attached: false } },
    change: { metadata: { annotations: { seen: "yes" } } },
    needsResourceVersion: true,
    deleteReturnsObject: true,
    status: { attached: true, attachmentMetadata: { devicePath: "/dev/sdb" } },
    statusWrites: "no metadata",
  },
  {
    yaml: `
apiVersion: storage.k8s.io/v1alpha1
kind: VolumeAttributesClass
metadata:
  name: gold-$n
driverName: driver.example.com
parameters:
  iops: "5000"
`,
    change: { metadata: { annotations: { seen: "yes" } } },
    deleteReturnsObject: true,
  },
  {
    yaml: `
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: important-$n
value: 1000
description: for what matters
`,
    defaults: { preemptionPolicy: "PreemptLowerPriority" },
    change: { description: "for what matters most" },
    generation: "fixed",
  },
  {
    yaml: `
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata:
  name: leader-$n
spec:
  holderIdentity: somebody
  leaseDurationSeconds: 15
  acquireTime: "2024-01-02T03:04:05.123456Z"
  renewTime: "2024-01-02T04:04:05.100000+01:00"
`,
    defaults: { spec: { renewTime: "2024-01-02T03:04:05.100000Z" } },
    change: { spec: { holderIdentity: "somebody-else", leaseTransitions: 1 } },
    createdByUpdate: true,
    needsResourceVersion: true,
  },
  {
    yaml: `
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata:
  name: sandbox-$n
handler: gvisor
overhead:
  podFixed:
    memory: 100Mi
`,
    change: { scheduling: { nodeSelector: { runtime: "gvisor" } } },
    createdByUpdate: true,
    needsResourceVersion: true,
  },
  {
    yaml: `
apiVersion: events.k8s.io/v1
kind: Event
metadata:
  name: web.$n
eventTime: "2024-01-02T03:04:05.123456Z"
reportingController: example.com/scheduler
reportingInstance: scheduler-1
action: Binding
reason: Scheduled
regarding:
  kind: Pod
  name: web
  namespace: $namespace
note: assigned
type: Normal
`,
    change: { series: { count: 2, lastObservedTime: "2024-01-02T03:05:05.000001Z" } },
    createdByUpdate: true,
  },
  ...["v1", "v1beta3"].flatMap(flowSamples),
  {
    yaml: `
apiVersion: resource.k8s.io/v1alpha2
kind: ResourceClass
metadata:
  name: gpu-$n
driverName: gpu.example.com
parametersRef:
  apiGroup: gpu.example.com
  kind: GpuParameters
  name: large
`,
    change: { driverName: "gpu2.example.com" },
    deleteReturnsObject: true,
  },
  {
    yaml: `
apiVersion: resource.k8s.io/v1alpha2
kind: ResourceClaim
metadata:
  name: gpu-$n
spec:
  resourceClassName: gpu
`,
    defaults: { spec: { allocationMode: "WaitForFirstConsumer" }, status: {} },
    change: { metadata: { annotations: { seen: "yes" } } },
    deleteReturnsObject: true,
    status: { driverName: "gpu.example.com", allocation: { shareable: true } },
  },
  {
    yaml: `
apiVersion: resource.k8s.io/v1alpha2
kind: ResourceClaimTemplate
metadata:
  name: gpu-$n
spec:
  spec:
    resourceClassName: gpu
`,
    defaults: {
      spec: { metadata: { creationTimestamp: null }, spec: { allocationMode: "WaitForFirstConsumer" } },
    },
    change: { metadata: { annotations: { seen: "yes" } } },
    deleteReturnsObject: true,
  },
  {
    yaml: `
apiVersion: resource.k8s.io/v1alpha2
kind: PodSchedulingContext
metadata:
  name: pod-$n
spec:
  potentialNodes: [node-1, node-2]
`,
    defaults: { status: {} },
    change: { spec: { selectedNode: "node-1" } },
    deleteReturnsObject: true,
    status: { resourceClaims: [{ name: "gpu", unsuitableNodes: ["node-2"] }] },
  },
];

function flowSamples(version: string): readonly Sample[] {
  return [
    {
      yaml: `
apiVersion: flowcontrol.apiserver.k8s.io/${version}
kind: FlowSchema
metadata:
  name: robots-$n
spec:
  priorityLevelConfiguration:
    name: robots
  distinguisherMethod:
    type: ByUser
  rules:
  - subjects:
    - kind: ServiceAccount
      serviceAccount:
        namespace: default
        name: robot
    resourceRules:
    - apiGroups: [""]
      resources: [pods]
      namespaces: ["*"]
      verbs: [list, watch]
`,
      defaults: { spec: { matchingPrecedence: 1000 }, status: {} },
      change: { spec: { matchingPrecedence: 500 } },
      generation: "counted",
      status: { conditions: [flowCondition] },
      statusWrites: "no metadata",
    },
    {
      yaml: `
apiVersion: flowcontrol.apiserver.k8s.io/${version}
kind: PriorityLevelConfiguration
metadata:
  name: robots-$n
spec:
  type: Limited
  limited:
    limitResponse:
      type: Queue
      queuing:
        queues: 16
`,
      defaults: {
        spec: {
          limited: {
            lendablePercent: 0,
            limitResponse: { queuing: { handSize: 8, queueLengthLimit: 50 } },
            nominalConcurrencyShares: 30,
          },
        },
        status: {},
      },
      change: { spec: { limited: { nominalConcurrencyShares: 10 } } },
      generation: "counted",
      status: { conditions: [flowCondition] },
      statusWrites: "no metadata",
    },
  ];
}
