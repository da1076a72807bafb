const users = ["alice", "bob", "system:serviceaccount:kube-system:generic-garbage-collector", "system:kube-scheduler"];
const targets = [
  { resource: "pods", apiVersion: "v1" },
  { resource: "configmaps", apiVersion: "v1" },
  { resource: "deployments", apiGroup: "apps", apiVersion: "v1" },
  { resource: "leases", apiGroup: "coordination.k8s.io", apiVersion: "v1" },
  { resource: "pods", subresource: "log", apiVersion: "v1" },
];
const verbs = ["get", "list", "watch", "create", "update", "patch", "delete"];
const codes = [200, 200, 200, 200, 201, 404, 403, 200, 500, 200, 409];

/** Events of the hour before a time, as JSON; one of them was changed by a webhook, and one user's name is `evil`. */
export function sampleEvents(count: number, nowMs: number, evil: string): string[] {
  return Array.from({ length: count }, (_, n) => {
    const timeMs = nowMs - 1000 - (count - 1 - n) ** 1.5 * ((3_500_000 * 1) / count ** 1.5);
    const time = `${new Date(timeMs).toISOString().slice(0, -1)}000Z`;
    const user = n % 97 === 0 ? evil : (users[(n * 7) % users.length] as string);
    const base = {
      kind: "Event",
      apiVersion: "audit.k8s.io/v1",
      level: "Metadata",
      auditID: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
      stage: "ResponseComplete",
      verb: verbs[(n * 5) % verbs.length],
      user: { username: user, groups: ["dev", "system:authenticated"] },
      ...(n % 50 === 3 ? { impersonatedUser: { username: "robot" } } : {}),
      sourceIPs: ["192.0.2.7"],
      userAgent: "kubectl/v1.29.0 (linux/amd64) kubernetes/3f7a50f",
      requestURI: `/api/v1/namespaces/shop/things/thing-${n}`,
      objectRef: { ...targets[(n * 3) % targets.length], namespace: "shop", name: `thing-${n}` },
      responseStatus: { metadata: {}, code: codes[n % codes.length] },
      requestReceivedTimestamp: time,
      stageTimestamp: time,
      annotations: { "authorization.k8s.io/decision": "allow", "authorization.k8s.io/reason": "" },
    };
    return JSON.stringify(n === count - 2 ? { ...base, ...patched } : base);
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
  user: { username: "alice", groups: ["dev", "system:authenticated"] },
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
