import type { Hook } from "../hook-server.js";
import {
  allow,
  type CaseRequest,
  type CaseWebhook,
  configMap,
  configMaps,
  create,
  patch,
  type WebhookCase,
} from "../webhook-case.js";

const mutator = (name: string, hook: Hook, more: Record<string, unknown> = {}): CaseWebhook => ({
  type: "mutating",
  name,
  hook,
  more,
});

const addKey = (key: string) => patch([{ op: "add", path: `/data/${key}`, value: key }]);

/** Adds a member when it is not there yet. */
const addOnce =
  (key: string): Hook =>
  (review) => {
    const data = (review.request["object"] as { data?: Record<string, string> }).data ?? {};
    return (Object.hasOwn(data, key) ? allow() : addKey(key))(review);
  };

const again = { reinvocationPolicy: "IfNeeded" };
const pods = "/api/v1/namespaces/{ns}/pods";

const change = (type: string, body: unknown, query = ""): CaseRequest => ({
  method: "PATCH",
  path: `${configMaps}/x?fieldManager=${type.slice(0, 5)}${query}`,
  contentType: `application/${type}`,
  body,
});

/** Mutation by several webhooks, and being asked again. */
export const mutatingCases: readonly WebhookCase[] = [
  {
    name: "each sees what those before have made",
    webhooks: [mutator("mb", addKey("b")), mutator("ma", addKey("a2")), mutator("mc", allow())],
    requests: [create("x")],
  },
  {
    name: "validating ones see the result",
    webhooks: [mutator("m", addKey("b")), { type: "validating", name: "v", hook: allow() }],
    requests: [create("x")],
  },
  {
    name: "asked again because a later one has changed something",
    webhooks: [mutator("ma", addOnce("a2"), again), mutator("mb", addOnce("b"))],
    requests: [create("x")],
  },
  {
    name: "not asked again when nothing has changed since",
    webhooks: [mutator("ma", addOnce("a2"), again), mutator("mb", allow())],
    requests: [create("x")],
  },
  {
    name: "the last one is not asked again for its own change",
    webhooks: [mutator("ma", allow()), mutator("mb", addOnce("b"), again)],
    requests: [create("x")],
  },
  {
    name: "two that want to be asked again",
    webhooks: [
      mutator("ma", addOnce("a2"), again),
      mutator("mb", addOnce("b"), again),
      mutator("mc", addOnce("c"), again),
    ],
    requests: [create("x")],
  },
  {
    name: "who has not been asked is not asked in the second run",
    webhooks: [
      mutator("ma", addOnce("a2"), { ...again, objectSelector: { matchLabels: { l: "1" } } }),
      mutator("mb", patch([{ op: "add", path: "/metadata/labels", value: { l: "1" } }])),
    ],
    requests: [create("x")],
  },
  {
    name: "a label that another one has set decides",
    webhooks: [
      mutator("ma", patch([{ op: "add", path: "/metadata/labels", value: { l: "1" } }])),
      mutator("mb", addKey("b"), { objectSelector: { matchLabels: { l: "1" } } }),
    ],
    requests: [create("x")],
  },
  {
    name: "two in one configuration keep their order",
    webhooks: [mutator("m-z", addOnce("z")), mutator("m-a", addOnce("a2"))],
    requests: [create("x")],
  },
  {
    name: "in a second run others change more",
    webhooks: [
      mutator("ma", addOnce("a2"), again),
      mutator(
        "mb",
        (review) => addKey(`b${Object.keys((review.request["object"] as { data: object }).data).length}`)(review),
        again,
      ),
    ],
    requests: [create("x")],
  },
  {
    name: "updates are mutated, too, and owned as before",
    before: [create("x")],
    webhooks: [mutator("m", addOnce("b"))],
    requests: [
      {
        method: "PUT",
        path: `${configMaps}/x`,
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" }, data: { a: "2" } },
      },
      {
        method: "PATCH",
        path: `${configMaps}/x`,
        contentType: "application/merge-patch+json",
        body: { data: { a: "3" } },
      },
      {
        method: "PATCH",
        path: `${configMaps}/x?fieldManager=me&force=true`,
        contentType: "application/apply-patch+yaml",
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" }, data: { a: "4" } },
      },
      {
        method: "PATCH",
        path: `${configMaps}/y?fieldManager=me`,
        contentType: "application/apply-patch+yaml",
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "y" }, data: { a: "4" } },
      },
    ],
  },
  {
    name: "what a webhook adds gets its defaults",
    webhooks: [
      mutator(
        "m",
        patch([
          {
            op: "add",
            path: "/spec/containers/-",
            value: { name: "side", image: "i:1", ports: [{ containerPort: 80 }] },
          },
        ]),
        { rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }] },
      ),
    ],
    requests: [
      {
        method: "POST",
        path: pods,
        body: {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name: "p" },
          spec: { containers: [{ name: "c", image: "i" }], tolerations: [], automountServiceAccountToken: false },
        },
      },
    ],
  },
  {
    name: "what a webhook makes wrong is refused",
    webhooks: [mutator("m", patch([{ op: "add", path: "/data/b~1b", value: "x" }]))],
    requests: [create("x")],
  },
  {
    name: "mutation of generated names",
    webhooks: [mutator("m", allow()), { type: "validating", name: "v", hook: allow() }],
    requests: [
      {
        method: "POST",
        path: configMaps,
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { generateName: "generated-" } },
      },
    ],
  },
  {
    name: "finalizers and owners by a webhook",
    webhooks: [
      mutator(
        "m",
        patch([
          {
            op: "add",
            path: "/metadata/ownerReferences",
            value: [
              { apiVersion: "v1", kind: "Pod", name: "o", uid: "u" },
              { apiVersion: "v1", kind: "Pod", name: "o", uid: "u" },
            ],
          },
        ]),
      ),
    ],
    requests: [create("x")],
  },
  {
    name: "a patch that changes nothing, where it cuts the time of new owners to seconds",
    webhooks: [
      mutator("ma", allow(), again),
      mutator("mb", patch([{ op: "test", path: "/kind", value: "ConfigMap" }])),
      mutator("mc", patch([{ op: "add", path: "/metadata/labels", value: null }]), again),
    ],
    requests: [
      create("x"),
      change("merge-patch+json", { data: { a: "1" } }),
      change("merge-patch+json", { data: { a: "2" } }),
      change("apply-patch+yaml", configMap("x", { data: { a: "3" } }), "&force=true"),
      change("apply-patch+yaml", configMap("x", { data: { a: "3" } })),
    ],
  },
];
