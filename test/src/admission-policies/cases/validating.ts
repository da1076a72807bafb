import { group, type PolicyCase, policy, validated } from "../policy-case.js";

const expression = (text: string): PolicyCase =>
  validated(`expression ${text}`, { validations: [{ expression: text }] });

const allowJane = [
  {
    method: "POST",
    path: "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    body: {
      metadata: { name: "policies-{ns}" },
      rules: [{ apiGroups: ["admissionregistration.k8s.io"], resources: ["*"], verbs: ["*"] }],
    },
  },
  {
    method: "POST",
    path: "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
    body: {
      metadata: { name: "policies-{ns}" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "policies-{ns}" },
      subjects: [{ kind: "User", name: "jane", apiGroup: "rbac.authorization.k8s.io" }],
    },
  },
];
const forgetJane = ["clusterrolebindings", "clusterroles"].map((resource) => ({
  method: "DELETE",
  path: `/apis/rbac.authorization.k8s.io/v1/${resource}/policies-{ns}`,
}));
const paramKind = { apiVersion: "v1", kind: "ConfigMap" };
const policies = `${group}/validatingadmissionpolicies`;
const bindings = `${group}/validatingadmissionpolicybindings`;
const binding = (name: string, spec: Record<string, unknown>) => ({
  apiVersion: "admissionregistration.k8s.io/v1beta1",
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: { name },
  spec: { policyName: "p-{ns}", validationActions: ["Deny"], ...spec },
});
const paramRef = { name: "x", namespace: "{ns}", parameterNotFoundAction: "Deny" };

/** Validation of policies and bindings, and the rights of their authors. */
export const validating: readonly PolicyCase[] = [
  ...[
    "object.foo == ",
    "1",
    "'a'",
    "object.x",
    "params.x == 1",
    "nothing",
    "object.all(x, y)",
    "variables.x == 1",
    "request.nothing == 'a'",
    "request.object == null",
    "namespaceObject.metadata.UID == 'x'",
    "namespaceObject.metadata.uid == 'x'",
    "authorizer == 1",
    "authorizer.requestResource.check('x').allowed()",
    "   ",
    "true\n&& 'a'",
  ].map(expression),
  validated("message expressions", {
    validations: [
      { expression: "true", messageExpression: "1" },
      { expression: "true", messageExpression: "object.x" },
      { expression: "true", messageExpression: " " },
      { expression: "true", messageExpression: "'a' + b" },
      { expression: "true", messageExpression: "authorizer.path('/').check('get').reason()" },
    ],
  }),
  validated("audit annotations", {
    validations: [],
    auditAnnotations: [
      { key: "a", valueExpression: "object.metadata.name" },
      { key: "b", valueExpression: " string(object.x) " },
      { key: "c", valueExpression: "1 == 1 ? 'a' : null" },
      { key: "c", valueExpression: "null" },
      { key: "d", valueExpression: " 1 " },
      { key: "e f", valueExpression: "" },
    ],
  }),
  validated("variables", {
    variables: [
      { name: "a", expression: "object.x" },
      { name: "b", expression: "variables.c" },
      { name: "c", expression: "1" },
      { name: "in", expression: "1 +" },
      { name: "", expression: "2" },
      { name: "e", expression: "" },
    ],
    validations: [
      { expression: "variables.a == 1 && variables.zz" },
      { expression: "variables.c == 'x'" },
      { expression: "variables.b == variables.e" },
    ],
  }),
  validated("match conditions", {
    matchConditions: [
      { name: "a", expression: "variables.a" },
      { name: "b", expression: "params.x" },
      { name: "c", expression: "1" },
      { name: "c", expression: " true " },
      { name: "d", expression: "" },
    ],
    variables: [{ name: "a", expression: "true" }],
  }),
  validated("match conditions with parameters", {
    paramKind,
    matchConditions: [{ name: "b", expression: "params.x" }],
    validations: [{ expression: "params.x == 1", messageExpression: "string(params.x)" }],
  }),
  {
    name: "a policy whose author may not read its parameters",
    before: allowJane,
    requests: [
      { method: "POST", path: policies, body: policy("p-{ns}", { paramKind }), as: "jane" },
      {
        method: "POST",
        path: policies,
        body: policy("p-{ns}", { paramKind: { apiVersion: "example.com/v1", kind: "Nothing" } }),
        as: "jane",
      },
      {
        method: "POST",
        path: policies,
        body: policy("p-{ns}", { paramKind, validations: [{ expression: "1" }] }),
        as: "jane",
      },
      { method: "POST", path: policies, body: policy("p-{ns}", {}), as: "jane" },
      { method: "PATCH", path: `${policies}/p-{ns}`, body: { spec: { paramKind } }, as: "jane" },
      { method: "PATCH", path: `${policies}/p-{ns}`, body: { spec: { paramKind } } },
      { method: "PATCH", path: `${policies}/p-{ns}`, body: { metadata: { labels: { a: "b" } } }, as: "jane" },
      { method: "PATCH", path: `${policies}/p-{ns}`, body: { spec: { paramKind: { kind: "Secret" } } }, as: "jane" },
    ],
    after: [{ method: "DELETE", path: `${policies}/p-{ns}` }, ...forgetJane],
  },
  {
    name: "a binding whose author may not read its parameters",
    before: allowJane,
    requests: [
      { method: "POST", path: bindings, body: binding("a-{ns}", { paramRef }), as: "jane" },
      { method: "POST", path: policies, body: policy("p-{ns}", { paramKind }) },
      { method: "POST", path: bindings, body: binding("a-{ns}", { paramRef }), as: "jane" },
      {
        method: "POST",
        path: bindings,
        body: binding("a-{ns}", { paramRef: { selector: {}, parameterNotFoundAction: "Deny" } }),
        as: "jane",
      },
      { method: "POST", path: bindings, body: binding("a-{ns}", { paramRef: {} }), as: "jane" },
      { method: "POST", path: bindings, body: binding("a-{ns}", {}), as: "jane" },
      { method: "PATCH", path: `${bindings}/a-{ns}`, body: { spec: { paramRef } } },
      { method: "PATCH", path: `${bindings}/a-{ns}`, body: { metadata: { labels: { a: "b" } } }, as: "jane" },
    ],
    after: [
      { method: "DELETE", path: `${bindings}/a-{ns}` },
      { method: "DELETE", path: `${policies}/p-{ns}` },
      ...forgetJane,
    ],
  },
];
