import { configMaps, create, denying, type PolicyCase, patch, rule } from "../policy-case.js";

const deployment = (version: string) => ({
  apiVersion: `apps/${version}`,
  kind: "Deployment",
  metadata: { name: "d" },
  spec: {
    selector: { matchLabels: { a: "b" } },
    template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
  },
});
const hpa = (version: string) => ({
  method: "POST",
  path: `/apis/autoscaling/${version}/namespaces/{ns}/horizontalpodautoscalers?dryRun=All`,
  body: {
    apiVersion: `autoscaling/${version}`,
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "h" },
    spec: { maxReplicas: 3, scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" } },
  },
});
const said = (text: string) => [{ expression: "false", messageExpression: text }];
const hpaRule = {
  operations: ["CREATE"],
  apiGroups: ["autoscaling"],
  apiVersions: ["v1"],
  resources: ["horizontalpodautoscalers"],
};

/** Matching: rules, names, selectors, versions, match conditions, bindings. */
export const matching: readonly PolicyCase[] = [
  denying(
    "resource names limit a rule",
    { matchConstraints: { resourceRules: [rule(["CREATE"], "configmaps", { resourceNames: ["a", "b"] })] } },
    [create("a"), create("c")],
  ),
  denying(
    "excluded rules go before the others",
    {
      matchConstraints: {
        resourceRules: [rule(["*"], "*", { scope: "Namespaced" })],
        excludeResourceRules: [rule(["CREATE"], "configmaps")],
      },
    },
    [create("a"), patch("a", { a: "1" })],
  ),
  denying(
    "excluded rules may be about some names",
    { matchConstraints: { excludeResourceRules: [rule(["*"], "configmaps", { resourceNames: ["a"] })] } },
    [create("a"), create("b")],
  ),
  denying(
    "object selectors look at the old and the new object",
    {
      matchConstraints: { resourceRules: [rule(["*"], "configmaps")], objectSelector: { matchLabels: { x: "y" } } },
    },
    [
      create("a"),
      create("b", { metadata: { labels: { x: "y" } } }),
      { method: "PATCH", path: `${configMaps}/a`, body: { metadata: { labels: { x: "y" } } } },
    ],
  ),
  denying("namespace selectors leave out other namespaces", {
    matchConstraints: {
      namespaceSelector: {
        matchExpressions: [
          { key: "kubernetes.io/metadata.name", operator: "NotIn", values: ["{ns}"] },
          { key: "kubernetes.io/metadata.name", operator: "In", values: ["none-{ns}"] },
        ],
      },
    },
  }),
  denying("scopes are heeded", {
    matchConstraints: { resourceRules: [rule(["CREATE"], "configmaps", { scope: "Cluster" })] },
  }),
  denying(
    "subresources are named on their own",
    {
      matchConstraints: {
        resourceRules: [
          { operations: ["*"], apiGroups: ["apps"], apiVersions: ["*"], resources: ["deployments/scale"] },
        ],
      },
      validations: [
        {
          expression: "object.spec.replicas < 3",
          messageExpression: "request.subResource + ' ' + request.kind.kind + ' ' + string(object.spec.replicas)",
        },
      ],
    },
    [
      { method: "POST", path: "/apis/apps/v1/namespaces/{ns}/deployments", body: deployment("v1") },
      { method: "PATCH", path: "/apis/apps/v1/namespaces/{ns}/deployments/d/scale", body: { spec: { replicas: 2 } } },
      { method: "PATCH", path: "/apis/apps/v1/namespaces/{ns}/deployments/d/scale", body: { spec: { replicas: 5 } } },
    ],
  ),
  denying(
    "a rule matches other versions of a resource, which are converted",
    {
      matchConstraints: { resourceRules: [hpaRule] },
      validations: said(
        "object.apiVersion + '|' + request.kind.version + '|' + request.resource.version + '|' + request.requestKind.version + '|' + request.requestResource.version",
      ),
    },
    [hpa("v1"), hpa("v2")],
  ),
  denying(
    "match conditions see the resource of the request",
    {
      matchConstraints: { resourceRules: [hpaRule] },
      matchConditions: [{ name: "a", expression: "request.resource.version == 'v2' && request.kind.version == 'v1'" }],
    },
    [hpa("v1"), hpa("v2")],
  ),
  denying(
    "Exact heeds only the versions that rules name",
    { matchConstraints: { matchPolicy: "Exact", resourceRules: [hpaRule] } },
    [hpa("v1"), hpa("v2")],
  ),
  denying(
    "match conditions that are true let the policy decide",
    {
      matchConditions: [
        { name: "a", expression: "object.metadata.name == 'a'" },
        { name: "b", expression: "request.userInfo.username == 'kubernetes-admin'" },
      ],
    },
    [create("a"), create("b")],
  ),
  denying("match conditions do not see the namespace", {
    matchConditions: [{ name: "a", expression: "namespaceObject == null" }],
  }),
  denying("match conditions may ask the authorizer", {
    matchConditions: [{ name: "a", expression: "authorizer.requestResource.check('create').allowed()" }],
  }),
  denying(
    "bindings narrow what the policy is about",
    { validations: said("'by ' + request.name") },
    [create("a"), create("b")],
    [
      { matchResources: { resourceRules: [rule(["CREATE"], "configmaps", { resourceNames: ["a"] })] } },
      { matchResources: { namespaceSelector: { matchLabels: { none: "of-these" } } } },
      { matchResources: { objectSelector: { matchLabels: { x: "y" } } } },
      { matchResources: { resourceRules: [rule(["DELETE"], "configmaps")] } },
    ],
  ),
  denying(
    "bindings without rules are about all that the policy is about",
    { validations: [{ expression: "false" }] },
    [create("a")],
    [{ matchResources: { objectSelector: {} } }],
  ),
  denying(
    "bindings may leave out some names",
    { validations: [{ expression: "false" }] },
    [create("a"), create("b")],
    [{ matchResources: { excludeResourceRules: [rule(["*"], "*", { resourceNames: ["a"] })] } }],
  ),
  denying(
    "policies and bindings themselves are exempt",
    {
      matchConstraints: {
        namespaceSelector: {},
        resourceRules: [
          {
            operations: ["*"],
            apiGroups: ["admissionregistration.k8s.io"],
            apiVersions: ["*"],
            resources: ["*"],
            resourceNames: ["x-{ns}"],
          },
        ],
      },
    },
    [
      {
        method: "POST",
        path: "/apis/admissionregistration.k8s.io/v1beta1/validatingadmissionpolicybindings?dryRun=All",
        body: {
          apiVersion: "admissionregistration.k8s.io/v1beta1",
          kind: "ValidatingAdmissionPolicyBinding",
          metadata: { name: "x-{ns}" },
          spec: { policyName: "x", validationActions: ["Deny"] },
        },
      },
      {
        method: "POST",
        path: "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations?dryRun=All",
        body: {
          apiVersion: "admissionregistration.k8s.io/v1",
          kind: "ValidatingWebhookConfiguration",
          metadata: { name: "x-{ns}" },
        },
      },
    ],
  ),
  denying(
    "a CONNECT has no options",
    {
      matchConstraints: { resourceRules: [rule(["CONNECT"], "pods/portforward")] },
      validations: said(
        "string(has(request.options)) + string(request.options == null) + string(has(request.userInfo.uid))",
      ),
    },
    [
      {
        method: "POST",
        path: "/api/v1/namespaces/{ns}/pods",
        body: { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } },
      },
      { method: "POST", path: "/api/v1/namespaces/{ns}/pods/p/portforward" },
    ],
  ),
  denying(
    "a CONNECT is decided about",
    {
      matchConstraints: { resourceRules: [rule(["CONNECT"], "pods/exec")] },
      validations: said(
        "request.operation + ' ' + request.kind.kind + ' ' + object.command[0] + ' ' + string(oldObject == null)",
      ),
    },
    [
      {
        method: "POST",
        path: "/api/v1/namespaces/{ns}/pods",
        body: {
          metadata: { name: "p" },
          spec: { automountServiceAccountToken: false, containers: [{ name: "c", image: "i" }] },
        },
      },
      { method: "POST", path: "/api/v1/namespaces/{ns}/pods/p/exec?command=ls" },
    ],
  ),
];
