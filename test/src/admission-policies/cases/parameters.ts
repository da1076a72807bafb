import { create, denying, type PolicyCase, rule } from "../policy-case.js";

const paramKind = { apiVersion: "v1", kind: "ConfigMap" };
const limit = (name: string, max: string, labels: Record<string, string> = {}) =>
  create(name, { metadata: { labels: { ...labels, param: "yes" } }, data: { max } });
const validations = [
  {
    expression: "!has(object.data) || int(object.data.n) <= int(params.data.max)",
    messageExpression:
      "'at most ' + params.data.max + ' of ' + params.metadata.name + ' ' + params.kind + ' ' + params.apiVersion",
  },
];
const ref = (paramRef: Record<string, unknown>) => ({ paramRef: { parameterNotFoundAction: "Deny", ...paramRef } });
const asked = [create("x", { data: { n: "3" } }), create("y", { data: { n: "30" } })];

const withParams = (
  name: string,
  bindings: readonly Record<string, unknown>[],
  spec: Record<string, unknown> = {},
  // Where several objects deny, v1.29 tells of any of them.
  requests = asked,
): PolicyCase => ({
  name,
  before: [limit("max", "10"), limit("min", "2", { small: "yes" })],
  policies: [{ spec: { paramKind, validations, ...spec }, bindings }],
  requests,
});

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "limits.{ns}.example.com" },
  spec: {
    group: "{ns}.example.com",
    scope: "Cluster",
    names: { plural: "limits", kind: "Limit" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", properties: { max: { type: "integer" } } } },
      },
    ],
  },
};

/** Parameters. */
export const parameters: readonly PolicyCase[] = [
  withParams("parameters by name", [ref({ name: "max" })]),
  withParams("parameters by name in a namespace of the reference", [ref({ name: "max", namespace: "{ns}" })]),
  withParams("parameters in another namespace", [ref({ name: "max", namespace: "default" })]),
  withParams(
    "parameters by labels: each is asked",
    [ref({ selector: { matchLabels: { param: "yes" } } })],
    {},
    asked.slice(0, 1),
  ),
  withParams("parameters by all labels", [ref({ selector: {} })], {
    validations: [
      {
        expression: "params.metadata.name in ['max', 'min', 'x', 'kube-root-ca.crt']",
        messageExpression: "string(params.metadata.name)",
      },
    ],
  }),
  withParams("parameters that do not exist, Deny", [ref({ name: "none" })]),
  withParams("parameters that do not exist, Allow", [ref({ name: "none", parameterNotFoundAction: "Allow" })]),
  withParams("parameters that no label selects, Deny and Ignore", [ref({ selector: { matchLabels: { a: "none" } } })], {
    failurePolicy: "Ignore",
  }),
  withParams("parameters that no label selects, Allow", [
    ref({ selector: { matchLabels: { a: "none" } }, parameterNotFoundAction: "Allow" }),
  ]),
  withParams("a binding without a reference has no parameters", [{}], {
    validations: [{ expression: "params != null", message: "no parameters" }],
  }),
  withParams(
    "two bindings with parameters of their own",
    [ref({ name: "max" }), ref({ name: "min" })],
    {},
    asked.slice(0, 1),
  ),
  withParams("match conditions see parameters", [ref({ name: "min" })], {
    matchConditions: [{ name: "a", expression: "params.data.max == '10'" }],
  }),
  withParams("variables see parameters", [ref({ name: "max" })], {
    variables: [{ name: "max", expression: "int(params.data.max)" }],
    validations: [
      { expression: "int(object.data.n) <= variables.max", messageExpression: "'max ' + string(variables.max)" },
    ],
  }),
  withParams(
    "audit annotations of several parameters are joined",
    [ref({ selector: { matchLabels: { param: "yes" } } })],
    { validations: [], auditAnnotations: [{ key: "of", valueExpression: "string(params.kind)" }] },
  ),
  withParams("a kind that is not served", [ref({ name: "max" })], {
    paramKind: { apiVersion: "example.com/v1", kind: "Nothing" },
  }),
  withParams("a kind that is not served, without bindings", [], { paramKind: { apiVersion: "v1", kind: "Nothing" } }),
  withParams("a kind that is not served, Ignore", [ref({ name: "max" })], {
    failurePolicy: "Ignore",
    paramKind: { apiVersion: "example.com/v1", kind: "Nothing" },
  }),
  withParams("a namespace for parameters that have none", [ref({ name: "max", namespace: "{ns}" })], {
    paramKind: { apiVersion: "v1", kind: "Namespace" },
  }),
  withParams("parameters without namespaces", [ref({ name: "{ns}" })], {
    paramKind: { apiVersion: "v1", kind: "Namespace" },
    validations: [
      {
        expression: "false",
        messageExpression: "params.kind + ' ' + params.metadata.name + ' ' + params.status.phase",
      },
    ],
  }),
  {
    name: "parameters with namespaces for a request that has none",
    policies: [
      {
        spec: {
          paramKind,
          validations,
          matchConstraints: {
            namespaceSelector: {},
            resourceRules: [rule(["CREATE"], "persistentvolumes", { resourceNames: ["pv-{ns}"] })],
          },
        },
        bindings: [ref({ name: "max" })],
      },
    ],
    requests: [
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
  },
  {
    name: "parameters of a custom kind",
    before: [
      { method: "POST", path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", body: definition },
      { method: "WAIT", path: "/apis/{ns}.example.com/v1/limits" },
      {
        method: "POST",
        path: "/apis/{ns}.example.com/v1/limits",
        body: { apiVersion: "{ns}.example.com/v1", kind: "Limit", metadata: { name: "l" }, max: 5 },
      },
    ],
    policies: [
      {
        spec: {
          paramKind: { apiVersion: "{ns}.example.com/v1", kind: "Limit" },
          validations: [
            { expression: "int(object.data.n) <= params.max", messageExpression: "'at most ' + string(params.max)" },
          ],
        },
        bindings: [ref({ name: "l" })],
      },
    ],
    requests: asked,
    after: [
      { method: "DELETE", path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/limits.{ns}.example.com" },
    ],
  },
  denying(
    "a policy without a kind ignores the reference",
    { validations: [{ expression: "false" }] },
    [create("a")],
    [ref({ name: "max" })],
  ),
];
