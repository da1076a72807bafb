import type { Sample } from "./sample.js";
import { templateDefaults } from "./sample-parts.js";

/** Groups apps, batch, autoscaling and policy. */
export const workloadSamples: readonly Sample[] = [
  {
    yaml: `
apiVersion: apps/v1
kind: ControllerRevision
metadata:
  name: agent-$n
data:
  spec:
    template:
      alpha: [2, 3]
      zeta: 1
revision: 1
`,
    change: { revision: 2 },
  },
  {
    yaml: `
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: agent-$n
spec:
  selector:
    matchLabels:
      app: agent
  template:
    metadata:
      labels:
        app: agent
    spec:
      containers:
      - name: agent
        image: example.com/agent@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
`,
    defaults: {
      metadata: { annotations: { "deprecated.daemonset.template.generation": "1" } },
      spec: {
        revisionHistoryLimit: 10,
        template: templateDefaults("IfNotPresent"),
        updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
      },
      status: { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 },
    },
    change: { spec: { template: { spec: { nodeSelector: { disk: "ssd" } } } } },
    changeEffects: { metadata: { annotations: { "deprecated.daemonset.template.generation": "2" } } },
    generation: "counted",
    status: {
      currentNumberScheduled: 1,
      desiredNumberScheduled: 2,
      numberMisscheduled: 0,
      numberReady: 1,
      observedGeneration: 1,
    },
  },
  {
    yaml: `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-$n
  labels:
    app: web
spec:
  replicas: 2
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
      - name: nginx
        image: nginx:1.25
`,
    defaults: {
      spec: {
        progressDeadlineSeconds: 600,
        revisionHistoryLimit: 10,
        strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" } },
        template: templateDefaults("IfNotPresent"),
      },
      status: {},
    },
    change: { spec: { replicas: 3 } },
    generation: "counted",
    countsMetadata: "annotations",
    status: {
      observedGeneration: 1,
      replicas: 2,
      updatedReplicas: 2,
      readyReplicas: 1,
      availableReplicas: 1,
      unavailableReplicas: 1,
      conditions: [
        {
          type: "Available",
          status: "False",
          lastUpdateTime: "2024-01-02T03:04:05Z",
          lastTransitionTime: "2024-01-02T03:04:05Z",
          reason: "MinimumReplicasUnavailable",
          message: "Deployment does not have minimum availability.",
        },
      ],
    },
    statusWrites: "annotations",
  },
  {
    yaml: `
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: web-$n
spec:
  selector:
    matchExpressions:
    - {key: app, operator: In, values: [web, shop]}
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
      - name: nginx
        image: registry.example.com:5000/nginx
`,
    defaults: { spec: { replicas: 1, template: templateDefaults("Always") }, status: { replicas: 0 } },
    change: { spec: { minReadySeconds: 5 } },
    generation: "counted",
    status: { replicas: 1, fullyLabeledReplicas: 1, readyReplicas: 1, availableReplicas: 1, observedGeneration: 1 },
  },
  {
    yaml: `
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db-$n
spec:
  serviceName: db
  selector:
    matchLabels:
      app: db
  template:
    metadata:
      labels:
        app: db
    spec:
      containers:
      - name: postgres
        image: postgres:16
  volumeClaimTemplates:
  - metadata:
      name: data
    spec:
      accessModes: [ReadWriteOnce]
      resources:
        requests:
          storage: 1Gi
`,
    defaults: {
      spec: {
        podManagementPolicy: "OrderedReady",
        replicas: 1,
        revisionHistoryLimit: 10,
        template: templateDefaults("IfNotPresent"),
        updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Retain" },
        volumeClaimTemplates: [
          {
            kind: "PersistentVolumeClaim",
            apiVersion: "v1",
            metadata: { creationTimestamp: null },
            spec: { volumeMode: "Filesystem" },
            status: { phase: "Pending" },
          },
        ],
      },
      status: { replicas: 0, availableReplicas: 0 },
    },
    featureDefaults: { spec: { updateStrategy: { rollingUpdate: { maxUnavailable: 1 } } } },
    change: { spec: { replicas: 2 } },
    generation: "counted",
    status: { replicas: 1, readyReplicas: 1, availableReplicas: 1, currentRevision: "db-1", observedGeneration: 1 },
  },
  {
    yaml: `
apiVersion: batch/v1
kind: CronJob
metadata:
  name: backup-$n
spec:
  schedule: "0 3 * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: OnFailure
          containers:
          - name: backup
            image: example.com/backup:2
`,
    defaults: {
      spec: {
        concurrencyPolicy: "Allow",
        failedJobsHistoryLimit: 1,
        jobTemplate: {
          metadata: { creationTimestamp: null },
          spec: { template: templateDefaults("IfNotPresent", { restartPolicy: "OnFailure" }) },
        },
        successfulJobsHistoryLimit: 3,
        suspend: false,
      },
      status: {},
    },
    change: { spec: { suspend: true } },
    generation: "counted",
    status: { lastScheduleTime: "2024-01-02T03:00:00Z", active: [{ kind: "Job", name: "backup-1" }] },
  },
  {
    yaml: `
apiVersion: batch/v1
kind: Job
metadata:
  name: import-$n
spec:
  template:
    metadata:
      labels:
        app: import
    spec:
      restartPolicy: Never
      containers:
      - name: import
        image: example.com/import:2
`,
    defaults: {
      metadata: {
        labels: {
          app: "import",
          "batch.kubernetes.io/controller-uid": "$uid",
          "batch.kubernetes.io/job-name": "import-$n",
          "controller-uid": "$uid",
          "job-name": "import-$n",
        },
      },
      spec: {
        backoffLimit: 6,
        completionMode: "NonIndexed",
        completions: 1,
        manualSelector: false,
        parallelism: 1,
        podReplacementPolicy: "TerminatingOrFailed",
        selector: { matchLabels: { "batch.kubernetes.io/controller-uid": "$uid" } },
        suspend: false,
        template: {
          metadata: {
            labels: {
              "batch.kubernetes.io/controller-uid": "$uid",
              "batch.kubernetes.io/job-name": "import-$n",
              "controller-uid": "$uid",
              "job-name": "import-$n",
            },
          },
          ...templateDefaultsWithoutMetadata(),
        },
      },
      status: {},
    },
    change: { spec: { parallelism: 2 } },
    generation: "counted",
    status: { active: 1, startTime: "2024-01-02T03:04:05Z", ready: 1, uncountedTerminatedPods: {} },
    lingers: true,
  },
  {
    yaml: `
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web-$n
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: web
  maxReplicas: 10
  behavior:
    scaleDown:
      stabilizationWindowSeconds: 60
`,
    defaults: {
      spec: {
        minReplicas: 1,
        metrics: [
          { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } },
        ],
        behavior: {
          scaleDown: { selectPolicy: "Max", policies: [{ type: "Percent", value: 100, periodSeconds: 15 }] },
          scaleUp: {
            stabilizationWindowSeconds: 0,
            selectPolicy: "Max",
            policies: [
              { type: "Pods", value: 4, periodSeconds: 15 },
              { type: "Percent", value: 100, periodSeconds: 15 },
            ],
          },
        },
      },
      status: { currentMetrics: null, desiredReplicas: 0 },
    },
    change: { spec: { maxReplicas: 12 } },
    status: { currentReplicas: 1, desiredReplicas: 2, currentMetrics: null, conditions: null },
  },
  {
    yaml: `
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata:
  name: web-$n
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: web
  maxReplicas: 10
  targetCPUUtilizationPercentage: 70
`,
    defaults: { spec: { minReplicas: 1 }, status: { currentReplicas: 0, desiredReplicas: 0 } },
    change: { spec: { maxReplicas: 12 } },
    status: { currentReplicas: 1, desiredReplicas: 2, currentCPUUtilizationPercentage: 40 },
    // Beside the one number, v1 shows all that there is in an annotation.
    statusEffects: {
      metadata: {
        annotations: {
          "autoscaling.alpha.kubernetes.io/current-metrics": JSON.stringify([
            { type: "Resource", resource: { name: "cpu", currentAverageUtilization: 40, currentAverageValue: "0" } },
          ]),
        },
      },
    },
  },
  {
    yaml: `
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: web-$n
spec:
  minAvailable: 1
  selector:
    matchLabels:
      app: web
`,
    defaults: {
      status: { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 },
    },
    change: { spec: { minAvailable: "50%" } },
    generation: "counted",
    needsResourceVersion: true,
    status: {
      currentHealthy: 2,
      desiredHealthy: 1,
      disruptionsAllowed: 1,
      expectedPods: 2,
      observedGeneration: 1,
      disruptedPods: { "web-1": "2024-01-02T03:04:05Z" },
      conditions: [
        {
          type: "DisruptionAllowed",
          status: "True",
          lastTransitionTime: "2024-01-02T03:04:05Z",
          reason: "SufficientPods",
          message: "",
        },
      ],
    },
  },
];

function templateDefaultsWithoutMetadata(): Pick<ReturnType<typeof templateDefaults>, "spec"> {
  return { spec: templateDefaults("IfNotPresent", { restartPolicy: "Never" })["spec"] };
}
