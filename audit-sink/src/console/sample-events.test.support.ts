const users = [
  "alice@example.com",
  "bob",
  "system:serviceaccount:kube-system:generic-garbage-collector",
  "system:kube-scheduler",
  "system:serviceaccount:shop:checkout-worker-europe-west-production",
  "system:node:worker-1.europe-west.example.com",
];
const targets = [
  { resource: "pods", apiVersion: "v1" },
  { resource: "configmaps", apiVersion: "v1" },
  { resource: "deployments", apiGroup: "apps", apiVersion: "v1" },
  { resource: "leases", apiGroup: "coordination.k8s.io", apiVersion: "v1" },
  { resource: "pods", subresource: "log", apiVersion: "v1" },
];
const namespaces = ["shop", "kube-system", "payments", "shop"];
const verbs = ["get", "list", "watch", "create", "update", "patch", "delete"];
const statuses = [
  { code: 200 },
  { code: 200 },
  { code: 200 },
  { code: 200 },
  { code: 201 },
  { code: 404, reason: "NotFound", message: 'configmaps "settings" not found' },
  { code: 403, reason: "Forbidden", message: 'pods is forbidden: User "bob" cannot list resource "pods"' },
  { code: 200 },
  { code: 500, reason: "InternalError", message: "Internal error occurred: failed calling webhook" },
  { code: 200 },
  { code: 409, reason: "Conflict" },
];

/** Returns whether an event, as JSON, is of one of the system accounts in the sample. */
export function isOfSystemAccount(event: string): boolean {
  const { user } = JSON.parse(event) as { readonly user: { readonly username: string } };
  return /^system:(?:kube-|node:|serviceaccount:kube-)/.test(user.username);
}

/**
 * Events of the hour before a time, as JSON. The last but one is a creation that a webhook changed, the last but two and
 * the last but three write the object `web`, and one in 97 has a user whose name is `evil`.
 */
export function sampleEvents(count: number, nowMs: number, evil: string): string[] {
  return Array.from({ length: count }, (_, n) => {
    const timeMs = nowMs - 1000 - (count - 1 - n) ** 1.5 * (3_500_000 / count ** 1.5);
    const time = `${new Date(timeMs).toISOString().slice(0, -1)}000Z`;
    const namespace = namespaces[n % namespaces.length];
    const base = {
      kind: "Event",
      apiVersion: "audit.k8s.io/v1",
      level: "Metadata",
      auditID: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
      stage: "ResponseComplete",
      verb: verbs[(n * 5) % verbs.length],
      user: { username: n % 97 === 0 ? evil : users[(n * 7) % users.length], groups: ["dev", "system:authenticated"] },
      ...(n % 50 === 3 ? { impersonatedUser: { username: "robot" } } : {}),
      sourceIPs: ["192.0.2.7"],
      userAgent: "kubectl/v1.29.0 (linux/amd64) kubernetes/3f7a50f",
      requestURI: `/api/v1/namespaces/${namespace}/things/thing-${n}`,
      objectRef: { ...targets[(n * 3) % targets.length], namespace, name: `thing-${n}` },
      responseStatus: { metadata: {}, ...statuses[n % statuses.length] },
      requestReceivedTimestamp: time,
      stageTimestamp: time,
      annotations: { "authorization.k8s.io/decision": "allow", "authorization.k8s.io/reason": "" },
    };
    return JSON.stringify({ ...base, ...special[count - n] });
  });
}

const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "patched", namespace: "shop" },
  spec: { replicas: 1, selector: { matchLabels: { app: "web" } } },
};

/** A creation at level RequestResponse, and what a webhook has made of it. */
const patched = {
  level: "RequestResponse",
  verb: "create",
  user: { username: "alice@example.com", groups: ["dev", "system:authenticated"] },
  impersonatedUser: undefined,
  requestURI: "/apis/apps/v1/namespaces/shop/deployments",
  objectRef: { resource: "deployments", apiGroup: "apps", apiVersion: "v1", namespace: "shop", name: "patched" },
  responseStatus: { metadata: {}, code: 201 },
  requestObject: deployment,
  responseObject: {
    ...deployment,
    metadata: { ...deployment.metadata, labels: { team: "shop" } },
    spec: { ...deployment.spec, replicas: 3 },
  },
  annotations: {
    "authorization.k8s.io/decision": "allow",
    "authorization.k8s.io/reason": 'RBAC: allowed by RoleBinding "dev/shop"',
    "mutation.webhook.admission.k8s.io/round_0_index_0":
      '{"configuration":"limits","webhook":"limits.example.com","mutated":true}',
    "patch.webhook.admission.k8s.io/round_0_index_0": JSON.stringify({
      configuration: "limits",
      webhook: "limits.example.com",
      patch: [
        { op: "replace", path: "/spec/replicas", value: 3 },
        { op: "add", path: "/metadata/labels", value: { team: "shop" } },
      ],
      patchType: "JSONPatch",
    }),
  },
};

/** The object `web` before and after a write that a hook and two field managers had a part in. */
const web = (image: string, replicas: number, labels: object) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: {
    name: "web",
    namespace: "shop",
    labels,
    resourceVersion: String(replicas),
    managedFields: [
      {
        manager: "autoscaler",
        operation: "Update",
        time: "2026-01-01T00:00:01Z",
        fieldsV1: { "f:spec": { "f:replicas": {} } },
      },
      {
        manager: "kubectl",
        operation: "Update",
        time: "2026-01-01T00:00:02Z",
        fieldsV1: {
          "f:spec": {
            "f:template": { "f:spec": { "f:containers": { 'k:{"name":"web"}': { ".": {}, "f:image": {} } } } },
          },
        },
      },
    ],
  },
  spec: {
    replicas,
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: {
        containers: [
          {
            name: "web",
            image,
            ports: [{ containerPort: 8080, protocol: "TCP" }],
            resources: {},
            imagePullPolicy: "Always",
          },
        ],
        restartPolicy: "Always",
        terminationGracePeriodSeconds: 30,
        dnsPolicy: "ClusterFirst",
      },
    },
  },
});

const webWrite = {
  level: "RequestResponse",
  user: { username: "alice@example.com", groups: ["dev", "system:authenticated"] },
  impersonatedUser: undefined,
  requestURI: "/apis/apps/v1/namespaces/shop/deployments/web?fieldManager=kubectl",
  objectRef: { resource: "deployments", apiGroup: "apps", apiVersion: "v1", namespace: "shop", name: "web" },
  responseStatus: { metadata: {}, code: 200 },
};

/** Events that differ from the others, by their place from the end. */
const special: Readonly<Record<number, object>> = {
  2: patched,
  3: {
    ...webWrite,
    verb: "patch",
    requestObject: { spec: { template: { spec: { containers: [{ name: "web", image: "web:1.28" }] } } } },
    responseObject: web("web:1.28", 5, { team: "shop" }),
    annotations: {
      "authorization.k8s.io/decision": "allow",
      "patch.webhook.admission.k8s.io/round_0_index_0": JSON.stringify({
        configuration: "labels",
        webhook: "labels.example.com",
        patch: [{ op: "add", path: "/metadata/labels", value: { team: "shop" } }],
        patchType: "JSONPatch",
      }),
    },
  },
  4: { ...webWrite, verb: "update", requestObject: web("web:1.27", 2, {}), responseObject: web("web:1.27", 2, {}) },
};
