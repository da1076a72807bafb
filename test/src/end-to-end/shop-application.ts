/** Names of the application's objects in `kubectl`, in the order of the file. */
export const shopObjects = [
  "serviceaccount/shop",
  "configmap/shop-settings",
  "secret/shop-database",
  "persistentvolumeclaim/orders",
  "role.rbac.authorization.k8s.io/shop",
  "rolebinding.rbac.authorization.k8s.io/shop",
  "service/shop",
  "service/orders",
  "deployment.apps/shop",
  "statefulset.apps/orders",
  "daemonset.apps/log-shipper",
  "job.batch/migrate",
  "cronjob.batch/report",
  "ingress.networking.k8s.io/shop",
  "networkpolicy.networking.k8s.io/orders",
  "poddisruptionbudget.policy/shop",
  "horizontalpodautoscaler.autoscaling/shop",
  "resourcequota/shop",
  "limitrange/shop",
];

/** A shop as a team would deploy it: a web tier, a database, jobs, and what guards and scales them. */
export const shopApplication = `apiVersion: v1
kind: ServiceAccount
metadata: {name: shop, labels: {app.kubernetes.io/part-of: shop}}
automountServiceAccountToken: false
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: shop-settings
  labels: {app.kubernetes.io/part-of: shop}
data:
  LOG_LEVEL: info
  features.yaml: |
    checkout: true
    "off": 'yes'
binaryData:
  logo: iVBORw0KGgo=
---
apiVersion: v1
kind: Secret
metadata: {name: shop-database, labels: {app.kubernetes.io/part-of: shop}}
type: Opaque
stringData: {user: shop, password: "p@ss: word"}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: orders, labels: {app.kubernetes.io/part-of: shop}}
spec:
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 10Gi}}
  storageClassName: fast
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: shop, labels: {app.kubernetes.io/part-of: shop}}
rules:
- {apiGroups: [""], resources: [configmaps], resourceNames: [shop-settings], verbs: [get, watch]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: shop, labels: {app.kubernetes.io/part-of: shop}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: shop}
subjects:
- {kind: ServiceAccount, name: shop}
---
apiVersion: v1
kind: Service
metadata: {name: shop, labels: {app.kubernetes.io/part-of: shop}}
spec:
  selector: {app: shop}
  ports:
  - {name: http, port: 80, targetPort: http}
---
apiVersion: v1
kind: Service
metadata: {name: orders, labels: {app.kubernetes.io/part-of: shop}}
spec:
  clusterIP: None
  selector: {app: orders}
  ports:
  - {name: sql, port: 5432}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop, labels: {app.kubernetes.io/part-of: shop}}
spec:
  replicas: 3
  strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}
  selector: {matchLabels: {app: shop}}
  template:
    metadata:
      labels: {app: shop}
      annotations: {prometheus.io/scrape: "true"}
    spec:
      serviceAccountName: shop
      securityContext: {runAsNonRoot: true, runAsUser: 1000}
      initContainers:
      - {name: wait, image: "busybox:1.36", command: [sh, -c, "until nc -z orders 5432; do sleep 1; done"]}
      containers:
      - name: shop
        image: registry.example.com/shop:2.1
        ports: [{name: http, containerPort: 8080}]
        envFrom:
        - configMapRef: {name: shop-settings}
        env:
        - {name: PASSWORD, valueFrom: {secretKeyRef: {name: shop-database, key: password}}}
        - {name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}
        resources: {requests: {cpu: 250m, memory: 128Mi}, limits: {memory: 256Mi}}
        readinessProbe: {httpGet: {path: /ready, port: http}, periodSeconds: 5}
        livenessProbe: {tcpSocket: {port: http}}
        volumeMounts:
        - {name: settings, mountPath: /etc/shop, readOnly: true}
        - {name: scratch, mountPath: /tmp}
      volumes:
      - {name: settings, configMap: {name: shop-settings, items: [{key: features.yaml, path: features.yaml}]}}
      - {name: scratch, emptyDir: {sizeLimit: 64Mi}}
      topologySpreadConstraints:
      - maxSkew: 1
        topologyKey: topology.kubernetes.io/zone
        whenUnsatisfiable: ScheduleAnyway
        labelSelector: {matchLabels: {app: shop}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: orders, labels: {app.kubernetes.io/part-of: shop}}
spec:
  serviceName: orders
  replicas: 1
  selector: {matchLabels: {app: orders}}
  template:
    metadata: {labels: {app: orders}}
    spec:
      containers:
      - name: postgres
        image: postgres:16
        ports: [{containerPort: 5432}]
        volumeMounts: [{name: data, mountPath: /var/lib/postgresql/data}]
      tolerations:
      - {key: dedicated, operator: Equal, value: database, effect: NoSchedule}
  volumeClaimTemplates:
  - metadata: {name: data}
    spec:
      accessModes: [ReadWriteOnce]
      resources: {requests: {storage: 20Gi}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: log-shipper, labels: {app.kubernetes.io/part-of: shop}}
spec:
  selector: {matchLabels: {app: log-shipper}}
  template:
    metadata: {labels: {app: log-shipper}}
    spec:
      containers:
      - {name: shipper, image: "fluent-bit:3.0", volumeMounts: [{name: logs, mountPath: /var/log}]}
      volumes: [{name: logs, hostPath: {path: /var/log}}]
---
apiVersion: batch/v1
kind: Job
metadata: {name: migrate, labels: {app.kubernetes.io/part-of: shop}}
spec:
  backoffLimit: 2
  ttlSecondsAfterFinished: 3600
  template:
    spec:
      restartPolicy: OnFailure
      containers: [{name: migrate, image: "registry.example.com/shop:2.1", args: [migrate]}]
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: report, labels: {app.kubernetes.io/part-of: shop}}
spec:
  schedule: "15 4 * * *"
  timeZone: Europe/Berlin
  concurrencyPolicy: Forbid
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers: [{name: report, image: "registry.example.com/shop:2.1", args: [report]}]
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: shop, labels: {app.kubernetes.io/part-of: shop}}
spec:
  ingressClassName: nginx
  tls: [{hosts: [shop.example.com], secretName: shop-tls}]
  rules:
  - host: shop.example.com
    http:
      paths:
      - {path: /, pathType: Prefix, backend: {service: {name: shop, port: {name: http}}}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: orders, labels: {app.kubernetes.io/part-of: shop}}
spec:
  podSelector: {matchLabels: {app: orders}}
  ingress:
  - from: [{podSelector: {matchLabels: {app: shop}}}]
    ports: [{protocol: TCP, port: 5432}]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: shop, labels: {app.kubernetes.io/part-of: shop}}
spec:
  maxUnavailable: 1
  selector: {matchLabels: {app: shop}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: shop, labels: {app.kubernetes.io/part-of: shop}}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: shop}
  minReplicas: 3
  maxReplicas: 12
  metrics:
  - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 60}}}
  behavior: {scaleDown: {stabilizationWindowSeconds: 120}}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: shop, labels: {app.kubernetes.io/part-of: shop}}
spec: {hard: {pods: "50", requests.cpu: "20"}}
---
apiVersion: v1
kind: LimitRange
metadata: {name: shop, labels: {app.kubernetes.io/part-of: shop}}
spec:
  limits:
  - {type: Container, defaultRequest: {cpu: 100m, memory: 64Mi}, default: {memory: 256Mi}}
`;
