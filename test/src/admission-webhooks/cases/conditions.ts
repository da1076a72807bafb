import {
  allow,
  type CaseRequest,
  type CaseWebhook,
  configMap,
  configMaps,
  create,
  type WebhookCase,
} from "../webhook-case.js";

/** The beginning of the names of cases about match conditions. */
export const conditionsPrefix = "condition: ";

/** Returns a webhook with conditions, which are called `c0`, `c1` and so on. */
function webhookWith(name: string, expressions: readonly string[], more: Record<string, unknown> = {}): CaseWebhook {
  const matchConditions = expressions.map((expression, index) => ({ name: `c${index}`, expression }));
  return {
    type: name.startsWith("m") ? "mutating" : "validating",
    name,
    hook: allow(),
    more: { matchConditions, ...more },
  };
}

const anyResource = {
  rules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"] }],
};

/**
 * Returns a case of which the calls tell what expressions are true: each is the condition of a webhook of its own, which is
 * left out if the expression is false or fails.
 */
function probes(
  name: string,
  expressions: readonly string[],
  requests: readonly CaseRequest[],
  more: Pick<WebhookCase, "before" | "after"> = {},
  webhook: Record<string, unknown> = {},
): WebhookCase {
  return {
    name: `${conditionsPrefix}${name}`,
    webhooks: expressions.map((expression, index) =>
      webhookWith(`v-${String(index).padStart(2, "0")}`, [expression], { failurePolicy: "Ignore", ...webhook }),
    ),
    requests,
    ...more,
  };
}

const aboutObjects = [
  "has(object.metadata)",
  "object == null",
  "oldObject == null",
  "object.kind == 'ConfigMap' && object.apiVersion == 'v1'",
  "oldObject.kind == 'ConfigMap' && oldObject.apiVersion == 'v1'",
  "has(object.metadata.managedFields)",
  "has(oldObject.metadata.managedFields)",
  "has(object.metadata.creationTimestamp)",
  "object.metadata.creationTimestamp == null",
  "has(object.metadata.uid) && size(object.metadata.uid) == 36",
  "has(object.metadata.resourceVersion)",
  "object.metadata.name == request.name",
  "object.metadata.namespace == request.namespace",
  "object.data.a == '1'",
  "object.data['a'] == '1'",
  "object.data.all(k, k.matches('^[a-z]+$'))",
  "has(object.binaryData)",
  "!has(object.missing)",
  "oldObject.data.a != object.data.a",
  "namespaceObject == null",
  "namespaceObject.metadata.name == 'x'",
];

const aboutRequests = [
  "request.operation == 'CREATE'",
  "request.operation in ['UPDATE', 'DELETE']",
  "request.kind.kind == 'ConfigMap' && request.kind.group == '' && request.kind.version == 'v1'",
  "request.requestKind == request.kind",
  "request.resource.resource == 'configmaps' && request.resource.version == 'v1'",
  "request.requestResource.resource == 'configmaps'",
  "has(request.subResource)",
  "has(request.requestSubResource)",
  "has(request.name)",
  "request.name.startsWith('a')",
  "request.namespace.size() > 0",
  "request.dryRun",
  "!request.dryRun",
  "has(request.options)",
  "request.options.kind == 'CreateOptions'",
  "request.options.apiVersion == 'meta.k8s.io/v1'",
  "has(request.options.dryRun) && request.options.dryRun == ['All']",
  "request.options.fieldManager == 'fm'",
  "request.userInfo.username == 'kubernetes-admin'",
  "'system:masters' in request.userInfo.groups",
  "has(request.userInfo.uid)",
  "has(request.userInfo.extra)",
  "dyn(request).uid == ''",
  "dyn(request).object == null",
  "type(dyn(request)) == map",
  "size(dyn(request)) > 10",
  "'name' in dyn(request)",
];

const aboutAuthorizers = [
  "authorizer.group('').resource('pods').namespace('x').check('get').allowed()",
  "authorizer.requestResource.check('custom').allowed()",
  "authorizer.path('/healthz').check('get').allowed()",
  "authorizer.serviceAccount('default', 'x').group('apps').resource('deployments').check('list').allowed()",
  "authorizer.group('').resource('pods').check('get').reason() == ''",
  "authorizer.group('').resource('pods').check('get').errored()",
  "authorizer.path('').check('get').allowed()",
];

const versioned = ["object.apiVersion == 'autoscaling/v2'", "has(object.spec.metrics)", "request.kind.version == 'v2'"];
const autoscaler = {
  apiVersion: "autoscaling/v1",
  kind: "HorizontalPodAutoscaler",
  metadata: { name: "h" },
  spec: { maxReplicas: 3, scaleTargetRef: { kind: "Deployment", name: "d" }, targetCPUUtilizationPercentage: 50 },
};
const autoscalers = "/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers";

const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p" },
  spec: {
    containers: [
      {
        name: "c",
        image: "i",
        ports: [{ containerPort: 80 }],
        resources: { limits: { cpu: "1500m", memory: "1Gi" } },
        livenessProbe: { httpGet: { port: 80 }, periodSeconds: 7 },
        readinessProbe: { httpGet: { port: "web" } },
      },
      { name: "d", image: "j" },
    ],
  },
};

const aboutPods = [
  "has(object.status)",
  "object.status == {}",
  "has(object.spec.containers[1].resources)",
  "object.spec.containers[1].resources == {}",
  "object.spec.containers[0].ports[0].containerPort == 80",
  "object.spec.containers[0].livenessProbe.httpGet.port == 80",
  "object.spec.containers[0].readinessProbe.httpGet.port == 'web'",
  "object.spec.containers[0].livenessProbe.periodSeconds > 6.5",
  "quantity(object.spec.containers[0].resources.limits.cpu).isGreaterThan(quantity('1'))",
  "object.spec.containers.exists(c, c.name == 'd')",
  "object.spec.containers.map(c, c.image) == ['i', 'j']",
  "object.spec.containers.filter(c, has(c.resources.limits)).size() == 1",
  "object.spec.terminationGracePeriodSeconds == 30",
  "has(object.spec.hostNetwork)",
  "has(object.spec.securityContext)",
  "object.spec.containers[2].name == ''",
];

const update = (name: string, more: Record<string, unknown>): CaseRequest => ({
  method: "PUT",
  path: `${configMaps}/${name}`,
  body: configMap(name, more),
});

const remove = (name: string, body?: unknown): CaseRequest => ({
  method: "DELETE",
  path: `${configMaps}/${name}`,
  ...(body === undefined ? {} : { body }),
});

const probing: readonly WebhookCase[] = [
  probes("objects of a create", aboutObjects, [create("a")]),
  probes("objects of an update", aboutObjects, [update("a", { data: { a: "2" } })], { before: [create("a")] }),
  probes("objects of a delete", aboutObjects, [remove("a")], { before: [create("a")] }),
  probes("request of a create", aboutRequests, [create("a")]),
  probes("request of a create with a generated name", aboutRequests, [
    {
      method: "POST",
      path: configMaps,
      body: configMap("", { metadata: { name: undefined, generateName: "generated-" } }),
    },
  ]),
  probes("request of a dry run", aboutRequests, [create("a", {}, "?dryRun=All&fieldManager=fm")]),
  probes(
    "request of a patch",
    aboutRequests,
    [
      ...[
        {
          method: "PATCH",
          path: `${configMaps}/a`,
          contentType: "application/merge-patch+json",
          body: { data: { b: "2" } },
        },
      ],
    ],
    { before: [create("a")] },
  ),
  probes(
    "request of a delete with options",
    aboutRequests,
    [remove("a", { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0 })],
    { before: [create("a")] },
  ),
  probes("authorizer", aboutAuthorizers, [create("a")]),
  probes(
    "objects in the version of the rule",
    versioned,
    [{ method: "POST", path: autoscalers, body: autoscaler }],
    {},
    { rules: [{ operations: ["*"], apiGroups: ["autoscaling"], apiVersions: ["v2"], resources: ["*"] }] },
  ),
  probes("a pod", aboutPods, [{ method: "POST", path: "/api/v1/namespaces/{ns}/pods", body: pod }], {}, anyResource),
];

const aboutSubresources = [
  "object.kind == 'Scale'",
  "oldObject.kind == 'Scale'",
  "object.kind == 'Eviction'",
  "object.kind == 'Binding'",
  "oldObject == null",
  "object.spec.replicas == 3",
  "oldObject.spec.replicas == 1",
  "request.kind.kind == 'Scale' && request.kind.group == 'autoscaling'",
  "request.requestKind.kind == 'Eviction' && request.requestKind.group == 'policy'",
  "request.resource.resource in ['deployments', 'pods']",
  "request.subResource == 'scale' && request.requestSubResource == 'scale'",
  "request.subResource == 'eviction'",
  "request.subResource == 'status'",
  "request.operation == 'UPDATE'",
  "request.operation == 'CREATE'",
  "request.options.kind == 'UpdateOptions' || request.options.kind == 'PatchOptions'",
  "request.options.kind == 'PatchOptions'",
  "object.status.phase == 'Running'",
  "authorizer.requestResource.check('get').allowed()",
];

const ofCase = { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "{ns}" } }, ...anyResource };
const deployments = "/apis/apps/v1/namespaces/{ns}/deployments";
const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "d" },
  spec: {
    replicas: 1,
    selector: { matchLabels: { a: "b" } },
    template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i:1" }] } },
  },
};
const pods = "/api/v1/namespaces/{ns}/pods";
const merge = (path: string, body: unknown): CaseRequest => ({
  method: "PATCH",
  path,
  contentType: "application/merge-patch+json",
  body,
});

const aboutNamespaces = [
  "object.metadata.name == request.namespace",
  "request.namespace == request.name",
  "has(request.namespace)",
  "namespaceObject == null",
  "object.spec.finalizers == ['kubernetes']",
  "has(object.spec.finalizers)",
  "object.status.phase == 'Active'",
  "has(object.status)",
  "object.metadata.labels['kubernetes.io/metadata.name'] == object.metadata.name",
];

const aboutSecrets = [
  "object.data.password == 'c2VjcmV0'",
  "has(object.stringData)",
  "object.type == 'Opaque'",
  "'password' in object.data && size(object.data) == 2",
];

const subresources: readonly WebhookCase[] = [
  probes(
    "the scale of a deployment",
    aboutSubresources,
    [merge(`${deployments}/d/scale`, { spec: { replicas: 3 } })],
    { before: [{ method: "POST", path: deployments, body: deployment }] },
    ofCase,
  ),
  probes(
    "the status of a pod",
    aboutSubresources,
    [merge(`${pods}/p/status`, { status: { phase: "Running" } })],
    { before: [{ method: "POST", path: pods, body: pod }] },
    ofCase,
  ),
  probes(
    "the eviction of a pod in a dry run",
    aboutSubresources,
    [
      {
        method: "POST",
        path: `${pods}/p/eviction?dryRun=All`,
        body: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" } },
      },
    ],
    { before: [{ method: "POST", path: pods, body: pod }] },
    ofCase,
  ),
  probes(
    "a namespace",
    aboutNamespaces,
    [
      {
        method: "POST",
        path: "/api/v1/namespaces?dryRun=All",
        body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "{ns}-b", labels: { probed: "{ns}" } } },
      },
    ],
    {},
    { ...anyResource, namespaceSelector: {}, objectSelector: { matchLabels: { probed: "{ns}" } } },
  ),
  probes(
    "a secret",
    aboutSecrets,
    [
      {
        method: "POST",
        path: "/api/v1/namespaces/{ns}/secrets",
        body: {
          apiVersion: "v1",
          kind: "Secret",
          metadata: { name: "s" },
          data: { user: "YQ==" },
          stringData: { password: "secret" },
        },
      },
    ],
    {},
    ofCase,
  ),
  probes(
    "the delete of a collection",
    aboutObjects,
    [{ method: "DELETE", path: `${configMaps}?fieldSelector=metadata.name=a` }],
    {
      before: [create("a"), create("b")],
    },
  ),
];

interface Outcome {
  readonly name: string;
  readonly conditions: readonly string[];
}

const fails = "object.missing == 'x'";
const expensive =
  "[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, [1,2,3,4,5,6,7,8,9,10].all(f, true))))))";
// About 900,000: dear enough that three of them pass the budget of a webhook, and cheap enough for one evaluation.
const dear =
  "[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, e > 0 && e < 11 && e != 12)))))";

const outcomes: readonly Outcome[] = [
  { name: "one is true", conditions: ["true"] },
  { name: "one is false", conditions: ["true", "false", "true"] },
  { name: "one fails", conditions: [fails] },
  { name: "one fails beside others that are true", conditions: ["true", fails, "true"] },
  { name: "one fails before one that is false", conditions: [fails, "false"] },
  { name: "two fail in the same way", conditions: [fails, fails] },
  { name: "two fail in different ways", conditions: [fails, "1 / (size(object.data) - size(object.data)) == 1"] },
  { name: "one divides by zero", conditions: ["1 / (size(object.data) - 1) == 1"] },
  { name: "one has a wrong type at run time", conditions: ["object.data > 1"] },
  { name: "an expression with spaces fails", conditions: [`  ${fails}  `] },
  { name: "one costs too much", conditions: [expensive] },
  { name: "three together cost too much", conditions: [dear, dear, dear, "true"] },
  { name: "three that are true and cost too much hide one that is false", conditions: ["false", dear, dear, dear] },
];

const deciding: readonly WebhookCase[] = outcomes.flatMap(({ name, conditions }) =>
  (["v", "m"] as const).flatMap((type) =>
    ["Fail", "Ignore"].map((failurePolicy) => ({
      name: `${conditionsPrefix}${name}, ${type === "v" ? "validating" : "mutating"}, ${failurePolicy}`,
      webhooks: [webhookWith(type, conditions, { failurePolicy })],
      requests: [create("a")],
    })),
  ),
);

const mixed: readonly WebhookCase[] = [
  {
    name: `${conditionsPrefix}a failure stops the write before any webhook is called`,
    webhooks: [webhookWith("v-1", ["true"]), webhookWith("v-2", [fails]), webhookWith("v-3", ["true"])],
    requests: [create("a")],
  },
  {
    name: `${conditionsPrefix}a mutating webhook before the failure is called`,
    webhooks: [webhookWith("m-1", ["true"]), webhookWith("m-2", [fails]), webhookWith("m-3", ["true"])],
    requests: [create("a")],
  },
  {
    name: `${conditionsPrefix}a webhook that does not support dry runs is excluded from one`,
    webhooks: [webhookWith("v", ["!request.dryRun"], { sideEffects: "NoneOnDryRun" })],
    requests: [create("a", {}, "?dryRun=All")],
  },
  {
    name: `${conditionsPrefix}a name is generated, and a condition fails`,
    webhooks: [webhookWith("v", [fails])],
    requests: [
      {
        method: "POST",
        path: configMaps,
        body: configMap("", { metadata: { name: undefined, generateName: "generated-" } }),
      },
    ],
  },
];

const configurations = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

interface NamedCondition {
  readonly name?: string;
  readonly expression?: string;
}

function configurationWith(matchConditions: readonly NamedCondition[], more: Record<string, unknown> = {}) {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "{ns}", ...more },
    webhooks: [
      {
        name: "v.example.com",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        clientConfig: { url: "https://127.0.0.1:1/" },
        namespaceSelector: { matchLabels: { nothing: "at-all" } },
        matchConditions,
      },
    ],
  };
}

/** Returns a case of configurations that are refused. */
function validates(name: string, ...configurationsOfCase: readonly (readonly NamedCondition[])[]): WebhookCase {
  return {
    name: `${conditionsPrefix}validation: ${name}`,
    webhooks: [],
    requests: configurationsOfCase.map((conditions) => ({
      method: "POST",
      path: configurations,
      body: configurationWith(conditions),
    })),
    after: [{ method: "DELETE", path: `${configurations}/{ns}` }],
  };
}

const one = (expression: string): readonly NamedCondition[] => [{ name: "c", expression }];

const validating: readonly WebhookCase[] = [
  validates(
    "expressions that do not compile",
    ...[
      "object.",
      "objekt.metadata.name == 'x'",
      "request.nme == 'x'",
      "1 + 'a' == 2",
      "params.x == 1",
      "variables.x == 1",
      "  true ||\n  missing",
      "object.metadata.name.foo()",
      "authorizer.check('get')",
      "namespaceObject.metadata.uid == 'x'",
      "request.object == null",
      "'a' in request.userInfo.groups && undefined1 && undefined2",
    ].map(one),
  ),
  validates("expressions of other types", ...["1", "'a'", "object", "object.metadata.name", "[true]", "null"].map(one)),
  validates("expressions that are missing", one(""), one("  "), [{ name: "c" }]),
  validates(
    "names",
    [{ expression: "true" }],
    [{ name: "", expression: "true" }],
    [{ name: "a b", expression: "true" }],
    [{ name: "-a", expression: "false" }],
    [
      { name: "a", expression: "true" },
      { name: "a", expression: "false" },
    ],
    [{ name: "x/y/z", expression: "true" }],
  ),
  validates(
    "more than 64",
    Array.from({ length: 65 }, (_, index) => ({ name: `c${index}`, expression: "true" })),
  ),
  {
    name: `${conditionsPrefix}validation: updates`,
    webhooks: [],
    requests: [
      { method: "POST", path: configurations, body: configurationWith(one("true")) },
      {
        method: "PATCH",
        path: `${configurations}/{ns}`,
        contentType: "application/json-patch+json",
        body: [{ op: "replace", path: "/webhooks/0/matchConditions/0/expression", value: "tru" }],
      },
      {
        method: "PATCH",
        path: `${configurations}/{ns}`,
        contentType: "application/json-patch+json",
        body: [{ op: "add", path: "/webhooks/0/matchConditions/-", value: { name: "d", expression: "1 == 1" } }],
      },
    ],
    after: [{ method: "DELETE", path: `${configurations}/{ns}` }],
  },
];

/** Cases about match conditions. */
export const conditionCases: readonly WebhookCase[] = [
  ...probing,
  ...subresources,
  ...deciding,
  ...mixed,
  ...validating,
];
