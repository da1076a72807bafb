import type { Answer, ApiClient } from "../spec/support/api-client.js";

/** The flags of the servers that are asked: without the features that are on by default, and with all that are not. */
export const gateSettings: Readonly<Record<"without-beta" | "with-alpha", readonly string[]>> = {
  "without-beta": ["--feature-gates=AllBeta=false", "--disable-admission-plugins=ServiceAccount"],
  "with-alpha": [
    "--feature-gates=AllAlpha=true",
    "--runtime-config=api/all=true",
    "--disable-admission-plugins=ServiceAccount",
  ],
};

/** A request, and the part of its answer that shows whether a feature is on. */
interface GateCase {
  readonly name: string;
  readonly method?: "POST";
  readonly path: string;
  readonly body?: object;
  readonly accept?: string;
  readonly part?: (answer: Answer) => unknown;
}

const container = { name: "c", image: "i" };
const labels = { app: "a" };
const profile = { "container.apparmor.security.beta.kubernetes.io/c": "runtime/default", other: "stays" };
const spread = {
  maxSkew: 1,
  topologyKey: "zone",
  whenUnsatisfiable: "DoNotSchedule",
  labelSelector: { matchLabels: labels },
  minDomains: 2,
  matchLabelKeys: ["pod-template-hash"],
  nodeAffinityPolicy: "Ignore",
  nodeTaintsPolicy: "Honor",
};
const podSpec = { containers: [container], topologySpreadConstraints: [spread] };
const jobSpec = {
  completions: 2,
  completionMode: "Indexed",
  parallelism: 2,
  backoffLimitPerIndex: 1,
  maxFailedIndexes: 1,
  podReplacementPolicy: "Failed",
  podFailurePolicy: {
    rules: [
      { action: "FailIndex", onExitCodes: { operator: "In", values: [1] } },
      { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
    ],
  },
  template: { spec: { containers: [container], restartPolicy: "Never" } },
};

function create(
  name: string,
  apiVersion: string,
  kind: string,
  resource: string,
  rest: object,
  namespaced = true,
): GateCase {
  const base = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return {
    name,
    method: "POST",
    path: `${base}${namespaced ? "/namespaces/default" : ""}/${resource}?dryRun=All`,
    body: { apiVersion, kind, metadata: { name: "gate-case" }, ...rest },
    part: storedPart,
  };
}

/** Returns what an answer has of a new object; labels with its uid are left out. */
function storedPart({ document, text }: Answer): unknown {
  const object = document as {
    kind?: string;
    message?: string;
    metadata?: { annotations?: object };
    [member: string]: unknown;
  };
  if (object.kind === "Status") {
    return object.message;
  }
  const { metadata, kind: _kind, apiVersion: _version, ...rest } = object;
  const uid = /"uid":"([^"]+)"/.exec(text)?.[1] ?? "none";
  return JSON.parse(
    JSON.stringify({ annotations: metadata?.annotations ?? {}, ...rest })
      .replaceAll(uid, "UID")
      .replace(/"\d{4}-\d\d-\d\dT[\d:]+Z"/g, '"TIME"'),
  );
}

/** The requests, in their order. */
export const gateCases: readonly GateCase[] = [
  create("a pod that spreads", "v1", "Pod", "pods", { spec: podSpec }),
  create("a pod with a profile", "v1", "Pod", "pods", {
    metadata: { name: "gate-case", annotations: profile },
    spec: { containers: [container] },
  }),
  create("a gated pod", "v1", "Pod", "pods", {
    spec: { containers: [container], schedulingGates: [{ name: "a.b/c" }] },
  }),
  create("a pod with a sidecar", "v1", "Pod", "pods", {
    spec: { containers: [container], initContainers: [{ ...container, name: "s", restartPolicy: "Always" }] },
  }),
  create("a pod that asks for its host's addresses", "v1", "Pod", "pods", {
    spec: {
      containers: [{ ...container, env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "status.hostIPs" } } }] }],
    },
  }),
  create("a deployment", "apps/v1", "Deployment", "deployments", {
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels, annotations: profile }, spec: podSpec },
    },
  }),
  create("a stateful set", "apps/v1", "StatefulSet", "statefulsets", {
    spec: {
      selector: { matchLabels: labels },
      serviceName: "s",
      ordinals: { start: 3 },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Delete" },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  }),
  create("a job", "batch/v1", "Job", "jobs", { spec: jobSpec }),
  create("a job without policies", "batch/v1", "Job", "jobs", { spec: { template: jobSpec.template } }),
  create("a cron job", "batch/v1", "CronJob", "cronjobs", {
    spec: { schedule: "* * * * *", jobTemplate: { spec: jobSpec } },
  }),
  create("a disruption budget", "policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", {
    spec: { selector: { matchLabels: labels }, unhealthyPodEvictionPolicy: "AlwaysAllow" },
  }),
  create("an endpoint slice", "discovery.k8s.io/v1", "EndpointSlice", "endpointslices", {
    addressType: "IPv4",
    endpoints: [{ addresses: ["192.0.2.1"], zone: "a", hints: { forZones: [{ name: "a" }] } }],
  }),
  create("an autoscaler", "autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", {
    spec: {
      maxReplicas: 2,
      scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" },
      metrics: [
        {
          type: "ContainerResource",
          containerResource: { name: "cpu", container: "c", target: { type: "Utilization", averageUtilization: 50 } },
        },
      ],
    },
  }),
  create(
    "a webhook with conditions",
    "admissionregistration.k8s.io/v1",
    "ValidatingWebhookConfiguration",
    "validatingwebhookconfigurations",
    {
      webhooks: [
        {
          name: "a.b.c",
          clientConfig: { url: "https://a.b" },
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
          matchConditions: [{ name: "m", expression: "true" }],
        },
      ],
    },
    false,
  ),
  create("a claim with a source", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", {
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
      dataSourceRef: { apiGroup: "a.example", kind: "Odd", name: "o" },
    },
  }),
  create("a CSI driver", "storage.k8s.io/v1", "CSIDriver", "csidrivers", { spec: { seLinuxMount: true } }, false),
  create("a pod of alpha features", "v1", "Pod", "pods", {
    spec: {
      hostUsers: false,
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            {
              topologyKey: "zone",
              labelSelector: { matchLabels: labels },
              matchLabelKeys: ["a"],
              mismatchLabelKeys: ["b"],
            },
          ],
        },
      },
      resourceClaims: [{ name: "r", source: { resourceClaimName: "r" } }],
      containers: [
        {
          ...container,
          resizePolicy: [{ resourceName: "cpu", restartPolicy: "RestartContainer" }],
          resources: { claims: [{ name: "r" }], requests: { cpu: "1" } },
          lifecycle: { preStop: { sleep: { seconds: 1 } } },
          securityContext: { procMount: "Unmasked" },
          volumeMounts: [{ name: "v", mountPath: "/v" }],
        },
      ],
      volumes: [{ name: "v", projected: { sources: [{ clusterTrustBundle: { name: "b", path: "p" } }] } }],
    },
  }),
  create("a stateful set with unavailable pods", "apps/v1", "StatefulSet", "statefulsets", {
    spec: {
      selector: { matchLabels: labels },
      serviceName: "s",
      updateStrategy: { rollingUpdate: { maxUnavailable: 2 } },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  }),
  create("an autoscaler down to nothing", "autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", {
    spec: {
      minReplicas: 0,
      maxReplicas: 2,
      scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" },
      metrics: [
        {
          type: "Object",
          object: {
            describedObject: { kind: "Service", name: "s", apiVersion: "v1" },
            metric: { name: "m" },
            target: { type: "Value", value: "1" },
          },
        },
      ],
    },
  }),
  create("a claim of a class of attributes", "v1", "PersistentVolumeClaim", "persistentvolumeclaims", {
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
      volumeAttributesClassName: "gold",
      dataSourceRef: { apiGroup: "a.example", kind: "Odd", name: "o", namespace: "other" },
    },
  }),
  create(
    "a volume of a class of attributes",
    "v1",
    "PersistentVolume",
    "persistentvolumes",
    {
      spec: {
        accessModes: ["ReadWriteOnce"],
        capacity: { storage: "1Gi" },
        volumeAttributesClassName: "gold",
        csi: { driver: "d", volumeHandle: "h" },
      },
    },
    false,
  ),
  create(
    "a priority level without shares",
    "flowcontrol.apiserver.k8s.io/v1",
    "PriorityLevelConfiguration",
    "prioritylevelconfigurations",
    {
      spec: { type: "Limited", limited: { nominalConcurrencyShares: 0, limitResponse: { type: "Reject" } } },
    },
    false,
  ),
  create("a deployment with host ports", "apps/v1", "Deployment", "deployments", {
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { hostNetwork: true, containers: [{ ...container, ports: [{ containerPort: 80 }] }] },
      },
    },
  }),
  {
    name: "the hash of a stored version in discovery",
    path: "/apis/apps/v1",
    part: ({ text }) => text.includes("storageVersionHash"),
  },
  {
    name: "all of discovery at once",
    path: "/apis",
    accept: "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList",
    part: ({ status, document }) => [status, document["kind"] ?? "none"],
  },
  { name: "indicators of the service level", path: "/metrics/slis", part: ({ status }) => status },
  {
    name: "closed sets in OpenAPI v3",
    path: "/openapi/v3/api/v1",
    part: ({ text }) => [/"enum":\s*\[/.test(text), text.includes("Possible enum values")],
  },
  {
    name: "closed sets in OpenAPI v2",
    path: "/openapi/v2",
    part: ({ text }) => [/"enum":\s*\[/.test(text), text.includes("Possible enum values")],
  },
  { name: "paths", path: "/", part: ({ text }) => text.includes("/metrics/slis") },
];

/** An answer, as far as it shows what features are on. */
export interface GateAnswer {
  readonly name: string;
  readonly status: number;
  readonly part: unknown;
}

/** Sends the requests one after the other. */
export async function askAboutGates(client: ApiClient): Promise<readonly GateAnswer[]> {
  const answers: GateAnswer[] = [];
  for (const { name, method = "GET", path, body, accept, part } of gateCases) {
    const headers = { ...(accept === undefined ? {} : { accept }) };
    const answer = await client.request(method, path, { headers, ...(body === undefined ? {} : { body }) });
    answers.push({ name, status: answer.status, part: part?.(answer) });
  }
  return answers;
}
