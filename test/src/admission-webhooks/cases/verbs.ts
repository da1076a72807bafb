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

const everything = { rules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"] }] };
/** The collector of pods writes to a marked one at its own time. */
const deletions = {
  rules: [{ operations: ["DELETE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }],
};
const both: readonly CaseWebhook[] = [
  { type: "mutating", name: "m", hook: allow(), more: everything },
  { type: "validating", name: "v", hook: allow(), more: everything },
];
const validating: readonly CaseWebhook[] = [{ type: "validating", name: "v", hook: allow(), more: everything }];

const merge = (path: string, body: unknown): CaseRequest => ({
  method: "PATCH",
  path,
  contentType: "application/merge-patch+json",
  body,
});
const post = (path: string, body: unknown): CaseRequest => ({ method: "POST", path, body });

const pods = "/api/v1/namespaces/{ns}/pods";
const pod = (name: string) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  spec: {
    containers: [{ name: "c", image: "i:1" }],
    terminationGracePeriodSeconds: 0,
    automountServiceAccountToken: false,
  },
});
const deployments = "/apis/apps/v1/namespaces/{ns}/deployments";
const deployment = (name: string) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name },
  spec: {
    replicas: 1,
    selector: { matchLabels: { a: "b" } },
    template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i:1" }] } },
  },
});

/** Cases about the requests that webhooks receive for each verb. */
export const verbCases: readonly WebhookCase[] = [
  {
    name: "create, replace, patch, delete",
    webhooks: both,
    requests: [
      create("a", {}, "?fieldManager=me&fieldValidation=Strict"),
      {
        method: "PUT",
        path: `${configMaps}/a?fieldManager=you`,
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { a: "2" } },
      },
      merge(`${configMaps}/a`, { data: { b: "1" } }),
      merge(`${configMaps}/a?dryRun=All`, { data: { b: "2" } }),
      {
        method: "PATCH",
        path: `${configMaps}/a?fieldManager=apply&force=true`,
        contentType: "application/apply-patch+yaml",
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { c: "1" } },
      },
      { method: "DELETE", path: `${configMaps}/a?dryRun=All` },
      {
        method: "DELETE",
        path: `${configMaps}/a`,
        body: { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 5, propagationPolicy: "Background" },
      },
      { method: "DELETE", path: `${configMaps}/a` },
    ],
  },
  {
    name: "a collection is deleted item by item",
    before: [create("a", { metadata: { labels: { all: "1" } } }), create("b", { metadata: { labels: { all: "1" } } })],
    webhooks: validating,
    requests: [{ method: "DELETE", path: `${configMaps}?labelSelector=all` }],
  },
  {
    name: "a deletion that is denied",
    before: [create("a")],
    webhooks: [{ type: "validating", name: "v", hook: deny({ message: "stay" }), more: everything }],
    requests: [
      { method: "DELETE", path: `${configMaps}/a` },
      { method: "GET", path: `${configMaps}/a` },
    ],
  },
  {
    name: "a patch on a deletion",
    before: [create("a")],
    webhooks: [
      {
        type: "mutating",
        name: "m",
        hook: patch([{ op: "add", path: "/data/b", value: "2" }]),
        more: { ...everything, failurePolicy: "Ignore" },
      },
    ],
    requests: [{ method: "DELETE", path: `${configMaps}/a` }],
  },
  {
    name: "scale",
    before: [post(deployments, deployment("d"))],
    webhooks: both,
    requests: [
      {
        method: "PUT",
        path: `${deployments}/d/scale`,
        body: {
          apiVersion: "autoscaling/v1",
          kind: "Scale",
          metadata: { name: "d", namespace: "{ns}" },
          spec: { replicas: 2 },
        },
      },
      merge(`${deployments}/d/scale`, { spec: { replicas: 3 } }),
    ],
  },
  {
    name: "scale that is mutated",
    before: [post(deployments, deployment("d"))],
    webhooks: [
      {
        type: "mutating",
        name: "m",
        hook: patch([{ op: "replace", path: "/spec/replicas", value: 7 }]),
        more: everything,
      },
    ],
    requests: [
      merge(`${deployments}/d/scale`, { spec: { replicas: 3 } }),
      { method: "GET", path: `${deployments}/d/scale` },
    ],
  },
  ...["/metadata/name", "/metadata/namespace", "/metadata/uid", "/metadata"].map(
    (path): WebhookCase => ({
      name: `scale whose ${path} is changed`,
      before: [post(deployments, deployment("d"))],
      webhooks: [
        {
          type: "mutating",
          name: "m",
          hook: patch([
            path === "/metadata" ? { op: "add", path, value: {} } : { op: "replace", path, value: "" },
            ...(path === "/metadata/uid" ? [{ op: "replace", path, value: "other" }] : []),
          ]),
          more: {
            rules: [
              { operations: ["UPDATE"], apiGroups: ["apps"], apiVersions: ["v1"], resources: ["deployments/scale"] },
            ],
          },
        },
      ],
      requests: [merge(`${deployments}/d/scale`, { spec: { replicas: 3 } })],
    }),
  ),
  {
    name: "scale that is denied",
    before: [post(deployments, deployment("d"))],
    webhooks: [
      {
        type: "validating",
        name: "v",
        hook: deny({ message: "no" }),
        more: {
          rules: [
            { operations: ["UPDATE"], apiGroups: ["apps"], apiVersions: ["v1"], resources: ["deployments/scale"] },
          ],
        },
      },
    ],
    requests: [merge(`${deployments}/d/scale`, { spec: { replicas: 3 } })],
  },
  {
    name: "status",
    before: [post(deployments, deployment("d"))],
    webhooks: both,
    requests: [merge(`${deployments}/d/status`, { status: { replicas: 1 } })],
  },
  {
    name: "binding and eviction",
    before: [post(pods, pod("p")), post(pods, pod("q"))],
    webhooks: both,
    requests: [
      post(`${pods}/p/binding`, {
        apiVersion: "v1",
        kind: "Binding",
        metadata: { name: "p" },
        target: { kind: "Node", name: "n" },
      }),
      post("/api/v1/namespaces/{ns}/bindings", {
        apiVersion: "v1",
        kind: "Binding",
        metadata: { name: "q" },
        target: { kind: "Node", name: "n" },
      }),
      post(`${pods}/q/eviction`, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "q" } }),
    ],
  },
  {
    name: "eviction with options",
    before: [post(pods, pod("p"))],
    webhooks: both,
    requests: [
      post(`${pods}/p/eviction`, {
        apiVersion: "policy/v1",
        kind: "Eviction",
        metadata: { name: "p" },
        deleteOptions: { gracePeriodSeconds: 0, dryRun: ["All"] },
      }),
    ],
  },
  {
    // v1.29 asks once more where its cache does not know yet that the pod is marked: recorded where it did.
    name: "a pod is marked, and then removed, with its grace period completed",
    before: ["p", "q", "r"].map((name) => post(pods, pod(name))),
    webhooks: [
      { type: "mutating", name: "m", hook: allow(), more: deletions },
      { type: "validating", name: "v", hook: allow(), more: deletions },
    ],
    requests: [
      { method: "DELETE", path: `${pods}/p?dryRun=All` },
      { method: "DELETE", path: `${pods}/p?gracePeriodSeconds=-7` },
      { method: "DELETE", path: pods },
    ],
  },
  {
    name: "a deletion that changes nothing",
    before: [
      post(pods, { ...pod("p"), metadata: { name: "p", finalizers: ["example.com/held"] } }),
      post(`${pods}/p/binding`, {
        apiVersion: "v1",
        kind: "Binding",
        metadata: { name: "p" },
        target: { kind: "Node", name: "n" },
      }),
    ],
    webhooks: both,
    requests: [
      { method: "DELETE", path: `${pods}/p?gracePeriodSeconds=30` },
      { method: "DELETE", path: `${pods}/p?gracePeriodSeconds=40` },
      { method: "DELETE", path: `${pods}/p` },
      { method: "DELETE", path: `${pods}/p?gracePeriodSeconds=20` },
    ],
  },
  {
    name: "a pod that is marked, and not removed",
    before: [post(pods, pod("p"))],
    webhooks: [
      {
        type: "validating",
        name: "v",
        more: deletions,
        hook: (review) => {
          const { metadata } = review.request["oldObject"] as { metadata: Record<string, unknown> };
          return (metadata["deletionTimestamp"] === undefined ? allow() : deny({ message: "marked" }))(review);
        },
      },
    ],
    requests: [{ method: "DELETE", path: `${pods}/p` }],
  },
  {
    name: "deletions of a namespace",
    webhooks: [
      {
        type: "validating",
        name: "v",
        hook: allow(),
        more: {
          rules: [{ operations: ["DELETE"], apiGroups: [""], apiVersions: ["v1"], resources: ["namespaces"] }],
        },
      },
    ],
    requests: [
      { method: "DELETE", path: "/api/v1/namespaces/{ns}?propagationPolicy=Orphan" },
      { method: "DELETE", path: "/api/v1/namespaces/{ns}?propagationPolicy=Background&gracePeriodSeconds=-1" },
    ],
  },
  {
    name: "finalize of a namespace",
    webhooks: [
      {
        type: "validating",
        name: "v",
        hook: allow(),
        more: { ...everything, namespaceSelector: { matchLabels: { case: "{ns}" } } },
      },
    ],
    requests: [
      {
        method: "PUT",
        path: "/api/v1/namespaces/{ns}/finalize",
        body: {
          apiVersion: "v1",
          kind: "Namespace",
          metadata: { name: "{ns}", labels: { case: "{ns}" } },
          spec: { finalizers: ["kubernetes"] },
        },
      },
    ],
  },
  {
    name: "connect",
    before: [
      post(pods, pod("p")),
      post("/api/v1/namespaces/{ns}/services", {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "s" },
        spec: { ports: [{ port: 80 }] },
      }),
    ],
    webhooks: both,
    requests: [
      post(`${pods}/p/exec?command=ls&command=-l&stdin=true&stdout=true&container=c&tty=false`, undefined),
      { method: "GET", path: `${pods}/p/exec?command=ls&stdout=1` },
      post(`${pods}/p/attach?stdout=true`, undefined),
      post(`${pods}/p/portforward?ports=80&ports=81`, undefined),
      { method: "GET", path: `${pods}/p/proxy/some/path?x=y` },
      { method: "GET", path: `${pods}/p/proxy` },
      { method: "GET", path: `${pods}/http:p:8080/proxy/x` },
      { method: "GET", path: "/api/v1/namespaces/{ns}/services/s/proxy/a" },
      { method: "GET", path: "/api/v1/namespaces/{ns}/services/gone/proxy" },
      post(`${pods}/gone/exec?command=ls`, undefined),
      post(`${pods}/p/exec?command=ls&container=none`, undefined),
      post(`${pods}/p/exec?stdout=maybe`, undefined),
      post(`${pods}/p/exec`, undefined),
    ],
  },
  {
    name: "connect by other methods, and to nodes",
    before: [post(pods, pod("p"))],
    webhooks: both,
    requests: [
      ...["POST", "PUT", "PATCH", "DELETE"].map((method) => ({
        method,
        path: `${pods}/p/proxy/a?b=c`,
      })),
      { method: "GET", path: `${pods}/p:80/proxy/a/../b//c` },
      { method: "GET", path: `${pods}/p/proxy/%2e%2e/a%20b?x=%20y&x=z` },
      { method: "GET", path: "/api/v1/nodes/none-{ns}/proxy/metrics?a=b" },
      { method: "DELETE", path: "/api/v1/nodes/https:none-{ns}:10250/proxy/" },
      post("/api/v1/namespaces/{ns}/services/https:gone:name/proxy/x", { a: 1 }),
      post(`${pods}/p/exec?command=a%20b&command=&stderr=1&tty=true&unknown=x`, undefined),
      { method: "GET", path: `${pods}/p/attach?container=c&stdin=true` },
      { method: "GET", path: `${pods}/p/portforward` },
      post(`${pods}/p/portforward?ports=0&ports=65535`, undefined),
    ],
  },
  {
    name: "connect that is denied",
    before: [post(pods, pod("p"))],
    webhooks: [
      {
        type: "validating",
        name: "v",
        hook: deny({ message: "no shells" }),
        more: { rules: [{ operations: ["CONNECT"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods/exec"] }] },
      },
    ],
    requests: [
      post(`${pods}/p/exec?command=ls`, undefined),
      post(`${pods}/p/attach`, undefined),
      post(`${pods}/gone/exec?command=ls`, undefined),
    ],
  },
  {
    name: "deletion with a finalizer, and its end",
    before: [create("a", { metadata: { finalizers: ["example.com/x"] } })],
    webhooks: both,
    requests: [
      { method: "DELETE", path: `${configMaps}/a` },
      { method: "DELETE", path: `${configMaps}/a` },
      merge(`${configMaps}/a`, { metadata: { finalizers: null } }),
    ],
  },
  {
    name: "a write that changes nothing",
    before: [create("a")],
    webhooks: both,
    requests: [merge(`${configMaps}/a`, {}), merge(`${configMaps}/gone`, {}), create("a")],
  },
  {
    name: "created by a replacement",
    webhooks: both,
    requests: [
      {
        method: "PUT",
        path: "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases/l",
        body: {
          apiVersion: "coordination.k8s.io/v1",
          kind: "Lease",
          metadata: { name: "l" },
          spec: { holderIdentity: "me" },
        },
      },
    ],
  },
  {
    name: "what the rules refuse is never validated",
    webhooks: both,
    requests: [create("Not a name"), create("x".repeat(300))],
  },
];
