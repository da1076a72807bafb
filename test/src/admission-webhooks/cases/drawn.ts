import { createRandom, type Random } from "../../fuzz/random.js";
import type { Hook } from "../hook-server.js";
import {
  allow,
  type CaseRequest,
  type CaseWebhook,
  configMap,
  configMaps,
  deny,
  patch,
  type WebhookCase,
} from "../webhook-case.js";

/** Names of these cases begin so: they are recorded in a file of their own. */
export const drawnPrefix = "drawn";

const rules = [
  { operations: ["*"], resources: ["configmaps"] },
  { operations: ["*"], resources: ["*/*"] },
  { operations: ["CREATE", "UPDATE"], resources: ["*"] },
  { operations: ["CREATE"], resources: ["configmaps", "secrets"], scope: "Namespaced" },
  { operations: ["UPDATE", "DELETE"], resources: ["configmaps"] },
  { operations: ["*"], resources: ["configmaps"], scope: "Cluster" },
].map((rule) => ({ apiGroups: [""], apiVersions: ["v1"], ...rule }));

const selectors = [
  {},
  { matchLabels: { tier: "web" } },
  { matchExpressions: [{ key: "tier", operator: "DoesNotExist" }] },
  { matchExpressions: [{ key: "tier", operator: "In", values: ["web", "db"] }] },
];

const patches = [
  [{ op: "add", path: "/data/b", value: "2" }],
  [{ op: "replace", path: "/data/a", value: "changed" }],
  [{ op: "remove", path: "/data/a" }],
  [{ op: "add", path: "/metadata/labels", value: { tier: "db" } }],
  [
    { op: "test", path: "/data/a", value: "1" },
    { op: "move", from: "/data/a", path: "/data/c" },
  ],
  [{ op: "copy", from: "/data/a", path: "/data/~0d~1e" }],
  [],
];

const isDeletion = (review: Parameters<Hook>[0]): boolean => review.request["operation"] === "DELETE";

/** Changes what is written, and lets deletions pass: a patch of nothing is an error. */
function mutator(draw: Random): Hook {
  const changes = patch(draw.pick(patches), draw.chance(0.3) ? { warnings: ["changed"] } : {});
  return (review) => (isDeletion(review) ? allow()(review) : changes(review));
}

function validator(draw: Random): Hook {
  const member = draw.pick(["a", "b", "c"]);
  const [no, yes] = [
    deny({ message: `without ${member}`, code: draw.pick([200, 403, 422, 500]) }),
    allow({ warnings: ["looked"] }),
  ];
  return (review) => {
    const { data = {} } = (review.request["object"] ?? {}) as { data?: object };
    return isDeletion(review) || member in data ? yes(review) : no(review);
  };
}

function webhook(draw: Random, type: CaseWebhook["type"], hook: Hook): CaseWebhook {
  const more = {
    rules: [draw.pick(rules), ...(draw.chance(0.3) ? [draw.pick(rules)] : [])],
    objectSelector: draw.pick(selectors),
    failurePolicy: draw.pick(["Fail", "Ignore"]),
    ...(type === "mutating" && draw.chance(0.4) ? { reinvocationPolicy: "IfNeeded" } : {}),
  };
  return { type, name: `${type === "mutating" ? "m" : "v"}-${draw.below(1000)}`, hook, more };
}

const secrets = configMaps.replace("configmaps", "secrets");

function request(draw: Random): CaseRequest {
  const name = draw.pick(["a", "b"]);
  const labels = draw.pick([undefined, { tier: "web" }, { tier: "db" }]);
  const dryRun = draw.pick(["", "", "?dryRun=All"]);
  const body = configMap(name, {
    metadata: labels === undefined ? {} : { labels },
    data: draw.pick([{ a: "1" }, { b: "1" }, {}]),
  });
  switch (draw.below(6)) {
    case 0:
    case 1:
      return { method: "POST", path: `${configMaps}${dryRun}`, body };
    case 2:
      return { method: "PUT", path: `${configMaps}/${name}${dryRun}`, body };
    case 3:
      return {
        method: "PATCH",
        path: `${configMaps}/${name}${dryRun}`,
        contentType: "application/merge-patch+json",
        body: {
          data: { a: draw.pick(["1", "3", null]) },
          metadata: { labels: { tier: draw.pick(["web", "db", null]) } },
        },
      };
    case 4:
      return { method: "DELETE", path: `${configMaps}/${name}${dryRun}` };
    default:
      return {
        method: "POST",
        path: `${secrets}${dryRun}`,
        body: { metadata: { name, ...(labels && { labels }) }, data: { a: "MQ==" } },
      };
  }
}

/** Webhooks and writes drawn by lot, from one seed: what none of the others thinks of together. */
export const drawnCases: readonly WebhookCase[] = Array.from({ length: 16 }, (_, index) => {
  const draw = createRandom(7, index);
  return {
    name: `${drawnPrefix} ${index}`,
    webhooks: [
      webhook(draw, "mutating", mutator(draw)),
      webhook(draw, "mutating", mutator(draw)),
      webhook(draw, "validating", validator(draw)),
    ],
    requests: Array.from({ length: 20 }, () => request(draw)),
  };
});
