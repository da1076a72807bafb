// Objects that the requests of the area `audit-events` find: namespaces, a custom kind, roles, plugins that write annotations.
import { openSchema, sampleDefinition } from "../sample-definition.mjs";

/** Namespace of most requests. */
export const namespace = "audit-events";
/** Namespace whose pods must be restricted, audited and warned of. */
export const secureNamespace = "audit-secure";

const post = (path, body) => ({ method: "POST", path, body, quiet: true });
const podSecurity = Object.fromEntries(
  ["enforce", "audit", "warn"].map((mode) => [
    `pod-security.kubernetes.io/${mode}`,
    mode === "enforce" ? "baseline" : "restricted",
  ]),
);
const pod = { containers: [{ name: "c", image: "i" }] };

/** The definition of widgets, with a status and a scale, and a deprecated version. */
const widgets = sampleDefinition("example.com", "widgets", "Widget", [
  {
    schema: openSchema,
    subresources: {
      status: {},
      scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
    },
    additionalPrinterColumns: [{ name: "Size", type: "integer", jsonPath: ".spec.size" }],
  },
  { schema: openSchema, deprecated: true, deprecationWarning: "example.com/v2 widgets are old" },
]);

/** A webhook that nobody answers, and that may fail. */
const failOpen = (kind, name) => [
  `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`,
  {
    metadata: { name },
    webhooks: [
      {
        name: `${name}.example.com`,
        clientConfig: { url: "https://127.0.0.1:1/none" },
        rules: [{ operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["endpoints"] }],
        failurePolicy: "Ignore",
        sideEffects: "None",
        timeoutSeconds: 1,
        admissionReviewVersions: ["v1"],
      },
    ],
  },
];
const policies = "/apis/admissionregistration.k8s.io/v1beta1/validatingadmissionpolic";

/** Requests that make the objects, not compared. */
export const fixtures = [
  post("/api/v1/namespaces", { metadata: { name: namespace } }),
  post("/api/v1/namespaces", { metadata: { name: secureNamespace, labels: podSecurity } }),
  ...[namespace, secureNamespace].map((name) =>
    post(`/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: "default" } }),
  ),
  post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", widgets),
  post(`/api/v1/namespaces/${namespace}/pods`, { metadata: { name: "fixed" }, spec: pod }),
  post(`/api/v1/namespaces/${namespace}/configmaps`, {
    metadata: { name: "fixed", labels: { kept: "yes" } },
    data: { a: "<&>\u2028é" },
  }),
  post(`/api/v1/namespaces/${namespace}/services`, { metadata: { name: "fixed" }, spec: { ports: [{ port: 80 }] } }),
  post("/apis/rbac.authorization.k8s.io/v1/clusterroles", {
    metadata: { name: "audit-jane" },
    rules: [
      {
        verbs: ["get", "list", "watch", "create"],
        apiGroups: ["", "apps"],
        resources: ["configmaps", "pods", "deployments"],
      },
      { verbs: ["impersonate"], apiGroups: [""], resources: ["users"], resourceNames: ["bob"] },
    ],
  }),
  post("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
    metadata: { name: "audit-jane" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "audit-jane" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "jane" }],
  }),
  post("/apis/rbac.authorization.k8s.io/v1/namespaces/audit-events/rolebindings", {
    metadata: { name: "audit-bob" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "edit" },
    subjects: [
      { apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "bob" },
      { apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "builders" },
    ],
  }),
  post(`${policies}ies`, {
    metadata: { name: "audit-leases" },
    spec: {
      matchConstraints: {
        resourceRules: [
          { operations: ["*"], apiGroups: ["coordination.k8s.io"], apiVersions: ["v1"], resources: ["leases"] },
        ],
      },
      validations: [{ expression: "has(object.spec.holderIdentity)", message: "no holder" }],
      auditAnnotations: [{ key: "name", valueExpression: "'lease ' + request.name" }],
    },
  }),
  post(`${policies}ybindings`, {
    metadata: { name: "audit-leases" },
    spec: { policyName: "audit-leases", validationActions: ["Audit", "Warn"] },
  }),
  post(...failOpen("mutating", "audit-mutating")),
  post(...failOpen("validating", "audit-validating")),
];
