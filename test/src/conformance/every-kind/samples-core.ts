import type { Sample } from "./sample.js";
import { podDefaults, templateDefaults } from "./sample-parts.js";

/** The core group. */
export const coreSamples: readonly Sample[] = [
  {
    yaml: `
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings-$n
data:
  color: blue
  app.properties: |
    mode=fast
    retries=3
binaryData:
  logo: iVBORw0KGgo=
`,
    change: { data: { color: "green" } },
  },
  {
    yaml: `
apiVersion: v1
kind: Endpoints
metadata:
  name: database-$n
subsets:
- addresses:
  - ip: 192.0.2.42
  ports:
  - name: postgres
    port: 5432
`,
    defaults: { subsets: [{ ports: [{ protocol: "TCP" }] }] },
    change: { subsets: [{ ports: [{ port: 5433 }] }] },
    createdByUpdate: true,
  },
  {
    yaml: `
apiVersion: v1
kind: Event
metadata:
  name: web.$n
involvedObject:
  apiVersion: v1
  kind: Pod
  name: web
  namespace: $namespace
reason: BackOff
message: Back-off restarting failed container
type: Warning
source:
  component: kubelet
firstTimestamp: "2024-01-02T03:04:05Z"
lastTimestamp: "2024-01-02T03:04:05+01:00"
count: 1
`,
    defaults: { lastTimestamp: "2024-01-02T02:04:05Z" },
    change: { count: 2 },
    createdByUpdate: true,
  },
  {
    yaml: `
apiVersion: v1
kind: LimitRange
metadata:
  name: limits-$n
spec:
  limits:
  - type: Container
    max:
      cpu: "2"
      memory: 1024Mi
    min:
      cpu: 100m
  - type: PersistentVolumeClaim
    max:
      storage: 0.5Ti
`,
    defaults: {
      spec: {
        limits: [
          {
            max: { memory: "1Gi" },
            default: { cpu: "2", memory: "1Gi" },
            defaultRequest: { cpu: "2", memory: "1Gi" },
          },
          { max: { storage: "512Gi" } },
        ],
      },
    },
    change: { spec: { limits: [{ min: { cpu: "200m" } }] } },
    createdByUpdate: true,
  },
  {
    yaml: `
apiVersion: v1
kind: Namespace
metadata:
  name: team-$n
`,
    defaults: {
      metadata: { labels: { "kubernetes.io/metadata.name": "team-$n" } },
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Active" },
    },
    change: { metadata: { annotations: { owner: "somebody" } } },
    status: {
      phase: "Active",
      conditions: [{ type: "NamespaceDeletionContentFailure", status: "False", lastTransitionTime: null }],
    },
    lingers: true,
  },
  {
    yaml: `
apiVersion: v1
kind: Node
metadata:
  name: node-$n
status:
  capacity:
    cpu: "4"
    memory: 8Gi
`,
    defaults: { status: { allocatable: { cpu: "4", memory: "8Gi" } } },
    change: { spec: { unschedulable: true } },
    statusOnCreate: "kept",
    status: {
      capacity: { cpu: "4", memory: "8Gi" },
      allocatable: { cpu: "3500m", memory: "7Gi" },
      conditions: [
        {
          type: "Ready",
          status: "True",
          lastHeartbeatTime: "2024-01-02T03:04:05Z",
          lastTransitionTime: "2024-01-02T03:04:05Z",
          reason: "KubeletReady",
          message: "kubelet is posting ready status",
        },
      ],
      addresses: [{ type: "InternalIP", address: "192.0.2.10" }],
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      nodeInfo: { kubeletVersion: "v1.29.0", architecture: "amd64", operatingSystem: "linux" },
      images: [{ names: ["nginx:1.25"], sizeBytes: 67108864 }],
    },
  },
  {
    yaml: `
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: data-$n
spec:
  accessModes: [ReadWriteOnce]
  resources:
    requests:
      storage: 5Gi
`,
    defaults: { spec: { volumeMode: "Filesystem" }, status: { phase: "Pending" } },
    change: { spec: { volumeName: "pv-1" } },
    status: { phase: "Bound", accessModes: ["ReadWriteOnce"], capacity: { storage: "5Gi" } },
    deleteReturnsObject: true,
  },
  {
    yaml: `
apiVersion: v1
kind: PersistentVolume
metadata:
  name: disk-$n
spec:
  capacity:
    storage: 10Gi
  accessModes: [ReadWriteOnce]
  nfs:
    server: nfs.example.com
    path: /exports/data
`,
    defaults: {
      spec: { persistentVolumeReclaimPolicy: "Retain", volumeMode: "Filesystem" },
      status: { phase: "Pending" },
    },
    change: { spec: { persistentVolumeReclaimPolicy: "Delete" } },
    status: { phase: "Available" },
    volatile: ["status.lastPhaseTransitionTime"],
    deleteReturnsObject: true,
  },
  {
    yaml: `
apiVersion: v1
kind: Pod
metadata:
  name: web-$n
spec:
  containers:
  - name: nginx
    image: nginx:1.25
    ports:
    - containerPort: 80
    readinessProbe:
      httpGet:
        port: 80
    resources:
      limits:
        cpu: 500m
        memory: 128Mi
  volumes:
  - name: scratch
    emptyDir: {}
  - name: settings
    configMap:
      name: settings
`,
    defaults: {
      spec: podDefaults({
        enableServiceLinks: true,
        containers: [
          {
            terminationMessagePath: "/dev/termination-log",
            terminationMessagePolicy: "File",
            imagePullPolicy: "IfNotPresent",
            ports: [{ protocol: "TCP" }],
            readinessProbe: {
              httpGet: { path: "/", scheme: "HTTP" },
              timeoutSeconds: 1,
              periodSeconds: 10,
              successThreshold: 1,
              failureThreshold: 3,
            },
            resources: { requests: { cpu: "500m", memory: "128Mi" } },
          },
        ],
        volumes: [{}, { configMap: { defaultMode: 420 } }],
      }),
      status: { phase: "Pending", qosClass: "Guaranteed" },
    },
    featureDefaults: {
      spec: {
        containers: [
          {
            resizePolicy: [
              { resourceName: "cpu", restartPolicy: "NotRequired" },
              { resourceName: "memory", restartPolicy: "NotRequired" },
            ],
          },
        ],
      },
    },
    change: { spec: { containers: [{ image: "nginx:1.26" }] } },
    status: {
      phase: "Running",
      conditions: [{ type: "Ready", status: "True", lastProbeTime: null, lastTransitionTime: "2024-01-02T03:04:05Z" }],
      hostIP: "192.0.2.10",
      podIP: "10.1.2.3",
      podIPs: [{ ip: "10.1.2.3" }],
      startTime: "2024-01-02T03:04:05Z",
      containerStatuses: [
        {
          name: "nginx",
          state: { running: { startedAt: "2024-01-02T03:04:05Z" } },
          ready: true,
          restartCount: 0,
          image: "nginx:1.25",
          imageID: "sha256:0",
          started: true,
        },
      ],
      qosClass: "Guaranteed",
    },
    deleteReturnsObject: true,
  },
  {
    yaml: `
apiVersion: v1
kind: PodTemplate
metadata:
  name: worker-$n
template:
  metadata:
    labels:
      app: worker
  spec:
    containers:
    - name: main
      image: busybox
`,
    defaults: { template: templateDefaults("Always") },
    change: { template: { spec: { containers: [{ image: "busybox:1.36" }] } } },
    generation: "counted",
    deleteReturnsObject: true,
  },
  {
    yaml: `
apiVersion: v1
kind: ReplicationController
metadata:
  name: frontend-$n
spec:
  template:
    metadata:
      labels:
        app: frontend
    spec:
      containers:
      - name: php
        image: php:8
`,
    defaults: {
      metadata: { labels: { app: "frontend" } },
      spec: { replicas: 1, selector: { app: "frontend" }, template: templateDefaults("IfNotPresent") },
      status: { replicas: 0 },
    },
    change: { spec: { replicas: 3 } },
    generation: "counted",
    status: { replicas: 3, readyReplicas: 2, observedGeneration: 1 },
    lingers: true,
  },
  {
    yaml: `
apiVersion: v1
kind: ResourceQuota
metadata:
  name: quota-$n
spec:
  hard:
    pods: "10"
    requests.cpu: 4.5
`,
    defaults: { spec: { hard: { "requests.cpu": "4500m" } } },
    change: { spec: { hard: { pods: "20" } } },
    status: { hard: { pods: "10" }, used: { pods: "3" } },
    deleteReturnsObject: true,
  },
  {
    yaml: `
apiVersion: v1
kind: Secret
metadata:
  name: login-$n
data:
  password: b2xk
  token: dG9rZW4=
stringData:
  password: s3cr3t
`,
    writeOnly: ["stringData"],
    defaults: { type: "Opaque", data: { password: "czNjcjN0" } },
    change: { data: { token: "bmV3" } },
  },
  {
    yaml: `
apiVersion: v1
kind: ServiceAccount
metadata:
  name: robot-$n
automountServiceAccountToken: false
imagePullSecrets:
- name: registry
`,
    change: { automountServiceAccountToken: true },
    deleteReturnsObject: true,
  },
  {
    // Without an address: which one it would be is up to the server.
    yaml: `
apiVersion: v1
kind: Service
metadata:
  name: web-$n
spec:
  clusterIP: None
  selector:
    app: web
  ports:
  - port: 80
`,
    defaults: {
      spec: {
        clusterIPs: ["None"],
        internalTrafficPolicy: "Cluster",
        ipFamilies: ["IPv4"],
        ipFamilyPolicy: "SingleStack",
        ports: [{ protocol: "TCP", targetPort: 80 }],
        sessionAffinity: "None",
        type: "ClusterIP",
      },
    },
    change: { spec: { sessionAffinity: "ClientIP" } },
    changeEffects: { spec: { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } } } },
    status: { loadBalancer: {}, conditions: null },
    createdByUpdate: true,
    deleteReturnsObject: true,
  },
];
