import { create, denying, type PolicyCase, patch, rule } from "../policy-case.js";

const data = { data: { a: "1" } };

/** Decisions: messages, reasons, actions, audit annotations. */
export const deciding: readonly PolicyCase[] = [
  denying("an expression that is false denies, with its own text", {
    validations: [{ expression: "object.data.a == '2'" }],
  }),
  denying("an expression that is true admits", { validations: [{ expression: "object.data.a == '1'" }] }),
  denying("the text of the expression is trimmed", { validations: [{ expression: "  object.data.a ==\n '2'  " }] }),
  denying("a message takes the place of the expression", {
    validations: [{ expression: "false", message: "  no way  " }],
  }),
  ...["Forbidden", "Invalid", "RequestEntityTooLarge"].map((reason) =>
    denying(`the reason ${reason} decides the code`, { validations: [{ expression: "false", reason }] }),
  ),
  denying("the first validation that fails is told", {
    validations: [
      { expression: "true", message: "a" },
      { expression: "false", message: "b", reason: "Forbidden" },
      { expression: "false", message: "c" },
    ],
  }),
  denying("a message expression goes before the message", {
    validations: [{ expression: "false", message: "static", messageExpression: "'  made of ' + object.data.a + '  '" }],
  }),
  ...Object.entries({
    "with a line break": "'a\\nb'",
    "that is empty": "' '",
    "that fails": "string(object.nothing)",
    "that is too long": `'${"x".repeat(100)}'.replace('x', '${"y".repeat(60)}')`,
  }).flatMap(([what, messageExpression]) => [
    denying(`a message ${what} gives way to the message`, {
      validations: [{ expression: "false", message: "static", messageExpression }],
    }),
    denying(`a message ${what} gives way to the expression`, {
      validations: [{ expression: "1 == 2", messageExpression }],
    }),
  ]),
  denying("messages of validations that pass are not told", {
    validations: [
      { expression: "true", messageExpression: "'x'" },
      { expression: "false", messageExpression: "'y'" },
    ],
  }),
  denying(
    "warnings are sent for every validation that fails",
    {
      validations: [
        { expression: "false", message: "one" },
        { expression: "true", message: "two" },
        { expression: "false", message: "three" },
      ],
    },
    [create("a", data)],
    [{ validationActions: ["Warn"] }],
  ),
  denying(
    "a failure is noted in the audit event",
    {
      validations: [
        { expression: "true" },
        { expression: "false", message: 'noted "here" <&>' },
        { expression: "false", message: "second" },
      ],
    },
    [create("a", data)],
    [{ validationActions: ["Audit"] }],
  ),
  denying(
    "a failure is noted and warned of",
    { validations: [{ expression: "false" }] },
    [create("a", data)],
    [{ validationActions: ["Warn", "Audit"] }],
  ),
  denying(
    "a failure is noted and denied",
    { validations: [{ expression: "false" }] },
    [create("a", data)],
    [{ validationActions: ["Audit", "Deny"] }],
  ),
  denying(
    "a binding warns, another denies",
    { validations: [{ expression: "false" }] },
    [create("a", data)],
    [{ validationActions: ["Warn"] }, { validationActions: ["Deny"] }],
  ),
  denying("audit annotations have the values of their expressions", {
    validations: [],
    auditAnnotations: [
      { key: "text", valueExpression: "'name: ' + object.metadata.name" },
      { key: "empty", valueExpression: "''" },
      { key: "blank", valueExpression: "'  '" },
      { key: "null", valueExpression: "null" },
      { key: "padded", valueExpression: " '  a ' " },
      { key: "example.com", valueExpression: "string(object.data.size())" },
    ],
  }),
  denying("audit annotations are made of denied requests, too", {
    validations: [{ expression: "false" }],
    auditAnnotations: [{ key: "text", valueExpression: "'a'" }],
  }),
  denying("a long audit annotation is cut off", {
    validations: [],
    auditAnnotations: [{ key: "long", valueExpression: `'${"x".repeat(400)}'.replace('x', '${"y".repeat(40)}')` }],
  }),
  denying(
    "equal audit annotations of bindings are one, others are joined",
    {
      validations: [],
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      auditAnnotations: [
        { key: "same", valueExpression: "'a'" },
        { key: "other", valueExpression: "params == null ? 'none' : 'some'" },
      ],
    },
    [create("a", data)],
    [{}, {}],
  ),
  denying("audit annotations may not use the authorizer when they are evaluated", {
    validations: [],
    auditAnnotations: [{ key: "a", valueExpression: "string(authorizer.path('/x').check('get').allowed())" }],
  }),
  denying("a dry run is decided about, too", { validations: [{ expression: "request.dryRun == false" }] }, [
    create("a", data, "?dryRun=All"),
    create("b", data),
  ]),
  denying(
    "updates and deletions see the old object",
    {
      matchConstraints: { resourceRules: [rule(["UPDATE", "DELETE"], "configmaps")] },
      validations: [
        {
          expression: "oldObject.data.a != 'keep' || (object != null && object.data.a == 'keep')",
          messageExpression: "request.operation + ' of ' + oldObject.metadata.name",
        },
      ],
    },
    [
      create("a", { data: { a: "keep" } }),
      patch("a", { a: "keep", b: "2" }),
      patch("a", { a: "other" }),
      { method: "DELETE", path: "/api/v1/namespaces/{ns}/configmaps/a" },
      create("b", { data: { a: "x" } }),
      { method: "DELETE", path: "/api/v1/namespaces/{ns}/configmaps/b" },
      { method: "DELETE", path: "/api/v1/namespaces/{ns}/configmaps" },
    ],
  ),
  denying(
    "a generated name is known",
    {
      validations: [
        {
          expression: "object.metadata.name == 'x'",
          messageExpression: "string(request.name.startsWith('gen-')) + string(has(object.metadata.generateName))",
        },
      ],
    },
    [create("", { metadata: { name: "", generateName: "gen-" } })],
  ),
  denying("the request is described", {
    validations: [
      {
        expression: "false",
        messageExpression:
          "[request.kind.group, request.kind.version, request.kind.kind, request.resource.resource, request.requestKind.kind, request.requestResource.version, request.name, request.namespace, request.operation, request.userInfo.username, request.userInfo.groups.join(','), string(has(request.subResource)), string(has(request.userInfo.extra)), string(request.dryRun), string(request.options.kind)].join('|')",
      },
    ],
  }),
  denying("the namespace is there", {
    validations: [
      {
        expression: "false",
        messageExpression:
          "namespaceObject.metadata.name + '|' + namespaceObject.metadata.labels['kubernetes.io/metadata.name'] + '|' + namespaceObject.status.phase + '|' + namespaceObject.spec.finalizers[0]",
      },
    ],
  }),
  denying(
    "an object without a namespace has none",
    {
      matchConstraints: {
        namespaceSelector: {},
        resourceRules: [rule(["CREATE"], "persistentvolumes", { resourceNames: ["pv-{ns}"] })],
      },
      validations: [
        {
          expression: "namespaceObject != null",
          messageExpression: "'none: ' + string(namespaceObject == null) + string(has(request.namespace))",
        },
      ],
    },
    [
      {
        method: "POST",
        path: "/api/v1/persistentvolumes?dryRun=All",
        body: {
          apiVersion: "v1",
          kind: "PersistentVolume",
          metadata: { name: "pv-{ns}" },
          spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } },
        },
      },
    ],
  ),
  denying(
    "a namespace has no namespace object",
    {
      matchConstraints: {
        namespaceSelector: {},
        resourceRules: [rule(["CREATE"], "namespaces", { resourceNames: ["new-{ns}"] })],
      },
      validations: [
        {
          expression: "namespaceObject != null",
          messageExpression: "request.namespace + string(namespaceObject == null)",
        },
      ],
    },
    [
      {
        method: "POST",
        path: "/api/v1/namespaces?dryRun=All",
        body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "new-{ns}" } },
      },
    ],
  ),
  {
    name: "the authorizer answers for the user of the request",
    before: [
      {
        method: "POST",
        path: "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles",
        body: { metadata: { name: "r" }, rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["create"] }] },
      },
      {
        method: "POST",
        path: "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings",
        body: {
          metadata: { name: "r" },
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" },
          subjects: [{ kind: "User", name: "jane", apiGroup: "rbac.authorization.k8s.io" }],
        },
      },
    ],
    policies: [
      {
        spec: {
          variables: [
            {
              name: "mayDelete",
              expression: "authorizer.group('').resource('configmaps').namespace('{ns}').check('delete').allowed()",
            },
          ],
          validations: [
            { expression: "authorizer.requestResource.check('create').allowed()" },
            {
              expression: "variables.mayDelete && authorizer.path('/metrics').check('get').allowed()",
              message: "not you",
            },
            {
              expression:
                "authorizer.serviceAccount('{ns}', 'default').group('').resource('pods').check('get').allowed()",
              message: "not the account",
            },
          ],
        },
      },
    ],
    requests: [{ ...create("a"), as: "jane" }, create("b")],
  },
  {
    name: "all policies have their say, the first denial is told",
    policies: [
      {
        name: "a",
        spec: { validations: [{ expression: "false", message: "a" }] },
        bindings: [{ validationActions: ["Warn"] }],
      },
      { name: "b", spec: { validations: [{ expression: "false", message: "b", reason: "Forbidden" }] } },
      {
        name: "c",
        spec: { validations: [{ expression: "true" }], auditAnnotations: [{ key: "k", valueExpression: "'c'" }] },
      },
    ],
    requests: [create("a")],
  },
  denying("a policy without bindings does nothing", { validations: [{ expression: "false" }] }, [create("a")], []),
];
