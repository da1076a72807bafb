import {
  allow,
  type CaseRequest,
  type CaseWebhook,
  configMaps,
  create,
  deny,
  patch,
  type WebhookCase,
} from "../webhook-case.js";

const rule = (more: Record<string, unknown>) => [
  { operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], ...more },
];

const matching = (
  name: string,
  more: Record<string, unknown>,
  requests: CaseRequest[] = [create("a")],
): WebhookCase => ({
  name,
  webhooks: [{ type: "validating", name: "v", hook: deny({ message: "called" }), more }],
  requests,
});

const hpas = "/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers";
const hpa = (name: string) => ({
  apiVersion: "autoscaling/v2",
  kind: "HorizontalPodAutoscaler",
  metadata: { name },
  spec: {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
    maxReplicas: 3,
    metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } }],
  },
});

const equivalent = (name: string, type: CaseWebhook["type"], more: Record<string, unknown>): WebhookCase => ({
  name,
  webhooks: [
    {
      type,
      name: type[0] as string,
      hook: allow(),
      more: {
        rules: [
          {
            operations: ["*"],
            apiGroups: ["autoscaling"],
            apiVersions: ["v1"],
            resources: ["horizontalpodautoscalers"],
          },
        ],
        ...more,
      },
    },
  ],
  requests: [
    { method: "POST", path: hpas, body: hpa("h") },
    {
      method: "PATCH",
      path: `${hpas}/h`,
      contentType: "application/merge-patch+json",
      body: { spec: { maxReplicas: 5 } },
    },
    { method: "DELETE", path: `${hpas}/h` },
  ],
});

/** Cases about the writes that a webhook is called for, and the form of the objects. */
export const matchingCases: readonly WebhookCase[] = [
  matching("rule of everything", { rules: rule({}) }),
  matching("rule of another group", { rules: rule({ apiGroups: ["apps"] }) }),
  matching("rule of another version", { rules: rule({ apiVersions: ["v2"] }) }),
  matching("rule of another resource", { rules: rule({ resources: ["secrets"] }) }),
  matching("rule of subresources", { rules: rule({ resources: ["configmaps/*"] }) }),
  matching("rule of all subresources", { rules: rule({ resources: ["*/*"] }) }),
  matching("rule of the status of everything", { rules: rule({ resources: ["*/status"] }) }),
  matching("rule of updates", { rules: rule({ operations: ["UPDATE"] }) }),
  matching("rule of deletions and creations", { rules: rule({ operations: ["DELETE", "CREATE"] }) }),
  matching("rule of the cluster", { rules: rule({ scope: "Cluster" }) }),
  matching("rule of namespaces' content", { rules: rule({ scope: "Namespaced" }) }),
  matching("no rules", { rules: [] }),
  matching("object selector that matches", { objectSelector: { matchLabels: { app: "x" } } }, [
    create("a", { metadata: { labels: { app: "x" } } }),
  ]),
  matching("object selector that does not match", { objectSelector: { matchLabels: { app: "x" } } }),
  matching(
    "object selector that excludes",
    { objectSelector: { matchExpressions: [{ key: "skip", operator: "DoesNotExist" }] } },
    [create("a", { metadata: { labels: { skip: "" } } }), create("b")],
  ),
  matching("namespace selector that does not match", { namespaceSelector: { matchLabels: { no: "no" } } }),
  matching("namespace selector by another label", { namespaceSelector: { matchLabels: { case: "{ns}" } } }),
  {
    name: "object selector looks at old and new",
    before: [create("a", { metadata: { labels: { app: "x" } } })],
    webhooks: [
      { type: "validating", name: "v", hook: allow(), more: { objectSelector: { matchLabels: { app: "x" } } } },
    ],
    requests: [
      {
        method: "PATCH",
        path: `${configMaps}/a`,
        contentType: "application/merge-patch+json",
        body: { metadata: { labels: { app: "y" } } },
      },
      {
        method: "PATCH",
        path: `${configMaps}/a`,
        contentType: "application/merge-patch+json",
        body: { metadata: { labels: { app: "z" } } },
      },
      {
        method: "PATCH",
        path: `${configMaps}/a`,
        contentType: "application/merge-patch+json",
        body: { metadata: { labels: { app: "x" } } },
      },
      { method: "DELETE", path: `${configMaps}/a` },
    ],
  },
  {
    name: "namespaces are selected by the labels that they are to have",
    webhooks: [
      {
        type: "validating",
        name: "v",
        hook: allow(),
        more: {
          namespaceSelector: { matchLabels: { team: "{ns}" } },
          rules: rule({ resources: ["namespaces", "namespaces/*"] }),
        },
      },
    ],
    requests: [
      {
        method: "POST",
        path: "/api/v1/namespaces",
        body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "{ns}-2", labels: { team: "{ns}" } } },
      },
      {
        method: "POST",
        path: "/api/v1/namespaces",
        body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "{ns}-3", labels: { team: "no" } } },
      },
      {
        method: "PATCH",
        path: "/api/v1/namespaces/{ns}-2",
        contentType: "application/merge-patch+json",
        body: { metadata: { labels: { more: "1" } } },
      },
      {
        method: "PATCH",
        path: "/api/v1/namespaces/{ns}-3/status",
        contentType: "application/merge-patch+json",
        body: { metadata: { labels: { team: "{ns}" } } },
      },
      {
        method: "PATCH",
        path: "/api/v1/namespaces/{ns}-2",
        contentType: "application/merge-patch+json",
        body: { metadata: { labels: { team: "other" } } },
      },
      {
        method: "PATCH",
        path: "/api/v1/namespaces/{ns}-3",
        contentType: "application/merge-patch+json",
        body: { metadata: { labels: { team: "{ns}" } } },
      },
    ],
  },
  {
    name: "what is in no namespace is never left out by one",
    webhooks: [
      {
        type: "validating",
        name: "v",
        hook: deny({ message: "called" }),
        more: {
          namespaceSelector: { matchLabels: { no: "no" } },
          objectSelector: { matchLabels: { case: "{ns}" } },
          rules: rule({ resources: ["persistentvolumes"] }),
        },
      },
    ],
    requests: [
      {
        method: "POST",
        path: "/api/v1/persistentvolumes",
        body: {
          apiVersion: "v1",
          kind: "PersistentVolume",
          metadata: { name: "{ns}", labels: { case: "{ns}" } },
          spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } },
        },
      },
    ],
  },
  {
    name: "never for configurations of webhooks",
    webhooks: [
      {
        type: "validating",
        name: "v",
        hook: deny({ message: "called" }),
        more: { rules: rule({ resources: ["*/*"] }) },
      },
    ],
    requests: [
      {
        method: "POST",
        path: "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
        body: {
          apiVersion: "admissionregistration.k8s.io/v1",
          kind: "ValidatingWebhookConfiguration",
          metadata: { name: "other" },
        },
      },
      { method: "DELETE", path: "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/other" },
    ],
  },
  equivalent("equivalent version, validating", "validating", {}),
  equivalent("equivalent version, mutating", "mutating", {}),
  equivalent("equivalent version, exact", "validating", { matchPolicy: "Exact" }),
  {
    name: "two forms of one object",
    webhooks: [
      {
        type: "validating",
        name: "va",
        hook: allow(),
        more: {
          rules: [
            {
              operations: ["*"],
              apiGroups: ["autoscaling"],
              apiVersions: ["v1"],
              resources: ["horizontalpodautoscalers"],
            },
          ],
        },
      },
      {
        type: "validating",
        name: "vb",
        hook: allow(),
        more: {
          rules: [
            {
              operations: ["*"],
              apiGroups: ["autoscaling"],
              apiVersions: ["v2"],
              resources: ["horizontalpodautoscalers"],
            },
          ],
        },
      },
      {
        type: "validating",
        name: "vc",
        hook: allow(),
        more: {
          rules: [
            {
              operations: ["*"],
              apiGroups: ["autoscaling"],
              apiVersions: ["*"],
              resources: ["horizontalpodautoscalers"],
            },
          ],
        },
      },
    ],
    requests: [{ method: "POST", path: hpas, body: hpa("h") }],
  },
  ...["None"].flatMap((strategy) =>
    (["mutating", "validating"] as const).map(
      (type): WebhookCase => ({
        name: `equivalent version of a custom resource (${type}, conversion ${strategy})`,
        before: [
          {
            method: "POST",
            path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
            body: {
              apiVersion: "apiextensions.k8s.io/v1",
              kind: "CustomResourceDefinition",
              metadata: { name: `${type}s.example.com` },
              spec: {
                group: "example.com",
                scope: "Namespaced",
                names: { plural: `${type}s`, singular: type, kind: `Kind${type}` },
                versions: ["v1", "v2"].map((name) => ({
                  name,
                  served: true,
                  storage: name === "v1",
                  subresources: {
                    status: {},
                    scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
                  },
                  schema: {
                    openAPIV3Schema: {
                      type: "object",
                      properties: {
                        spec: {
                          type: "object",
                          properties: { replicas: { type: "integer" }, size: { type: "string", default: "s" } },
                        },
                        status: { type: "object", properties: { replicas: { type: "integer" } } },
                      },
                    },
                  },
                })),
              },
            },
          },
          { method: "WAIT", path: `/apis/example.com/v2/namespaces/{ns}/${type}s` },
        ],
        webhooks: [
          {
            type,
            name: type[0] as string,
            hook:
              type === "mutating" ? patch([{ op: "add", path: "/metadata/labels", value: { seen: "1" } }]) : allow(),
            more: {
              rules: [
                {
                  operations: ["*"],
                  apiGroups: ["example.com"],
                  apiVersions: ["v1"],
                  resources: [`${type}s`, `${type}s/status`],
                },
              ],
            },
          },
        ],
        requests: [
          {
            method: "POST",
            path: `/apis/example.com/v2/namespaces/{ns}/${type}s`,
            body: { apiVersion: "example.com/v2", kind: `Kind${type}`, metadata: { name: "c" }, spec: { replicas: 1 } },
          },
          {
            method: "PATCH",
            path: `/apis/example.com/v2/namespaces/{ns}/${type}s/c`,
            contentType: "application/merge-patch+json",
            body: { spec: { replicas: 2 } },
          },
          {
            method: "PATCH",
            path: `/apis/example.com/v2/namespaces/{ns}/${type}s/c/status`,
            contentType: "application/merge-patch+json",
            body: { status: { replicas: 2 } },
          },
          {
            method: "PATCH",
            path: `/apis/example.com/v2/namespaces/{ns}/${type}s/c/scale`,
            contentType: "application/merge-patch+json",
            body: { spec: { replicas: 3 } },
          },
          { method: "DELETE", path: `/apis/example.com/v2/namespaces/{ns}/${type}s/c` },
        ],
        after: [
          { method: "DELETE", path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${type}s.example.com` },
        ],
      }),
    ),
  ),
  {
    name: "events of two groups are one",
    webhooks: [
      {
        type: "validating",
        name: "v",
        hook: allow(),
        more: {
          rules: [{ operations: ["*"], apiGroups: ["events.k8s.io"], apiVersions: ["v1"], resources: ["events"] }],
        },
      },
    ],
    requests: [
      {
        method: "POST",
        path: "/api/v1/namespaces/{ns}/events",
        body: {
          apiVersion: "v1",
          kind: "Event",
          metadata: { name: "e" },
          involvedObject: { namespace: "{ns}", name: "x" },
          reason: "r",
          message: "m",
          type: "Normal",
        },
      },
    ],
  },
  ...["/v/", "//v", "/x/../v", "/v%2Fa%20b", "/v/é", "/v:a@b,c$d!e'(f)*;g=h", "/v%3Fb", "/%76"].map(
    (path): WebhookCase => ({
      name: `path of a URL: ${path}`,
      webhooks: [{ type: "validating", name: "v", more: { clientConfig: { url: `{GOOD}${path}`, caBundle: "{CA}" } } }],
      requests: [create("a")],
    }),
  ),
];
